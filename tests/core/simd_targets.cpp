// The choice of instructions for the vector kernels.

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/simd/targets.hpp"

namespace bloomlab::simd {

TEST_CASE("every processor has a target, and kernels use the best", "[core][simd]") {
  const std::vector<std::string> targets = available_targets();
  REQUIRE_FALSE(targets.empty());
  CHECK(chosen_target() == targets.front());
}

TEST_CASE("a forced target is the only one while it lives", "[core][simd]") {
  const std::vector<std::string> before = available_targets();
  for (const std::string& name : before) {
    const ForcedTarget forced(name);
    CHECK(chosen_target() == name);
    CHECK(available_targets() == std::vector<std::string>{name});
  }
  CHECK(available_targets() == before);
}

TEST_CASE("an unknown target is refused with the known ones named", "[core][simd]") {
  const std::vector<std::string> targets = available_targets();
  std::string known;
  for (const std::string& name : targets) known += (known.empty() ? "" : ", ") + name;
  CHECK_THROWS_WITH(ForcedTarget("ABACUS"),
                    "unknown target \"ABACUS\"; this processor has " + known);
  CHECK(available_targets() == targets);
}

}  // namespace bloomlab::simd
