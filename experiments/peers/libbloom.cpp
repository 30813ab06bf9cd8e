#include "experiments/peers/libbloom.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

#include "experiments/peers/keyed_peer.hpp"

#if defined(BLOOMLAB_HAS_LIBBLOOM)
#include <bloom.h>

#include <bit>
#endif

namespace bloomlab::experiments {

#if defined(BLOOMLAB_HAS_LIBBLOOM)

/// Its C structure with an owner.
class Libbloom::Filter {
 public:
  explicit Filter(const PeerSetup& setup) {
    // It makes log(1 / rate) / (ln 2)^2 bits per key.
    constexpr double ln_2_squared = 0.480453013918201424;
    const double rate = std::exp(-ln_2_squared * setup.bits_per_key);
    constexpr auto most_keys = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
    if (setup.n > most_keys || peer_bits(setup.n, setup.bits_per_key) > most_keys ||
        bloom_init(&bloom_, static_cast<int>(setup.n), rate) != 0) {
      throw std::runtime_error("libbloom: refuses n = " + std::to_string(setup.n) +
                               "; it takes at least 1000 keys and less than 2^31 bits");
    }
  }
  ~Filter() { bloom_free(&bloom_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  void insert(const void* key, std::size_t length) {
    bloom_add(&bloom_, key, static_cast<int>(length));
  }
  [[nodiscard]] bool contains(const void* key, std::size_t length) const {
    return bloom_check(&bloom_, key, static_cast<int>(length)) == 1;
  }
  [[nodiscard]] std::uint64_t bits() const { return static_cast<std::uint64_t>(bloom_.bits); }
  [[nodiscard]] std::uint64_t probes() const { return static_cast<std::uint64_t>(bloom_.hashes); }
  [[nodiscard]] std::uint64_t bytes() const { return static_cast<std::uint64_t>(bloom_.bytes); }
  [[nodiscard]] std::uint64_t bits_set() const {
    std::uint64_t set = 0;
    for (decltype(bloom_.bytes) i = 0; i < bloom_.bytes; ++i) {
      set += static_cast<std::uint64_t>(std::popcount(bloom_.bf[i]));
    }
    return set;
  }

 private:
  mutable struct bloom bloom_ {};  // the library asks for a pointer that may write, and only reads
};

#else

class Libbloom::Filter {
 public:
  explicit Filter(const PeerSetup& /*setup*/) {
    throw std::runtime_error(
        "libbloom: this build has none; install libbloom-dev and configure again");
  }
  void insert(const void* /*key*/, std::size_t /*length*/) {}
  [[nodiscard]] bool contains(const void* /*key*/, std::size_t /*length*/) const { return false; }
  [[nodiscard]] std::uint64_t bits() const { return 0; }
  [[nodiscard]] std::uint64_t probes() const { return 0; }
  [[nodiscard]] std::uint64_t bytes() const { return 0; }
  [[nodiscard]] std::uint64_t bits_set() const { return 0; }
};

#endif

Libbloom::Libbloom(const PeerSetup& setup) : filter_(std::make_unique<Filter>(setup)) {}
Libbloom::~Libbloom() = default;

record::Json Libbloom::law() const {
  return {{"kind", "standard"}, {"m", filter_->bits()}, {"k", filter_->probes()}};
}

void Libbloom::insert(const KeyBatch& keys) {
  for_each_key_bytes(keys,
                     [this](const void* key, std::size_t length) { filter_->insert(key, length); });
}

FilterState Libbloom::state() const {
  const std::uint64_t set = filter_->bits_set();
  return {.bits = filter_->bits(),
          .bits_set = set,
          .memory_bits = 8 * filter_->bytes(),
          .layers = {{filter_->bits(), set, 0, filter_->probes()}}};
}

std::unique_ptr<Asker> Libbloom::asker() const {
  return std::make_unique<KeyedAsker<Filter>>(*filter_);
}

std::unique_ptr<Deduplicator> Libbloom::deduplicator() {
  return std::make_unique<KeyedDeduplicator<Filter>>(*filter_);
}

}  // namespace bloomlab::experiments
