# Everything from outside. All of it comes from the distribution's packages; run_all.sh installs
# them on Debian. Header-only libraries are SYSTEM, so that their warnings stay theirs.

find_package(PkgConfig REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(Boost 1.74 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(hwy 1.0.3 REQUIRED)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)

if(BLOOMLAB_BUILD_APP)
  find_package(Threads REQUIRED)
  find_package(nlohmann_json 3.11 REQUIRED)
  find_package(CLI11 2.1 REQUIRED)
  find_package(Eigen3 3.4 REQUIRED NO_MODULE)
  find_package(benchmark 1.7 REQUIRED)
  pkg_check_modules(md4c REQUIRED IMPORTED_TARGET md4c>=0.4)
  find_package(SQLite3 3.39 REQUIRED)
endif()
if(BLOOMLAB_BUILD_TESTS)
  find_package(Catch2 2.13 REQUIRED)
  find_package(valijson REQUIRED)
endif()
