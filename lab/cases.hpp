// What a student's filter is tried with: the cases that every `lab check` has, and those of a
// lecturer's file.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/theory/query.hpp"
#include "foreign/target.hpp"

namespace bloomlab::lab {

/// One filter to make, fill and look up.
struct Case {
  std::string name = {};           ///< of a lecturer's case; empty: said by its numbers
  bool texts = false;              ///< keys of many lengths; else 64-bit integers
  std::uint64_t n = 10'000;        ///< distinct keys to insert
  double bits_per_key = 10.0;      ///< of the filter, or of its first layer
  std::optional<double> fpr = {};  ///< rate at which a layer is full; nothing: it does not grow
  std::uint64_t queries = 50'000;  ///< lookups of absent keys

  /// Bits of the filter, or of its first layer.
  [[nodiscard]] std::uint64_t bits() const;
  /// The closed form that predicts it with k hash functions.
  [[nodiscard]] theory::Query prediction(std::uint64_t k) const;
};

/// Bits that a filter may take for each bit that it says: some keep a byte for a bit.
inline constexpr double taken_bits = 8.0;

/// Two cases that differ in the memory that a filter needs: with a tenth of `n` keys and with all.
/// As many calls and keys go through both, so that a run time's garbage is alike. Few bits per key,
/// so that what keeps the keys stands out.
[[nodiscard]] std::array<Case, 2> weighed_cases(std::uint64_t n);

/// Cases with what is common to them.
struct CaseBook {
  std::uint64_t seed = 1;  ///< of keys and filters: equal for all submissions
  foreign::Limits limits = {.seconds = 20.0, .memory_mib = 1024};
  /// What a filter and its compiler are kept from.
  foreign::Isolation isolation = {.hides_home = true, .writes_folder = true};
  std::vector<Case> cases = {};
};

/// The cases of `lab check`.
[[nodiscard]] CaseBook given_cases();

/// The cases of `lab check` and behind them those of a lecturer's file (docs/lab_handbook.md),
/// whose seed and limits hold where it has them. Throws record::InputError.
[[nodiscard]] CaseBook with_cases_of(const std::filesystem::path& file);

}  // namespace bloomlab::lab
