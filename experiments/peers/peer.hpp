// Peers: what filters are timed beside and what is no filter of the catalogue. Limits, that do as
// little as any filter must; and filters of others.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/hash/hasher.hpp"
#include "experiments/cells/implementation.hpp"
#include "foreign/target.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// What a peer is made for.
struct PeerSetup {
  std::uint64_t n = 0;          ///< keys that will be inserted, >= 1
  double bits_per_key = 0.0;    ///< memory to take, >= 1
  Hasher hasher;                ///< for those that take a hash
  std::uint64_t seed = 0;       ///< of that hash
  foreign::Target target = {};  ///< of a filter from outside
  bool texts = false;           ///< keys are texts, for those whose type says it
  /// Keys of one call, for those that take several; none: as many as there are.
  std::optional<std::size_t> keys_per_call = {};
};

/// An implementation that describes itself: `available` is false where this build has no such peer,
/// and making it then throws std::runtime_error; `filled_by_threads` says whether it has
/// insert_by_threads(), `tuned` whether tune() does anything, `key_by_key` whether it takes one key
/// at a time however many there are, or as many as `keys_per_call` says; `law` is the filter of the
/// catalogue whose closed form predicts it, as the cell of a config has it, or null where it is no
/// filter. One that is compiled with a single hash of the catalogue may name it as `compiled_hash`;
/// another one is then refused. `sized_as` names the filter whose bits per key it is given where a
/// rate is asked for; it is empty where the peer has no deduplicator(), which alone is asked so.
/// One that is compiled from another library may say by `built_as()` what provenance.speed.peers
/// (docs/bench.md) holds of it.
template <class P>
concept Peer = std::derived_from<P, Implementation> &&
    requires(const PeerSetup& setup, const P& peer) {
  { P::name } -> std::convertible_to<std::string_view>;
  { P::summary } -> std::convertible_to<std::string_view>;
  { P::source } -> std::convertible_to<std::string_view>;
  { P::available } -> std::convertible_to<bool>;
  { P::sized_as } -> std::convertible_to<std::string_view>;
  { P::filled_by_threads } -> std::convertible_to<bool>;
  { P::tuned } -> std::convertible_to<bool>;
  { P::key_by_key } -> std::convertible_to<bool>;
  { peer.law() } -> std::convertible_to<record::Json>;
  P(setup);
};

/// What most peers have in common, to be hidden where one differs: it is in every build, is filled
/// by one thread and key by key, does not deduplicate, is not tuned and does not grow.
class PeerImplementation : public Implementation {
 public:
  static constexpr bool available = true;
  static constexpr std::string_view sized_as = "";
  static constexpr bool filled_by_threads = false;
  static constexpr bool tuned = false;
  static constexpr bool key_by_key = true;

  std::uint64_t count_contained(const KeyBatch& keys) override {
    return asker()->count_contained(keys);
  }
  bool grows() const noexcept override { return false; }
};

/// ceil(bits_per_key n), the bits of a filter.
[[nodiscard]] std::uint64_t peer_bits(std::uint64_t n, double bits_per_key);
/// The probes that a filter of so many bits per key does best with: ln 2 times them, rounded, 1 ..
/// max_probes.
[[nodiscard]] std::uint64_t best_probes(double bits_per_key);

}  // namespace bloomlab::experiments
