// The names of Catch2 2 by Catch2 3, which has no single header any more.
#pragma once

#include <catch2/catch_all.hpp>
#include <string>
#include <utility>

namespace Catch {

using Matchers::EndsWith;
using Matchers::Equals;
using Matchers::StartsWith;

inline auto Contains(std::string text) { return Matchers::ContainsSubstring(std::move(text)); }

}  // namespace Catch

using Catch::Approx;
