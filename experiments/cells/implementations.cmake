# One small source a filter: the folder core/filters is the list, implementation.cpp.in the text. A header
# is a filter's if it names itself after its file (`name = "<stem>"`); the others are helpers.
# The type is the stem in CamelCase.

file(GLOB filter_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/core/filters/*.hpp")
foreach(header IN LISTS filter_headers)
  get_filename_component(stem "${header}" NAME_WE)
  file(STRINGS "${header}" names REGEX "std::string_view name = \"${stem}\";")
  if(names)
    set(type "")
    string(REPLACE "_" ";" words "${stem}")
    foreach(word IN LISTS words)
      string(SUBSTRING "${word}" 0 1 initial)
      string(SUBSTRING "${word}" 1 -1 rest)
      string(TOUPPER "${initial}" initial)
      string(APPEND type "${initial}${rest}")
    endforeach()
    set(source "${CMAKE_CURRENT_BINARY_DIR}/implementations/${stem}.cpp")
    configure_file("${CMAKE_CURRENT_LIST_DIR}/implementation.cpp.in" "${source}" @ONLY)
    target_sources(bloomlab_experiments PRIVATE "${source}")
  endif()
endforeach()
