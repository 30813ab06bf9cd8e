# cmake -DOUTPUT=index.html -DPAGE=page.html -DSTYLES=a.css;b.css -DSCRIPTS=a.js;b.js
#   -DDATA=a.json;b.json -DMODULE=planner.js -DVERSION=1.2.3 -P assemble.cmake
# Puts style, module and script into the page, and data as one object by the files' names. Whatever
# a part holds, it is put in as it is.

cmake_policy(VERSION 3.25)

foreach(path IN LISTS SCRIPTS)
  file(READ "${path}" text)
  string(APPEND scripts "${text}")
endforeach()
foreach(path IN LISTS STYLES)
  file(READ "${path}" text)
  string(APPEND style "${text}")
endforeach()
foreach(path IN LISTS DATA)
  file(READ "${path}" text)
  get_filename_component(name "${path}" NAME)
  string(STRIP "${text}" text)
  string(APPEND data "${comma}\"${name}\": ${text}")
  set(comma ",\n")
endforeach()
set(data "{${data}}")
file(READ "${PAGE}" page)
file(READ "${MODULE}" module)
set(script "(() => {\n\"use strict\";\n${scripts}})();")

string(REPLACE "@VERSION@" "${VERSION}" page "${page}")
foreach(part style data module script)
  string(TOUPPER "@${part}@" mark)
  string(STRIP "${${part}}" text)
  string(REPLACE "${mark}" "${text}" page "${page}")
endforeach()
file(WRITE "${OUTPUT}" "${page}")
