// What a filter said of the keys of a stream, against what they are.
#pragma once

#include <cstdint>
#include <span>

#include "core/answer.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// Counts of a stream whose distinct keys are known. No key is kept: the stream itself says which
/// of its keys are new.
class StreamCounts {
 public:
  /// Adds some keys: what was said of each, and 1 for those that are new, 0 for the others.
  void add(std::span<const Answer> known, std::span<const std::uint8_t> is_new) noexcept;

  /// {"true_positives", "false_negatives", "false_positives", "true_negatives"} for a stream of
  /// which `distinct` keys were new and `repeated` came before. Throws std::runtime_error where one
  /// that came before was taken for new.
  [[nodiscard]] record::Json json(std::uint64_t distinct, std::uint64_t repeated) const;

 private:
  std::uint64_t reported_ = 0;      ///< keys taken for seen before
  std::uint64_t reported_new_ = 0;  ///< new ones among them
};

}  // namespace bloomlab::experiments
