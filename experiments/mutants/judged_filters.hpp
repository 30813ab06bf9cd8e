// Filters that are not as they are said to be, each by a cause that a judge of counts should name:
// what the experiment `judge_confusion` shows `bloomlab judge`. Sizes, and that of the defect, are
// drawn. Filters are those of the library, with other parameters than said, with the defects of
// this room, or with keys that come otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "experiments/applications/draws.hpp"
#include "experiments/cells/implementation.hpp"

namespace bloomlab::experiments {

/// A filter as it is said to be.
struct SaidFilter {
  std::string_view kind;  ///< standard, partitioned, blocked or split_block
  std::uint64_t m = 1;
  std::uint64_t k = 1;                                  ///< of split_block 8
  std::uint64_t block_bits = 0;                         ///< of blocked; else 0
  std::uint64_t planned = 1;                            ///< keys that it is made for
  std::optional<double> requested_rate = std::nullopt;  ///< that it was sized for
};

/// Which keys come.
struct ComingKeys {
  std::uint64_t per_hundred = 100;  ///< distinct keys that are inserted for 100 that are said
  /// One in so many absent keys differs from an inserted one in its first bit alone; 0: none.
  std::uint64_t twin_in = 0;
};

/// A filter of drawn size, and how it is counted first.
struct JudgedFilter {
  SaidFilter said;
  std::uint64_t n = 1;        ///< keys that are said to be inserted
  std::uint64_t queries = 1;  ///< absent keys
  ComingKeys keys = {};
  /// What it is: a filter for n keys. Throws AllocationError.
  std::function<std::unique_ptr<Implementation>(std::uint64_t n, std::uint64_t hash_seed)> make;
};

/// What is wrong.
struct JudgedDefect {
  std::string_view name;
  /// The class of causes that it belongs to (docs/audit.md): "none" where nothing is wrong,
  /// "unknown" where `bloomlab judge` has no such cause.
  std::string_view cause;
  JudgedFilter (*draw)(KeyedDraws& draws);
};

/// All of them, those first with which nothing is wrong.
[[nodiscard]] std::span<const JudgedDefect> judged_defects();

/// Their names, in the same order.
[[nodiscard]] std::span<const std::string_view> judged_defect_names();

/// Fills such a filter with n keys, as is said, and looks up absent ones. Keys and hash follow from
/// the seed.
/// @return how many of them it reports
[[nodiscard]] std::uint64_t count_reported(const JudgedFilter& filter, std::uint64_t n,
                                           std::uint64_t queries, std::uint64_t seed);

}  // namespace bloomlab::experiments
