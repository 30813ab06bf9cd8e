// n, m, k and p as `bloomlab judge` takes them: one follows from the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"

namespace bloomlab::cli {

/// n, m and k as far as they are given; the others follow from p.
struct Quantities {
  std::optional<std::uint64_t> n;
  std::optional<std::uint64_t> m;
  std::optional<std::uint64_t> k;
  std::optional<double> p;
};

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

}  // namespace bloomlab::cli
