# What is known of a build: settings and library versions when it is configured, the state of the
# working tree anew in every build.

string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type_upper}}" build_flags)
get_directory_property(directory_options COMPILE_OPTIONS)
list(FILTER directory_options EXCLUDE REGEX "^-W")
string(JOIN " " build_flags "${build_flags}" ${directory_options})
configure_file(build_settings.cpp.in "${CMAKE_CURRENT_BINARY_DIR}/build_settings.cpp" @ONLY)

set(git_state "${CMAKE_CURRENT_BINARY_DIR}/git_state.cpp")
add_custom_target(bloomlab_git_state
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${git_state}
          -P ${CMAKE_CURRENT_SOURCE_DIR}/git_state.cmake
  BYPRODUCTS "${git_state}"
  COMMENT "Reading the state of the working tree"
  VERBATIM)
add_dependencies(bloomlab_experiments bloomlab_git_state)
target_sources(bloomlab_experiments PRIVATE
  "${CMAKE_CURRENT_BINARY_DIR}/build_settings.cpp" "${git_state}")
