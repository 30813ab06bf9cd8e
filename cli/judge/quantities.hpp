// n, m, k and p as `bloomlab judge` takes them: one follows from the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "audit/observed.hpp"
#include "cli/arguments.hpp"

namespace bloomlab::cli {

/// n, m and k as far as they are given; the others follow from p.
struct Quantities {
  std::optional<std::uint64_t> n;
  std::optional<std::uint64_t> m;
  std::optional<std::uint64_t> k;
  std::optional<double> p;
};

/// Refuses a filter that is none or has no m, and quantities that it has not: throws
/// record::InputError.
void require_known(const Assignments& given, const std::string& filter);

/// The size of a filter in what its m counts: bits, which may have a unit of memory, or counters,
/// which are no memory. @param unit "bits" or "counters". Throws record::InputError.
[[nodiscard]] std::uint64_t parse_size(std::string_view what, std::string_view text,
                                       std::string_view unit);

/// Takes them out of what is given. Throws record::InputError for what is no such quantity.
/// @param size_unit of m, as parse_size() has it
[[nodiscard]] Quantities take_quantities(Assignments& given, std::string_view size_unit);

/// Fills in n or m, which a standard filter of the rate p has, as `bloomlab plan` does. k follows
/// in any case: the best one. Throws record::InputError where one is missing and does not follow,
/// as for filters with another form of the rate.
void solve(Quantities& quantities, const std::string& filter);

/// How many keys a filter holds by what it reported of absent ones.
struct KeysSeen {
  double share = 0.0;      ///< reported
  std::uint64_t keys = 0;  ///< after which a standard filter reports that share
  /// The same for the 95 % confidence interval of the share (Clopper and Pearson 1934); equal where
  /// the share has no number of queries.
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

/// Throws record::InputError for a share of 0 or 1, of which no number of keys follows.
[[nodiscard]] KeysSeen keys_seen(std::uint64_t m, std::uint64_t k, const audit::Observation& seen);

}  // namespace bloomlab::cli
