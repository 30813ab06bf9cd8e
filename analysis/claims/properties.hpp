// Behaviours that claims name, each seen on real filters in memory, with fixed keys and seeds.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bloomlab::analysis::claims {

/// What was seen of a behaviour.
struct Observed {
  bool holds = false;
  std::string seen;  ///< the numbers that say so, in a few words
};

/// A behaviour. `observe` takes milliseconds and gives the same every time.
struct Property {
  std::string_view name;
  Observed (*observe)();
};

/// All of them. docs/claims.md says what each means.
[[nodiscard]] std::span<const Property> properties();

}  // namespace bloomlab::analysis::claims
