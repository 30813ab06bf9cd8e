# What somebody does who has a filter of his own: installs the laboratory, takes the template
# examples/my_filter into a folder elsewhere, builds, tests, measures, reports, edits the filter.
# cmake -D BUILD_DIR=... -D SOURCE_DIR=... -D CXX=... -D BUILD_TYPE=... -D FLAGS=... -P run.cmake

set(work ${BUILD_DIR}/own_project)
set(project ${work}/my_filter)
file(REMOVE_RECURSE ${work})

function(run output)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text
                  WORKING_DIRECTORY ${work})
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGN}\n${text}")
  endif()
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

function(expect text pattern what)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "${what}: no \"${pattern}\" in\n${text}")
  endif()
endfunction()

file(MAKE_DIRECTORY ${work})
foreach(component library lab)
  run(text ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${work}/prefix --component ${component})
endforeach()
file(COPY ${SOURCE_DIR}/examples/my_filter DESTINATION ${work})

# As its README says.
run(text ${CMAKE_COMMAND} -G Ninja -S ${project} -B ${project}/build
    -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_CXX_FLAGS=${FLAGS})
run(text ${CMAKE_COMMAND} --build ${project}/build)
run(text ${CMAKE_CTEST_COMMAND} --test-dir ${project}/build --output-on-failure)
set(lab ${project}/build/lab)
run(text ${lab} list)
expect("${text}" "my_filter\n    seven probes" "the filter is listed")
expect("${text}" "my_hash[^\n]*\n?[^\n]*FNV-1a with" "the hash function is listed")
run(text ${lab} run ${project}/configs/my_filter.json --out ${work}/results)
run(text ${lab} report ${work}/results)
file(READ ${work}/results/REPORT.md report)
expect("${report}" "at the largest size my_filter gives" "the page's answer")
expect("${report}" "my_filter" "the filter's rows")
run(text ${lab} verify ${work}/results)
expect("${text}" "all equal" "the same program measures the same")
run(text ${lab} run ${project}/configs/my_filter_speed.json --out ${work}/speed)
file(READ ${work}/speed/my_filter_speed.json speed)
expect("${speed}" "\"negative_ns\"" "durations")

# The hash function beside those of the catalogue: its rates and its quality.
run(text ${lab} run ${project}/configs/my_hash.json ${project}/configs/my_hash_quality.json
    --out ${work}/hash)
run(text ${lab} report ${work}/hash)
file(READ ${work}/hash/REPORT.md report)
expect("${report}" "my_hash" "the hash function's rows")
run(text ${lab} verify ${work}/hash)
expect("${text}" "all equal" "the same program measures the same")
execute_process(COMMAND ${BUILD_DIR}/bloomlab verify ${work}/hash RESULT_VARIABLE result
                OUTPUT_VARIABLE text ERROR_VARIABLE text)
expect("${text}" "my_hash.* of another program" "verify by a program without the hash function")
run(text ${BUILD_DIR}/bloomlab report ${work}/hash --out ${work}/hash_elsewhere)

# A program without the filter says what is missing, and reads the results all the same.
execute_process(COMMAND ${BUILD_DIR}/bloomlab verify ${work}/results RESULT_VARIABLE result
                OUTPUT_VARIABLE text ERROR_VARIABLE text)
expect("${text}" "my_filter.* of another program" "verify by a program without the filter")

# An edited filter is built in seconds and measured anew.
file(READ ${project}/my_filter.hpp text)
string(REPLACE "probes = 7" "probes = 3" text "${text}")
file(WRITE ${project}/my_filter.hpp "${text}")
string(TIMESTAMP before "%s")
run(text ${CMAKE_COMMAND} --build ${project}/build --target lab)
string(TIMESTAMP after "%s")
math(EXPR seconds "${after} - ${before}")
message(STATUS "a touched header is rebuilt in ${seconds} s")
run(text ${lab} run ${project}/configs/my_filter.json --out ${work}/results)
expect("${text}" "measured" "an edited filter is measured anew")
execute_process(COMMAND ${lab} report ${work}/results RESULT_VARIABLE result
                OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT result EQUAL 1)
  message(FATAL_ERROR "three probes where the config expects seven must be flagged:\n${text}")
endif()
expect("${text}" "rate of n = 1000 deviates from theory" "three probes where seven are expected")
