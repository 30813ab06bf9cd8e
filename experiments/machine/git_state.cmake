# Writes OUTPUT, a source that says which commit of SOURCE_DIR is built, how the working tree
# differs from it, and with which flags the units of the targets core, experiments and foreign are
# compiled, by COMMANDS, the generator's own list. Results and the report are made by the program and
# do not make it dirty.
# OUTPUT is touched only when its content changes. Without git, or outside of a repository of the
# project's own: "unknown".

cmake_minimum_required(VERSION 3.25)
set(paths -- . ":(exclude)results" ":(exclude)REPORT.md")

function(git output)
  execute_process(COMMAND git ${ARGN} WORKING_DIRECTORY "${SOURCE_DIR}"
    OUTPUT_VARIABLE text RESULT_VARIABLE code ERROR_QUIET)
  if(NOT code EQUAL 0)
    set(text "")
  endif()
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

set(commit "unknown")
set(dirty "false")
set(changes "")
git(root rev-parse --show-toplevel)
string(STRIP "${root}" root)
file(REAL_PATH "${SOURCE_DIR}" source_root)
if(root AND root STREQUAL source_root)
  git(commit rev-parse HEAD)
  string(STRIP "${commit}" commit)
  git(status status --porcelain --untracked-files=all ${paths})
  if(NOT commit)
    set(commit "unknown")
  elseif(NOT status STREQUAL "")
    set(dirty "true")
    git(difference diff HEAD ${paths})
    git(untracked ls-files --others --exclude-standard ${paths})
    string(STRIP "${untracked}" untracked)
    string(REPLACE "\n" ";" untracked "${untracked}")
    foreach(file IN LISTS untracked)
      if(EXISTS "${SOURCE_DIR}/${file}")
        file(SHA256 "${SOURCE_DIR}/${file}" digest)
        string(APPEND difference "${file} ${digest}\n")
      endif()
    endforeach()
    string(SHA256 changes "${status}${difference}")
    string(SUBSTRING "${changes}" 0 16 changes)
  endif()
endif()

# The flags of each target that is timed; units of one target with other flags are listed apart.
set(all_flags "")
if(EXISTS "${COMMANDS}")
  foreach(target core experiments foreign)
    file(STRINGS "${COMMANDS}" commands REGEX "\"command\": .*/bloomlab_${target}\\.dir/")
    foreach(command IN LISTS commands)
      string(REGEX MATCHALL " -(O|f|m|g|std=|DNDEBUG)[^ \"]*" flags "${command}")
      string(REPLACE ";" "" flags "${flags}")
      string(STRIP "${flags}" flags)
      if(NOT flags IN_LIST all_flags)
        list(APPEND all_flags "${flags}")
        set(of_${flags} "${target}")
      elseif(NOT of_${flags} MATCHES "${target}$")
        string(APPEND of_${flags} ", ${target}")
      endif()
    endforeach()
  endforeach()
endif()
list(LENGTH all_flags different)
if(different GREATER 1)
  set(listed "")
  foreach(flags IN LISTS all_flags)
    list(APPEND listed "${of_${flags}}: ${flags}")
  endforeach()
  set(all_flags "${listed}")
endif()
list(JOIN all_flags " | " all_flags)

set(text "// Made by experiments/machine/git_state.cmake in every build.
#include \"experiments/machine/build_info.hpp\"

namespace bloomlab::experiments {

const GitState& git_state() {
  static const GitState state{\"${commit}\", ${dirty}, \"${changes}\"};
  return state;
}

const char* flags_as_compiled() { return \"${all_flags}\"; }

}  // namespace bloomlab::experiments
")
set(before "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" before)
endif()
if(NOT before STREQUAL text)
  file(WRITE "${OUTPUT}" "${text}")
endif()
