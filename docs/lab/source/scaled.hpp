// A config that takes too long for a page, made smaller: fewer trials, then fewer queries, then
// fewer sizes n; and what was changed.
#pragma once

#include <string>
#include <vector>

#include "experiments/config/config.hpp"
#include "experiments/machine/machine.hpp"
#include "record/json.hpp"

namespace bloomlab::page {

/// A key of the config that was changed.
struct Change {
  std::string key;
  record::Json from;
  record::Json to;
};

/// The smaller config.
struct Scaled {
  record::Json config;
  std::vector<Change> changes;  ///< empty: it is the config as it was
};

/// What a page may take: an address has 32 bits, and a phone has other pages.
inline const experiments::Machine browser{std::uint64_t{1} << 30, "a page in a browser has"};

/// The config with at least three trials, 10^4 queries and one n as far as it has them, whose
/// estimate is at most `seconds` where that can be had so. What it expects to be flagged is left
/// out of a smaller one, since fewer counts see less. Throws record::InputError where no n is left
/// that a page can measure.
[[nodiscard]] Scaled scaled(record::Json config, const std::string& path, double seconds);

}  // namespace bloomlab::page
