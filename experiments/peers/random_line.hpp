// The machine's own limit: random cache lines, with nothing to be hashed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "experiments/peers/limits.hpp"

namespace bloomlab::experiments {

/// Takes the keys themselves, which are uniform numbers, in place of a hash. Only keys of 8 bytes;
/// others are refused with std::invalid_argument.
class RandomLine final : public PeerImplementation {
 public:
  static constexpr std::string_view name = "random_line";
  static constexpr std::string_view summary =
      "no filter, no hash: touch the cache line that a uniform key names itself";
  static constexpr std::string_view source = "own";
  static constexpr bool tuned = true;
  static constexpr bool key_by_key = false;
  [[nodiscard]] static record::Json law() { return nullptr; }
  explicit RandomLine(const PeerSetup& setup);

  void insert(const KeyBatch& keys) override;
  FilterState state() const override { return lines_.state(); }
  void tune(const BatchTuning& tuning) override { lines_.tune(tuning); }
  std::optional<BatchTuning> tuning() const override { return lines_.tuning(); }
  std::unique_ptr<Asker> asker() const override;

 private:
  TouchedLines lines_;
};

}  // namespace bloomlab::experiments
