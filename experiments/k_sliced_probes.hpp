// One probe at a time for those keys of a batch that still need it: the hash and probe stage of the
// k-sliced pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/hash/hasher.hpp"
#include "core/keys/key_batch.hpp"
#include "core/probe/probe.hpp"

namespace bloomlab::experiments {

/// Positions of the keys of a batch, probe by probe. A family of hash functions is evaluated only
/// for the keys asked for; derived positions are made at once for the whole batch.
class ProbeByProbe {
 public:
  /// @param k most probes that will be asked for   @param seed of the hash
  ProbeByProbe(const Hasher& hasher, const Probe& probe, std::uint64_t m, int k,
               std::uint64_t seed);

  /// Keys that a batch should have at most, so that its working storage stays in the nearer caches.
  [[nodiscard]] std::size_t batch_size() const noexcept { return need_.family ? 4096 : 512; }

  /// Turns to a batch; the keys must stay until the next one.
  void start(const KeyBatch& keys);

  /// Probe `i` of the keys whose places in the batch are given: out[j] belongs to places[j]. The
  /// view is valid until the next call. Precondition: 0 <= i < k.
  [[nodiscard]] std::span<const std::uint64_t> positions(int i,
                                                         std::span<const std::uint32_t> places);

 private:
  [[nodiscard]] KeyBatch gather(std::span<const std::uint32_t> places);

  Hasher hasher_;
  Probe probe_;
  std::uint64_t m_;
  int k_;
  DigestNeed need_;
  std::vector<std::uint64_t> seeds_;
  KeyBatch keys_;
  PositionBatch derived_;
  DigestBuffer digests_;
  PositionBuffer derived_positions_;
  std::vector<std::uint64_t> values_;
  std::vector<std::string_view> texts_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> positions_;
};

}  // namespace bloomlab::experiments
