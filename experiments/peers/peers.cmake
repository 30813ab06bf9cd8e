# Peers: which of them this build has, and the digest of the frozen student's filter.
# BLOOMLAB_BOOST_BLOOM_DIR is a folder with Boost.Bloom's headers, where it is not among the usual ones.

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

# Its bulk calls came with Boost 1.90. The file alone sees its headers, which would hide an older Boost.
set(BLOOMLAB_BOOST_BLOOM_DIR "" CACHE PATH "folder that holds boost/bloom/filter.hpp")
if(BLOOMLAB_BOOST_BLOOM_DIR)
  find_path(boost_bloom_dir boost/bloom/filter.hpp PATHS "${BLOOMLAB_BOOST_BLOOM_DIR}"
    PATH_SUFFIXES include NO_DEFAULT_PATH NO_CACHE)
else()
  find_path(boost_bloom_dir boost/bloom/filter.hpp NO_CACHE)
endif()
unset(boost_bloom_compiles CACHE)
if(boost_bloom_dir)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_INCLUDES "${boost_bloom_dir}")
  check_cxx_source_compiles("
    #include <boost/bloom/fast_multiblock32.hpp>
    #include <boost/bloom/filter.hpp>
    int main() {
      const boost::bloom::filter<int, 1, boost::bloom::fast_multiblock32<8>> filter(1024);
      const int key = 1;
      filter.may_contain(&key, &key + 1, [](int, bool) {});
    }" boost_bloom_compiles)
  unset(CMAKE_REQUIRED_INCLUDES)
endif()
if(boost_bloom_compiles)
  set_source_files_properties(peers/boost_bloom.cpp PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "-isystem${boost_bloom_dir}")
  target_compile_definitions(bloomlab_experiments PUBLIC BLOOMLAB_HAS_BOOST_BLOOM)
elseif(BLOOMLAB_BOOST_BLOOM_DIR)
  message(FATAL_ERROR "BLOOMLAB_BOOST_BLOOM_DIR: found no Boost.Bloom with bulk calls that compiles in "
    "\"${BLOOMLAB_BOOST_BLOOM_DIR}\"; give the folder of the headers of Boost 1.90 or later")
else()
  message(STATUS "Boost.Bloom not found: those peers are left out (Boost 1.90 or later, or BLOOMLAB_BOOST_BLOOM_DIR)")
endif()
