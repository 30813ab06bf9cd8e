// Questions to the systems in production by name, and their answers, for tests of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "planner/systems/system.hpp"
#include "tests/thrown.hpp"

namespace bloomlab::tests {

using Settings = std::map<std::string, std::string, std::less<>>;

inline planner::SystemRequest request(const char* name, std::optional<std::uint64_t> n,
                                      std::optional<double> p, Settings settings = {}) {
  return {planner::system_called("test", name), n, p, std::move(settings)};
}

inline planner::SystemFilter sized(const char* name, std::uint64_t n, std::optional<double> p,
                                   Settings settings = {}) {
  return planner::system_called("test", name).size(request(name, n, p, std::move(settings)));
}

inline planner::SystemAnswer answered(const char* name, std::uint64_t n, std::optional<double> p,
                                      Settings settings = {}) {
  return planner::answer_of(request(name, n, p, std::move(settings)));
}

inline std::string refusal(const char* name, std::optional<std::uint64_t> n,
                           std::optional<double> p, Settings settings = {}) {
  return thrown([&] { (void)planner::answer_of(request(name, n, p, std::move(settings))); });
}

}  // namespace bloomlab::tests
