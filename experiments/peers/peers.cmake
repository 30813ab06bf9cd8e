# Peers: which of them this build has, and the digest of the frozen student's filter.

file(SHA256 "${CMAKE_CURRENT_SOURCE_DIR}/peers/student_filter.hpp" student_sha256)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${CMAKE_CURRENT_SOURCE_DIR}/peers/student_filter.hpp")
configure_file(peers/student_text.cpp.in "${CMAKE_CURRENT_BINARY_DIR}/student_text.cpp" @ONLY)
target_sources(bloomlab_experiments PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/student_text.cpp")

find_path(LIBBLOOM_INCLUDE_DIR bloom.h)
find_library(LIBBLOOM_LIBRARY bloom)
mark_as_advanced(LIBBLOOM_INCLUDE_DIR LIBBLOOM_LIBRARY)
if(LIBBLOOM_INCLUDE_DIR AND LIBBLOOM_LIBRARY)
  target_include_directories(bloomlab_experiments SYSTEM PRIVATE "${LIBBLOOM_INCLUDE_DIR}")
  target_link_libraries(bloomlab_experiments PRIVATE "${LIBBLOOM_LIBRARY}")
  target_compile_definitions(bloomlab_experiments PUBLIC BLOOMLAB_HAS_LIBBLOOM)
else()
  message(STATUS "libbloom not found: that peer is left out (libbloom-dev)")
endif()
