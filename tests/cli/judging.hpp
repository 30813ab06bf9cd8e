// What `bloomlab judge` says, for tests of it.
#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command_line.hpp"

namespace bloomlab::tests {

/// The exit status says whether the requested rate is kept.
inline nlohmann::json judged(const std::string& arguments) {
  const Said said = bloomlab_says("judge " + arguments + " --json");
  INFO(arguments << "\n" << said.err);
  const auto json = nlohmann::json::parse(said.out);
  CHECK(said.status == (json.at("keeps_requested_rate") == false ? 1 : 0));
  return json;
}

/// With what was seen, of which the exit status says whether it is as it should be.
inline nlohmann::json judged_with(const std::string& arguments, int status) {
  const Said said = bloomlab_says("judge " + arguments + " --json");
  INFO(arguments << "\n" << said.out << said.err);
  CHECK(said.status == status);
  return nlohmann::json::parse(said.out);
}

inline void check_refuses(const std::string& arguments, const std::string& message) {
  INFO(arguments);
  const Said said = bloomlab_says("judge " + arguments);
  CHECK(said.status == 2);
  CHECK(said.out.empty());
  CHECK(said.err == "bloomlab: " + message + "\n");
}

}  // namespace bloomlab::tests
