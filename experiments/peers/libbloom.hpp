// Debian's libbloom as a peer.
// Source: Jyri J. Virkki, libbloom, https://github.com/jvirkki/libbloom (package libbloom-dev).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "experiments/peers/peer.hpp"

namespace bloomlab::experiments {

/// It takes a number of keys and a rate, from which it derives bits per key and probes; the rate is
/// chosen so that it has the bits per key that are asked for. Its positions step evenly (double
/// hashing with two hashes of 32 bits), its sizes are below 2^31.
class Libbloom final : public PeerImplementation {
 public:
  static constexpr std::string_view name = "libbloom";
  static constexpr std::string_view summary = "the classic filter of Debian's libbloom";
  static constexpr std::string_view source = "Virkki, libbloom (Debian's libbloom-dev)";
#if defined(BLOOMLAB_HAS_LIBBLOOM)
  static constexpr bool available = true;
#else
  static constexpr bool available = false;
#endif
  static constexpr std::string_view sized_as = "standard";
  [[nodiscard]] record::Json law() const;
  /// Throws std::runtime_error where the build has no libbloom, or it refuses the size.
  explicit Libbloom(const PeerSetup& setup);
  ~Libbloom() override;

  void insert(const KeyBatch& keys) override;
  FilterState state() const override;
  std::unique_ptr<Asker> asker() const override;
  std::unique_ptr<Deduplicator> deduplicator() override;

 private:
  class Filter;
  std::unique_ptr<Filter> filter_;
};

}  // namespace bloomlab::experiments
