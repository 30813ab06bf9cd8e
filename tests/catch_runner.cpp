#define CATCH_CONFIG_RUNNER
#include "tests/catch_runner.hpp"

#include <catch2/catch.hpp>
#include <iostream>

namespace bloomlab::tests {
namespace {

bool skipped = false;

}  // namespace

void skip(std::string_view why) {
  std::cout << "skipped: " << why << '\n';
  skipped = true;
  SUCCEED("skipped");  // no test without an assertion, but for this
}

int run_all(int argc, char** argv) {
  Catch::Session session;
  if (const int fault = session.applyCommandLine(argc, argv); fault != 0) return fault;
  auto& warnings = session.configData().warnings;
  warnings = static_cast<Catch::WarnAbout::What>(warnings | Catch::WarnAbout::NoAssertions);
  const int status = session.run();
  return status == 0 && skipped ? skipped_status : status;
}

}  // namespace bloomlab::tests
