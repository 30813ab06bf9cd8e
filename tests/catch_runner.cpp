#define CATCH_CONFIG_RUNNER
#include "tests/catch_runner.hpp"

#include <catch2/catch.hpp>

namespace bloomlab::tests {

int run_all(int argc, char** argv) { return Catch::Session().run(argc, argv); }

}  // namespace bloomlab::tests
