# Packages for people without a compiler, written by `cpack` and tried by `./run_all.sh package`: a
# .deb, and a .tar.gz that runs from any folder. Both hold the program and its shared libraries, but
# for those of C and C++: of Debian 12's, Debian 13 has neither libbenchmark1debian nor libbloom1.

install(RUNTIME_DEPENDENCY_SET bloomlab_needs
  PRE_EXCLUDE_REGEXES "^(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+))\\.so"
  LIBRARY DESTINATION ${program_libraries} COMPONENT standalone EXCLUDE_FROM_ALL)

# Who hands out the libraries, and what the headers of others became, hands out their licences.
set(copyright "${PROJECT_BINARY_DIR}/copyright")
install(CODE "file(READ \"${PROJECT_SOURCE_DIR}/LICENSE\" text)
  foreach(package IN ITEMS libcli11-dev nlohmann-json3-dev libeigen3-dev libboost-dev libxxhash-dev
                           libbloom-dev libhwy-dev libmd4c-dev libssl-dev libsqlite3-dev zlib1g-dev libbenchmark-dev)
    file(READ \"/usr/share/doc/\${package}/copyright\" theirs)
    string(APPEND text \"\\n\\n======== It holds parts of \${package} ========\\n\\n\" \"\${theirs}\")
  endforeach()
  file(WRITE \"${copyright}\" \"\${text}\")" COMPONENT standalone EXCLUDE_FROM_ALL)
install(FILES "${copyright}" DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT standalone EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_INSTALL_CMAKE_PROJECTS
  "${PROJECT_BINARY_DIR};${PROJECT_NAME};program;/;${PROJECT_BINARY_DIR};${PROJECT_NAME};standalone;/")
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" system)
set(CPACK_PACKAGE_FILE_NAME "${PROJECT_NAME}-${PROJECT_VERSION}-${system}")
set(CPACK_PACKAGE_CONTACT "The bloomlab developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "laboratory for Bloom filters: measure, compare with theory, choose")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Figures, formulas, and filters of others kept apart; then what some configs and filters take.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, blahtexml, bubblewrap")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "wamerican-huge, python3, g++, default-jdk-headless, nodejs")
include(CPack)
