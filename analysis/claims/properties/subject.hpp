// What the properties share: keys that are numbers, their digests, and the probe of the filters.
#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "core/catalogue.hpp"
#include "core/hash/hasher.hpp"
#include "core/keys/key_batch.hpp"

namespace bloomlab::analysis::claims {

/// Independent positions, so that closed forms hold.
inline Probe ideal_probe() { return Probe::of<Independent, MultiplyShift>(); }

/// Digests of the keys first .. first + count - 1, for k independent probes.
class NumberedKeys {
 public:
  NumberedKeys(std::uint64_t first, std::uint64_t count, int k, std::uint64_t seed = 1)
      : keys_(count) {
    std::iota(keys_.begin(), keys_.end(), first);
    digests_ = Hasher::of<XxHash3_64>().digest(KeyBatch::integers(keys_, 8), seed,
                                               ideal_probe().need(k), buffer_);
  }
  NumberedKeys(const NumberedKeys&) = delete;
  NumberedKeys& operator=(const NumberedKeys&) = delete;

  [[nodiscard]] const DigestBatch& digests() const { return digests_; }

 private:
  std::vector<std::uint64_t> keys_;
  DigestBuffer buffer_;
  DigestBatch digests_;
};

/// "12 of 34 what".
inline std::string share_text(std::uint64_t part, std::uint64_t whole, const std::string& what) {
  std::string text = std::to_string(part);
  return text.append(" of ").append(std::to_string(whole)).append(" ").append(what);
}

}  // namespace bloomlab::analysis::claims
