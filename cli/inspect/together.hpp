// What several saved filters tell together: their union, their intersection, the keys in more than
// one, and how many absent keys they report where they are looked up in turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/inspect/input.hpp"
#include "formats/inspection.hpp"
#include "formats/joined.hpp"
#include "record/json.hpp"

namespace bloomlab::cli {

struct NamedFilter {
  std::string name;
  std::string short_name;  ///< for a table
  const formats::Inspection* told;
};

struct Together {
  std::vector<NamedFilter> filters = {};
  std::vector<std::string> apart = {};  ///< why they cannot be merged, a line each
  std::uint64_t m = 0;                  ///< of the smallest, to which the others are folded
  std::uint64_t folded = 0;             ///< how many are
  std::optional<formats::Joined> joined = std::nullopt;  ///< where they can be merged
  std::optional<formats::Inspection> merged = std::nullopt, common = std::nullopt;
  std::optional<double> any = std::nullopt, all = std::nullopt;  ///< report an absent key
  bool any_is_exact = false;  ///< of these very bits, else of independent ones
  bool all_is_exact = false;
};

/// What the files' filters are together; nothing for fewer than two. The files outlive it.
/// @param format as they were read   @param p the rate that the union shall not exceed
[[nodiscard]] std::optional<Together> together_of(const std::vector<InspectedFile>& files,
                                                  const std::string& format,
                                                  std::optional<double> p);

[[nodiscard]] record::Json together_json(const Together& together);

/// A line for each of the first filters, and the first of their faults.
[[nodiscard]] std::string rows_text(const Together& together);
/// @param most_reasons at most so many lines of why they cannot be merged
[[nodiscard]] std::string together_text(const Together& together, std::size_t most_reasons);

/// Where the union, or the intersection, or a filter of keys is saved.
struct SaveTarget {
  std::string path;
  bool intersection = false;
  bool force = false;  ///< replaces another file
  std::string option = "--write";
  std::string inputs = "one of the filters";  ///< what each file is that is read
};

/// Throws InputError where the path is one of the files that are read, or stands for what is no
/// file.
void check_target(const SaveTarget& target, const std::vector<std::string>& files);
/// Writes the bytes whole or not at all. Throws InputError where another file stands there, and
/// RunError.
void save_bytes(const SaveTarget& target, std::span<const std::byte> bytes);
/// Saves it in the filters' format, whole or not at all. Throws InputError where there is none or
/// another file stands there, and RunError.
void save_together(const SaveTarget& target, const std::optional<Together>& together);

/// "1 000 000"; ", 95 % confidence interval 980 to 1012"; the estimate and its interval.
[[nodiscard]] std::string rounded_text(double keys);
[[nodiscard]] std::string interval_text(const KeyEstimate& keys);
[[nodiscard]] record::Json keys_json(const std::optional<KeyEstimate>& keys);

}  // namespace bloomlab::cli
