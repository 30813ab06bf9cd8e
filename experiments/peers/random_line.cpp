#include "experiments/peers/random_line.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>

namespace bloomlab::experiments {
namespace {

/// The keys as they are, in place of digests.
std::span<const std::uint64_t> keys_as_digests(const KeyBatch& keys) {
  if (keys.integer_bytes() != 8) {
    throw std::invalid_argument("random_line: takes keys of 8 bytes only, as it hashes nothing");
  }
  return keys.values();
}

/// Asks lines by the keys themselves.
class LineAsker final : public Asker {
 public:
  explicit LineAsker(const TouchedLines& lines) : lines_(lines) {}

  std::uint64_t count_contained(const KeyBatch& keys) override {
    return lines_.count_contained(keys_as_digests(keys));
  }
  std::uint64_t only_hash(const KeyBatch& keys) override {
    const std::span<const std::uint64_t> digests = keys_as_digests(keys);
    return cancels_out({digests.data(), digests.size(), digests.size(), 1});
  }

 private:
  const TouchedLines& lines_;
};

}  // namespace

RandomLine::RandomLine(const PeerSetup& setup)
    : lines_(peer_bits(setup.n, setup.bits_per_key), 1) {}

void RandomLine::insert(const KeyBatch& keys) { lines_.insert(keys_as_digests(keys)); }

std::unique_ptr<Asker> RandomLine::asker() const { return std::make_unique<LineAsker>(lines_); }

}  // namespace bloomlab::experiments
