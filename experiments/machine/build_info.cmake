# What is known of a build: settings and library versions when it is configured, the state of the
# working tree and the flags anew in every build.

configure_file("${CMAKE_CURRENT_LIST_DIR}/build_settings.cpp.in" "${CMAKE_CURRENT_BINARY_DIR}/build_settings.cpp" @ONLY)

set(git_state "${CMAKE_CURRENT_BINARY_DIR}/git_state.cpp")
add_custom_target(bloomlab_git_state
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${git_state}
          -DCOMMANDS=${PROJECT_BINARY_DIR}/compile_commands.json
          -P ${CMAKE_CURRENT_LIST_DIR}/git_state.cmake
  BYPRODUCTS "${git_state}"
  COMMENT "Reading the state of the working tree"
  VERBATIM)
add_dependencies(bloomlab_experiments bloomlab_git_state)
target_sources(bloomlab_experiments PRIVATE
  "${CMAKE_CURRENT_BINARY_DIR}/build_settings.cpp" "${git_state}")
