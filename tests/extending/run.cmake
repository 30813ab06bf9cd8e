# Follows docs/extending.md in a copy of the tree: adds a filter, a hash and a closed form, each by
# its files and its word in the catalogue, and a config with its page and a claim in a folder elsewhere; builds the
# program, measures, reports, and looks whether everything that the document promises is there.
# cmake -D SOURCE_DIR=... -D WORK_DIR=... -D CXX=... -P run.cmake

set(tree ${WORK_DIR}/tree)
set(study ${WORK_DIR}/study)
# Copies keep their times: what is built from them stays, and what was renamed goes.
file(REMOVE_RECURSE ${tree} ${study} ${WORK_DIR}/results ${WORK_DIR}/report)
foreach(part CMakeLists.txt cmake core record statistics planner formats foreign experiments audit analysis lab
             cli)
  file(COPY ${SOURCE_DIR}/${part} DESTINATION ${tree})
endforeach()
file(COPY ${SOURCE_DIR}/results/throughput.json DESTINATION ${tree}/results)  # for `bloomlab plan`
file(COPY ${CMAKE_CURRENT_LIST_DIR}/study DESTINATION ${WORK_DIR})

function(run output)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
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

# One word and one include in the catalogue: nothing else of the tree is edited.
function(add_to_catalogue name header list type)
  set(catalogue ${tree}/core/${name}.hpp)
  file(READ ${catalogue} text)
  string(FIND "${text}" "using ${list} =" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "core/${name}.hpp has no list ${list}")
  endif()
  string(REGEX REPLACE "(using ${list} =[ \n]*TypeList<)" "\\1${type}, " text "${text}")
  string(REPLACE "#pragma once\n" "#pragma once\n\n#include \"${header}\"" text "${text}")
  file(WRITE ${catalogue} "${text}")
endfunction()
file(COPY ${CMAKE_CURRENT_LIST_DIR}/added/two_halves.hpp DESTINATION ${tree}/core/filters)
file(COPY ${CMAKE_CURRENT_LIST_DIR}/added/split_mix.hpp ${CMAKE_CURRENT_LIST_DIR}/added/split_mix.cpp
     DESTINATION ${tree}/core/hash)
add_to_catalogue(catalogue core/filters/two_halves.hpp Filters TwoHalves)
add_to_catalogue(hashing core/hash/split_mix.hpp Hashes SplitMix)

# A closed form: one file, and its name in both lists of the catalogue of models.
file(COPY ${CMAKE_CURRENT_LIST_DIR}/added/two_halves.cpp DESTINATION ${tree}/core/theory/models)
file(READ ${tree}/core/theory/catalogue.hpp text)
string(REPLACE "Describe standard_exact," "Describe two_halves, standard_exact," text "${text}")
string(REPLACE "std::array all{" "std::array all{two_halves," text "${text}")
file(WRITE ${tree}/core/theory/catalogue.hpp "${text}")

# Unoptimised: it is built to be looked at.
run(text ${CMAKE_COMMAND} -G Ninja -S ${tree} -B ${WORK_DIR}/build -DCMAKE_BUILD_TYPE=Debug
    -DBLOOMLAB_UNITY=ON -DBLOOMLAB_BUILD_TESTS=OFF -DCMAKE_CXX_COMPILER=${CXX}
    "-DCMAKE_CXX_FLAGS_DEBUG=-O0")
run(text ${CMAKE_COMMAND} --build ${WORK_DIR}/build --target bloomlab_cli)
set(bloomlab ${WORK_DIR}/build/bloomlab)

run(text ${bloomlab} list)
expect("${text}" "two_halves" "bloomlab list names the filter")
expect("${text}" "split_mix" "bloomlab list names the hash")
run(text ${bloomlab} list --schema)
expect("${text}" "two_halves" "the schema knows the filter")
run(text ${bloomlab} plan --items 1000 --fpr 0.05 --all)
expect("${text}" "two_halves" "the planner sizes the filter")
run(text ${bloomlab} check ${SOURCE_DIR}/configs/filters/filter_zoo.json)
expect("${text}" "29 cells" "the zoo takes the filter, one cell more than without")

run(text ${bloomlab} theory two_halves m=8000 n=1000)
expect("${text}" "0.04893" "the closed form")
run(text ${bloomlab} check ${study}/two_halves.json)
run(text ${bloomlab} run ${study}/two_halves.json --out ${WORK_DIR}/results)
run(text ${bloomlab} report ${WORK_DIR}/results --claims ${study}/claims.json --out ${WORK_DIR}/report)
file(READ ${WORK_DIR}/report/REPORT.md report)
expect("${report}" "The false-positive rate \\(FPR\\) of the new filter is between" "the page's answer")
expect("${report}" "hash \\| size \\[bits\\] \\| fpr \\| closed form" "the page's table")
expect("${report}" "split_mix \\| 4000" "the table's rows")
file(READ ${WORK_DIR}/report/REPORT.claims.md claims)
expect("${claims}" "mine-1" "the claim")
expect("${claims}" "RIGHT" "the claim's verdict")
file(GLOB figures ${WORK_DIR}/report/figures/two_halves_rates.svg)
list(LENGTH figures count)
expect("${count}" "^[1-9]" "the page's figure")
message(STATUS "filter, hash, config, page and claim: added, measured and reported")
