# Installs the library below the build tree, and configures, builds and runs the consumer with it.
# cmake -D BUILD_DIR=... -D SOURCE_DIR=... -D CXX=... -D BUILD_TYPE=... -D FLAGS=... -P run.cmake

set(work ${BUILD_DIR}/consumer)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGN}\n${output}")
  endif()
  message(STATUS "${output}")
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${work}/prefix --component library)
include(${SOURCE_DIR}/snippets.cmake)
write_snippets(${SOURCE_DIR}/../../docs/embedding.md ${work}/snippets)
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE_DIR} -B ${work}/build
    -DSNIPPETS=${work}/snippets -DPROJECT_ROOT=${SOURCE_DIR}/../.. -DCOMPONENTS=core
    -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_CXX_FLAGS=${FLAGS})
run(${CMAKE_COMMAND} --build ${work}/build)
foreach(order plain_first vectors_first)
  run(${work}/build/consumer_${order})
endforeach()

run(${work}/build/calls 2000 1)
run(${work}/build/no_exceptions)
execute_process(COMMAND ${work}/build/no_exceptions bad RESULT_VARIABLE result OUTPUT_QUIET
                ERROR_VARIABLE output)
if(result EQUAL 0 OR NOT output MATCHES "standard: k is 0; it must be from 1 to 256")
  message(FATAL_ERROR "without exceptions a bad filter must end the program (${result}):\n${output}")
endif()

# What a package asks for and does not exist is said in one line.
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE_DIR} -B ${work}/refused
    -DSNIPPETS=${work}/snippets -DCOMPONENTS=filters
    -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_CXX_COMPILER=${CXX}
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE output)
if(result EQUAL 0 OR NOT output MATCHES "bloomlab has no component \"filters\"; it has: core")
  message(FATAL_ERROR "a component that does not exist must be refused (${result}):\n${output}")
endif()

# By pkg-config alone: what it prints links a program that names every hash.
find_program(PKG_CONFIG NAMES pkg-config pkgconf REQUIRED)
file(GLOB_RECURSE package ${work}/prefix/*/bloomlab.pc)
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${package} OUTPUT_VARIABLE flags
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${FLAGS} ${SOURCE_DIR}/catalogue.cpp ${flags}")
run(${CXX} -o ${work}/build/catalogue ${flags})
run(${work}/build/catalogue)

# What a program is linked with: the libraries that docs/embedding.md names, and of one filter none
# of a hash or a coder that it does not use.
function(expect_libraries program allowed)
  execute_process(COMMAND ldd ${work}/build/${program} OUTPUT_VARIABLE output
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n\t /]+\\.so" libraries "${output}")
  list(REMOVE_DUPLICATES libraries)
  list(FILTER libraries EXCLUDE REGEX
       "^(ld-|linux-|lib(c|m|gcc_s|stdc\\+\\+|pthread|dl|rt|asan|ubsan|tsan|${allowed})\\.so)")
  if(libraries OR NOT output MATCHES "libc\\.")
    message(FATAL_ERROR "${program} needs more than it should (${libraries}):\n${output}")
  endif()
endfunction()
expect_libraries(consumer_plain_first "hwy")
expect_libraries(catalogue "hwy|crypto|z|zstd")  # OpenSSL of Debian 13 asks for zstd
file(GLOB snippets ${work}/build/snippet_*)
foreach(snippet IN LISTS snippets)
  run(${snippet})
endforeach()

# And of the library only what it uses: the first program of docs/embedding.md has one filter and its
# sizing, and neither other filters nor their kernels.
if(BUILD_TYPE STREQUAL Release AND NOT FLAGS)
  file(SIZE ${work}/build/snippet_0 bytes)
  if(bytes GREATER 500000)
    message(FATAL_ERROR "the first program of docs/embedding.md has ${bytes} bytes; 500000 are enough")
  endif()
  message(STATUS "the first program of docs/embedding.md has ${bytes} bytes")
endif()
