# cmake -DOUTPUT=index.html -DSOURCE=folder -DMODULE=planner.js -DVERSION=1.2.3 -P assemble.cmake
# Puts style, module and script into the page. Whatever a part holds, it is put in as it is.

cmake_policy(VERSION 3.25)

foreach(script fields.js plot.js table.js background.js page.js)
  file(READ "${SOURCE}/${script}" text)
  string(APPEND scripts "${text}")
endforeach()
file(READ "${SOURCE}/page.html" page)
file(READ "${SOURCE}/page.css" style)
file(READ "${MODULE}" module)
set(script "(() => {\n\"use strict\";\n${scripts}})();")

string(REPLACE "@VERSION@" "${VERSION}" page "${page}")
foreach(part style module script)
  string(TOUPPER "@${part}@" mark)
  string(STRIP "${${part}}" text)
  string(REPLACE "${mark}" "${text}" page "${page}")
endforeach()
file(WRITE "${OUTPUT}" "${page}")
