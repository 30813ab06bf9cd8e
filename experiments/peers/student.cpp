#include "experiments/peers/student.hpp"

#include "experiments/peers/keyed_peer.hpp"

namespace bloomlab::experiments {

record::Json Student::law() const {
  return {{"kind", "standard"}, {"m", filter_.size()}, {"k", k_}};
}

Student::Student(const PeerSetup& setup)
    : k_(best_probes(setup.bits_per_key)),
      filter_(static_cast<std::size_t>(peer_bits(setup.n, setup.bits_per_key)),
              static_cast<int>(k_)) {}

void Student::insert(const KeyBatch& keys) {
  for_each_key_bytes(keys,
                     [this](const void* key, std::size_t length) { filter_.insert(key, length); });
}

FilterState Student::state() const {
  const std::uint64_t bits = filter_.size();
  const std::uint64_t set = filter_.count();
  return {.bits = bits,
          .bits_set = set,
          .memory_bits = (bits + 63) / 64 * 64,
          .layers = {{bits, set, 0, k_}}};
}

std::unique_ptr<Asker> Student::asker() const {
  return std::make_unique<KeyedAsker<StudentFilter>>(filter_);
}

std::unique_ptr<Deduplicator> Student::deduplicator() {
  return std::make_unique<KeyedDeduplicator<StudentFilter>>(filter_);
}

}  // namespace bloomlab::experiments
