# A page in docs/ that computes by the project's own C++, compiled to WebAssembly by em++: one file
# with style, scripts and module, without a network.

find_program(EMXX em++)
if(NOT EMXX)
  message(FATAL_ERROR "BLOOMLAB_BROWSER_PAGES is ON, but em++ was not found. Install it "
    "(apt-get install emscripten), name it with -DEMXX=/path/to/em++, or leave the option OFF: "
    "the pages in docs/ are committed and need no build.")
endif()

# These libraries alone, without the rest of the system's headers, which are not emscripten's.
set(browser_headers "${PROJECT_BINARY_DIR}/browser_headers")
file(MAKE_DIRECTORY "${browser_headers}")
file(CREATE_LINK "${Boost_INCLUDE_DIRS}/boost" "${browser_headers}/boost" SYMBOLIC)
find_path(browser_eigen Eigen/Core PATH_SUFFIXES eigen3 REQUIRED)
file(CREATE_LINK "${browser_eigen}/Eigen" "${browser_headers}/Eigen" SYMBOLIC)
find_path(browser_hwy hwy/highway.h REQUIRED)
file(CREATE_LINK "${browser_hwy}/hwy" "${browser_headers}/hwy" SYMBOLIC)
find_path(browser_json nlohmann/json.hpp REQUIRED)
file(CREATE_LINK "${browser_json}/nlohmann" "${browser_headers}/nlohmann" SYMBOLIC)
find_path(browser_xxhash xxhash.h REQUIRED)
file(CREATE_LINK "${browser_xxhash}/xxhash.h" "${browser_headers}/xxhash.h" SYMBOLIC)

# Adds the target <name>_page, which writes docs/<name>/index.html from docs/<name>/source.
#   PACKED   the WebAssembly stands at @WASM@, as base64 of gzip, for large ones; else in the module
#   UNITS    sources to compile, from the project's root, or generated ones by their whole path
#   COMPILE  flags for compiling them, and LINK for linking; both get BOTH
#   STYLES, SCRIPTS, DATA, STUDIES  files to put in at @STYLE@, @SCRIPT@, @DATA@ and @STUDIES@, from
#            the root, or generated ones by their whole path
function(bloomlab_browser_page name)
  cmake_parse_arguments(PARSE_ARGV 1 page "PACKED" "" "UNITS;COMPILE;LINK;BOTH;STYLES;SCRIPTS;DATA;STUDIES")
  set(source "${PROJECT_SOURCE_DIR}/docs/${name}/source")
  # emscripten's tools find acorn where Debian has it, also where another Node comes first in PATH.
  set(run_em ${CMAKE_COMMAND} -E env "NODE_PATH=/usr/share/nodejs" "${EMXX}")
  # Warnings are the native build's affair: here a size has 32 bits.
  set(flags -std=c++20 ${page_BOTH} ${page_COMPILE} -ffp-contract=off -DNDEBUG -w
    -include "${PROJECT_SOURCE_DIR}/docs/planner/source/library_gaps.hpp"
    "-I${PROJECT_SOURCE_DIR}" -isystem "${browser_headers}"
    "-ffile-prefix-map=${browser_headers}/=" "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
  list(SORT page_UNITS)
  set(objects "")
  foreach(unit IN LISTS page_UNITS)
    cmake_path(ABSOLUTE_PATH unit BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE file)
    string(REPLACE "${PROJECT_BINARY_DIR}/" "" place "${unit}")
    set(object "${CMAKE_CURRENT_BINARY_DIR}/objects/${place}.o")
    get_filename_component(folder "${object}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(OUTPUT "${object}"
      COMMAND ${run_em} ${flags} -MD -MF "${object}.d" -c "${file}" -o "${object}"
      DEPENDS "${file}" DEPFILE "${object}.d"
      COMMENT "em++ ${unit}" VERBATIM)
    list(APPEND objects "${object}")
  endforeach()

  # No dynamic execution: the page's own policy forbids eval, and every request to a network.
  set(module "${CMAKE_CURRENT_BINARY_DIR}/${name}.js")
  set(single -sSINGLE_FILE=1)
  if(page_PACKED)
    set(single -sSINGLE_FILE=0)
  endif()
  add_custom_command(OUTPUT "${module}"
    COMMAND ${run_em} ${page_BOTH} ${objects} -o "${module}" -lembind ${single}
            -sMODULARIZE=1 -sEXPORT_NAME=bloomlab_${name} -sENVIRONMENT=web,worker -sWASM_BIGINT=1
            -sDYNAMIC_EXECUTION=0 -sALLOW_MEMORY_GROWTH=1 ${page_LINK}
    DEPENDS ${objects} COMMENT "Linking docs/${name} as WebAssembly" VERBATIM)
  set(packed "")
  if(page_PACKED)
    set(packed "${CMAKE_CURRENT_BINARY_DIR}/${name}.wasm.txt")
    add_custom_command(OUTPUT "${packed}"
      COMMAND sh -c "gzip -9 -n -c ${name}.wasm | base64 -w 0 > ${packed}"
      DEPENDS "${module}" COMMENT "Packing the WebAssembly of docs/${name}" VERBATIM)
  endif()

  set(written "${PROJECT_SOURCE_DIR}/docs/${name}/index.html")
  set(assemble "${PROJECT_SOURCE_DIR}/docs/planner/source/assemble.cmake")
  foreach(kind STYLES SCRIPTS DATA STUDIES)
    list(TRANSFORM page_${kind} PREPEND "${PROJECT_SOURCE_DIR}/" REGEX "^[^/]")
  endforeach()
  add_custom_command(OUTPUT "${written}"
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${written}" "-DPAGE=${source}/page.html"
            "-DSTYLES=${page_STYLES}" "-DSCRIPTS=${page_SCRIPTS}" "-DDATA=${page_DATA}"
            "-DSTUDIES=${page_STUDIES}" "-DMODULE=${module}" "-DWASM=${packed}"
            "-DVERSION=${PROJECT_VERSION}" -P "${assemble}"
    DEPENDS "${source}/page.html" "${PROJECT_SOURCE_DIR}/docs/planner/source/head.html" ${page_STYLES} ${page_SCRIPTS} ${page_DATA} ${page_STUDIES}
            "${module}" ${packed} "${assemble}"
    COMMENT "Writing docs/${name}/index.html" VERBATIM)
  add_custom_target(${name}_page DEPENDS "${written}")
endfunction()
