# Installation: the library bloomlab::core with its headers and a CMake package, and where they are
# built the program, and the laboratory as a shared library for programs with filters of their own.
# A consumer says
#     find_package(bloomlab REQUIRED)
#     target_link_libraries(mine PRIVATE bloomlab::core)
# and includes <bloomlab/core/keyed_filter.hpp>; or find_package(bloomlab REQUIRED COMPONENTS lab),
# bloomlab::lab and <bloomlab/lab_main.hpp>.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bloomlab)

target_include_directories(bloomlab_core PUBLIC
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# A program is linked with what it uses: most need neither the libraries of rarer hashes nor the
# filters, closed forms and kernels that they do not name.
target_link_options(bloomlab_core INTERFACE
  $<INSTALL_INTERFACE:$<$<PLATFORM_ID:Linux>:-Wl,--as-needed,--gc-sections>>)

install(TARGETS bloomlab_core EXPORT bloomlab_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(CODE "set(SOURCE_DIR \"${PROJECT_SOURCE_DIR}\")
  set(INCLUDE_DIR \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")" COMPONENT library)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake COMPONENT library)
configure_file(${CMAKE_CURRENT_LIST_DIR}/bloomlab.pc.in ${PROJECT_BINARY_DIR}/bloomlab.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/bloomlab.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT library)
install(EXPORT bloomlab_targets NAMESPACE bloomlab:: DESTINATION ${package_dir} COMPONENT library)

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/bloomlab-config.cmake.in ${PROJECT_BINARY_DIR}/bloomlab-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/bloomlab-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bloomlab-config.cmake
  ${PROJECT_BINARY_DIR}/bloomlab-config-version.cmake
  DESTINATION ${package_dir} COMPONENT library)

# What a filter of one's own includes, in C or any language that calls C.
install(FILES ${PROJECT_SOURCE_DIR}/foreign/bloomlab_filter.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)

if(TARGET bloomlab_cli)
  # Where a package brings them (package.cmake) the program finds its shared libraries from any
  # folder, and they find each other: the older of the two tags for a path says so.
  set(program_libraries ${CMAKE_INSTALL_LIBDIR}/bloomlab)
  file(RELATIVE_PATH to_libraries /${CMAKE_INSTALL_BINDIR} /${program_libraries})
  set_target_properties(bloomlab_cli PROPERTIES
    INSTALL_RPATH "$ORIGIN/${to_libraries}" BUILD_WITH_INSTALL_RPATH ON)
  target_link_options(bloomlab_cli PRIVATE $<$<PLATFORM_ID:Linux>:-Wl,--disable-new-dtags>)
  install(TARGETS bloomlab_cli RUNTIME_DEPENDENCY_SET bloomlab_needs
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  install(TARGETS bloomlab_foreign_runner
    RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/bloomlab COMPONENT program)
  install(FILES ${PROJECT_SOURCE_DIR}/foreign/bloomlab_filter.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT program)
  # Not those of filters that are fetched and built in the source tree.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bloomlab COMPONENT program PATTERN wild EXCLUDE)
  # The pages by their folders. The solutions of the lab are the lecturer's to hand out.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program
    FILES_MATCHING PATTERN "*.md" PATTERN index.html
    PATTERN source EXCLUDE PATTERN lab_solutions.md EXCLUDE)
  install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
  # run_all.sh package writes it.
  install(FILES ${PROJECT_BINARY_DIR}/report/REPORT.html
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program OPTIONAL)
  include(${CMAKE_CURRENT_LIST_DIR}/package.cmake)

  # The laboratory in a program of one's own.
  install(TARGETS bloomlab_engine EXPORT bloomlab_lab_targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT lab)
  install(EXPORT bloomlab_lab_targets NAMESPACE bloomlab:: DESTINATION ${package_dir}
    COMPONENT lab)
  install(TARGETS bloomlab_foreign_runner
    RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/bloomlab COMPONENT lab)
  install(CODE "set(LAB_HEADERS cli/lab_main.hpp cli/run_program.hpp experiments/own_filter.hpp
      experiments/own_hash.hpp core/hash/digest_planes.hpp core/hash/hash_operations.hpp
      core/hash/widened_32.hpp core/keys/key_batch.hpp)
    set(SOURCE_DIR \"${PROJECT_SOURCE_DIR}\")
    set(INCLUDE_DIR \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")" COMPONENT lab)
  install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake COMPONENT lab)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/lab_main.hpp
    CONTENT "#pragma once\n#include <bloomlab/cli/lab_main.hpp>\n")
  install(FILES ${PROJECT_BINARY_DIR}/lab_main.hpp
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/bloomlab COMPONENT lab)
endif()

if(BLOOMLAB_BUILD_TESTS)
  set(consumer_flags "")
  if(BLOOMLAB_SANITIZE)
    set(consumer_flags -fsanitize=${BLOOMLAB_SANITIZE})
  endif()
  add_test(NAME "consumer: a program outside builds with the installed library and runs"
    COMMAND ${CMAKE_COMMAND} -D BUILD_DIR=${PROJECT_BINARY_DIR}
      -D SOURCE_DIR=${PROJECT_SOURCE_DIR}/tests/consumer -D CXX=${CMAKE_CXX_COMPILER}
      -D BUILD_TYPE=${CMAKE_BUILD_TYPE} -D FLAGS=${consumer_flags}
      -P ${PROJECT_SOURCE_DIR}/tests/consumer/run.cmake)
  set_tests_properties("consumer: a program outside builds with the installed library and runs"
    PROPERTIES LABELS consumer TIMEOUT 300)
endif()
if(BLOOMLAB_BUILD_TESTS AND TARGET bloomlab_engine)
  set(own_project "own project: the template builds with the installed laboratory, runs, reports")
  add_test(NAME ${own_project}
    COMMAND ${CMAKE_COMMAND} -D BUILD_DIR=${PROJECT_BINARY_DIR} -D SOURCE_DIR=${PROJECT_SOURCE_DIR}
      -D CXX=${CMAKE_CXX_COMPILER} -D BUILD_TYPE=${CMAKE_BUILD_TYPE} -D FLAGS=${consumer_flags}
      -P ${PROJECT_SOURCE_DIR}/tests/own_project/run.cmake)
  set_tests_properties(${own_project} PROPERTIES LABELS consumer TIMEOUT 300)
endif()
if(BLOOMLAB_BUILD_TESTS AND TARGET bloomlab_cli AND NOT BLOOMLAB_SANITIZE)
  set(package "package: unpacked in any folder it measures, reports and judges without the source tree")
  add_test(NAME ${package} COMMAND ${CMAKE_COMMAND} -D BUILD_DIR=${PROJECT_BINARY_DIR}
    -P ${PROJECT_SOURCE_DIR}/tests/consumer/package.cmake)
  set_tests_properties(${package} PROPERTIES LABELS consumer TIMEOUT 300)
endif()
