# What somebody does who has no compiler: unpacks the .tar.gz in a folder of any name, measures a
# config by its name, reports, has a filter of one's own judged.
# cmake -D PACKAGE=FILE.tar.gz -P package.cmake; with -D BUILD_DIR=... in place of it, that is packed.

execute_process(COMMAND mktemp -d OUTPUT_VARIABLE work OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)

function(fail what)
  file(REMOVE_RECURSE ${work})
  message(FATAL_ERROR "${what}")
endfunction()

# run(OUTPUT COMMAND...): in the folder `work`, which holds nothing of the project.
function(run output)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text
                  WORKING_DIRECTORY ${work})
  if(NOT result EQUAL 0)
    fail("failed (${result}): ${ARGN}\n${text}")
  endif()
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

function(expect text pattern what)
  if(NOT text MATCHES "${pattern}")
    fail("${what}: no \"${pattern}\" in\n${text}")
  endif()
endfunction()

if(BUILD_DIR)
  run(text ${CMAKE_CPACK_COMMAND} -G TGZ --config ${BUILD_DIR}/CPackConfig.cmake -B ${work}/packed)
  file(GLOB PACKAGE ${work}/packed/*.tar.gz)
endif()
run(text ${CMAKE_COMMAND} -E tar xf ${PACKAGE})
file(GLOB unpacked ${work}/bloomlab-*)
set(moved "${work}/a folder/of mine")
file(MAKE_DIRECTORY "${work}/a folder")
file(RENAME ${unpacked} ${moved})
set(bloomlab ${moved}/bin/bloomlab)

# From outside come the libraries of C and C++ alone.
run(text ldd ${bloomlab})
string(REGEX MATCHALL "=> [^\n]*" libraries "${text}")
list(FILTER libraries EXCLUDE REGEX
     "${moved}/bin/\\.\\./lib/bloomlab/|/lib(c|m|gcc_s|stdc\\+\\+|pthread|dl|rt)\\.so")
if(libraries OR NOT text MATCHES "libc\\.so")
  fail("from outside of the package come \"${libraries}\":\n${text}")
endif()

run(text ${bloomlab} --version)
run(text ${bloomlab} list configs)
expect("${text}" "smoke/fpr_vs_n +[A-Z]" "the configs are listed")
run(text ${bloomlab} run smoke/fpr_vs_n configs/smoke/fpr_vs_k.json --out results)
run(text ${bloomlab} report results)
file(READ ${work}/results/REPORT.md report)
expect("${report}" "Rate against the number of keys" "the report")
# Its exit status is one where the machine is noisy.
execute_process(COMMAND ${bloomlab} bench smoke/hash_speed --process-runs 2 --out bench
                OUTPUT_VARIABLE text ERROR_QUIET WORKING_DIRECTORY ${work})
expect("${text}" "hash_speed: .*of [0-9]+ process runs were noisy" "the speeds")
run(text ${bloomlab} claims --only S1-18a)
expect("${text}" "^S1-18a +RIGHT" "the book of claims")
run(text ${bloomlab} lab new my_filter --language python)
execute_process(COMMAND ${bloomlab} lab check my_filter RESULT_VARIABLE result OUTPUT_VARIABLE text
                ERROR_VARIABLE text WORKING_DIRECTORY ${work})
expect("${result} ${text}" "^1 .*gap 1|^1 .*python3" "a filter that is not completed")
set(documents CHANGELOG.md LICENSE copyright configs.md planner/index.html lab/index.html)
if(NOT BUILD_DIR)  # as run_all.sh package makes it
  list(APPEND documents REPORT.html)
endif()
foreach(file ${documents})
  if(NOT EXISTS ${moved}/share/doc/bloomlab/${file})
    fail("share/doc/bloomlab/ lacks ${file}")
  endif()
endforeach()
file(REMOVE_RECURSE ${work})
