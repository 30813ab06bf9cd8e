# Compiler settings that every module shares, and the function that makes a module.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion)
if(NOT BLOOMLAB_UNITY)  # there a name of one source would "shadow" that of another
  add_compile_options(-Wshadow)
endif()
if(BLOOMLAB_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The compiler collects its garbage only beyond 1 GiB [KiB]: a seventh less time a large unit.
  add_compile_options("SHELL:--param ggc-min-expand=1000" "SHELL:--param ggc-min-heapsize=1048576")
endif()
# Counts and conditional rates must be the same on every machine: no contraction into fused
# multiply-add, which rounds differently.
add_compile_options(-ffp-contract=off)
if(BLOOMLAB_WERROR)
  add_compile_options(-Werror)
endif()
if(BLOOMLAB_SANITIZE)
  add_compile_options(-fsanitize=${BLOOMLAB_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${BLOOMLAB_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With its checks in between, GCC 12 suspects branches that are never taken, in <regex>, in
    # variants and where a stream of digests has no memory of its own; what is really out of bounds
    # or uninitialized, the checks find.
    add_compile_options(-Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overread)
  endif()
endif()

# bloomlab_unity(TARGET COUNT): where BLOOMLAB_UNITY asks for it, COUNT sources of the target are
# compiled as one (0: all of them). The larger the unit the less is compiled in all, as headers and
# instances of templates are met once; no unit may take longer than a minute. Names in anonymous
# namespaces must then be of one source alone in a module; a clash is a compile error.
#
# With sanitizers, which make a unit three times as large, no more than 8 sources are compiled as
# one; and those of all but the core always are, as they would take too long otherwise. Their tests
# but test_architecture are then not optimised.
function(bloomlab_unity target count)
  set(unity ${BLOOMLAB_UNITY})
  if(BLOOMLAB_SANITIZE)
    if(count EQUAL 0 OR count GREATER 8)
      set(count 8)
    endif()
    if(NOT target MATCHES "_(core|theory)$")
      set(unity ON)
      if(NOT target MATCHES "_(record|statistics|formats|foreign)$")
        target_compile_options(${target} PRIVATE -Wno-shadow)
      endif()
      if(target MATCHES "^test_" AND NOT target STREQUAL "test_architecture")
        target_compile_options(${target} PRIVATE -O0)
      endif()
    endif()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${unity} UNITY_BUILD_BATCH_SIZE ${count})
endfunction()

# bloomlab_seldom_run(TARGET [LEVEL]): code that runs once a config or a report, never once a key.
# Where BLOOMLAB_UNITY asks for a fast build it is optimised as LEVEL says, which compiles in two
# thirds (-O1, unless told otherwise) or half (-O0) of the time. -O0 is for tests alone: of a small
# function of the standard library the linker keeps the copy that it meets first, and the whole
# program would call what is not optimised.
function(bloomlab_seldom_run target)
  set(level -O1)
  if(ARGC GREATER 1)
    set(level ${ARGV1})
  endif()
  if(BLOOMLAB_UNITY)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
  endif()
endfunction()

# bloomlab_module(NAME DEPENDS...): a static library bloomlab_NAME from every .cpp file below the
# calling folder. Headers are included by their path from the project's root.
function(bloomlab_module name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_library(bloomlab_${name} STATIC ${sources})
  add_library(bloomlab::${name} ALIAS bloomlab_${name})
  target_include_directories(bloomlab_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_compile_features(bloomlab_${name} PUBLIC cxx_std_20)
  # A function is a section of its own, so that a linker can leave out what a program does not use.
  target_compile_options(bloomlab_${name} PRIVATE -ffunction-sections -fdata-sections)
  target_link_libraries(bloomlab_${name} PUBLIC ${ARGN})
  bloomlab_unity(bloomlab_${name} 8)
endfunction()
