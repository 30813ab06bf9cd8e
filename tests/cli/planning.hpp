// What the tests of `bloomlab plan` share.
#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command_line.hpp"

namespace bloomlab::tests {

using Json = nlohmann::ordered_json;

/// Without a calibration of the machine that runs the tests.
inline Said plan_says(const std::string& arguments) {
  return shell("XDG_CACHE_HOME=/nonexistent \"$BLOOMLAB\" plan " + arguments);
}

inline Json plan_of(const std::string& arguments) {
  const Said said = plan_says(arguments + " --json");
  INFO(said.err);
  REQUIRE(said.status == 0);
  return Json::parse(said.out);
}

inline void is_refused(const std::string& arguments, const std::string& message) {
  INFO(arguments);
  for (const char* form : {"", " --json"}) {
    const Said said = plan_says(arguments + form);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(said.err == "bloomlab: " + message + "\n");
  }
}

}  // namespace bloomlab::tests
