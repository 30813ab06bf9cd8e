# Installs the headers of the core, or those of LAB_HEADERS. They include each other as
# <bloomlab/core/...> there, so that no folder `core` of a program is taken for ours. Run by
# `cmake --install`, with SOURCE_DIR and INCLUDE_DIR.

set(target "$ENV{DESTDIR}${INCLUDE_DIR}/bloomlab")
file(GLOB_RECURSE headers RELATIVE "${SOURCE_DIR}" "${SOURCE_DIR}/core/*.hpp")
list(FILTER headers EXCLUDE REGEX "/detail/|-inl\\.hpp$")
if(LAB_HEADERS)
  set(headers ${LAB_HEADERS})
endif()
foreach(header IN LISTS headers)
  file(READ "${SOURCE_DIR}/${header}" text)
  string(REGEX REPLACE "#include \"((core|cli|experiments)/[^\"]+)\"" "#include <bloomlab/\\1>" text "${text}")
  file(CONFIGURE OUTPUT "${target}/${header}" CONTENT "${text}" @ONLY)
endforeach()
list(LENGTH headers count)
message(STATUS "Installing: ${count} headers below ${target}")
