#include "experiments/peers/boost_bloom.hpp"

#include <stdexcept>

#if defined(BLOOMLAB_HAS_BOOST_BLOOM)
#include <algorithm>
#include <bit>
#include <boost/bloom/fast_multiblock32.hpp>
#include <boost/bloom/filter.hpp>
#include <boost/version.hpp>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "core/answer.hpp"
#include "experiments/peers/keyed_peer.hpp"
#endif

namespace bloomlab::experiments {
namespace {

constexpr int classic_probes = 7;

#if defined(BLOOMLAB_HAS_BOOST_BLOOM)

constexpr const char* vectors =
#if defined(__AVX2__)
    "AVX2";
#elif defined(__SSE2__)
    "SSE2";
#elif defined(__ARM_NEON)
    "NEON";
#else
    "none";
#endif

template <class Key>
using Classic = boost::bloom::filter<Key, classic_probes>;
template <class Key>
using BoostMultiblock = boost::bloom::filter<Key, 1, boost::bloom::fast_multiblock32<8>>;

/// The keys of a batch, as the filter's type has them.
template <class Filter>
auto keys_of(const KeyBatch& keys) {
  constexpr bool takes_integers = std::is_same_v<typename Filter::value_type, std::uint64_t>;
  if (keys.size() > 0 && keys.holds_integers() != takes_integers) {
    throw std::invalid_argument(std::string("this filter of Boost.Bloom is made for ") +
                                (takes_integers ? "integers" : "texts"));
  }
  if constexpr (takes_integers) {
    return keys.values();
  } else {
    return keys.texts();
  }
}

template <class Filter>
class BoostAsker final : public Asker {
 public:
  BoostAsker(const Filter& filter, std::size_t keys_per_call)
      : filter_(filter), keys_per_call_(keys_per_call) {}

  std::uint64_t count_contained(const KeyBatch& batch) override {
    const auto keys = keys_of<Filter>(batch);
    std::uint64_t count = 0;
    if (keys_per_call_ == 1) {
      for (const auto& key : keys) count += filter_.may_contain(key) ? 1 : 0;
    } else if (keys_per_call_ == 0) {
      filter_.may_contain(keys.begin(), keys.end(),
                          [&](const auto&, bool reported) { count += reported ? 1 : 0; });
    } else {
      for_each_span(keys, keys_per_call_, [&](const auto& call) { count += count_by_call(call); });
    }
    return count;
  }
  /// The library mixes what its hash yields within the lookup.
  std::uint64_t only_hash(const KeyBatch& keys) override {
    std::uint64_t fold = 0;
    for (const auto& key : keys_of<Filter>(keys)) fold ^= filter_.hash_function()(key);
    return fold == 0 ? 1 : 0;
  }

 private:
  /// Writes the answers of one call and counts them, as the caller of KeyedFilter does.
  std::uint64_t count_by_call(const auto& keys) {
    answers_.resize(keys.size());
    Answer* next = answers_.data();
    filter_.may_contain(keys.begin(), keys.end(), [&](const auto&, bool reported) {
      *next++ = reported ? Answer::maybe : Answer::absent;
    });
    return static_cast<std::uint64_t>(std::ranges::count(answers_, Answer::maybe));
  }

  const Filter& filter_;
  std::size_t keys_per_call_;
  std::vector<Answer> answers_;
};

template <class Filter>
class BoostFilter final : public Implementation {
 public:
  BoostFilter(const PeerSetup& setup, std::uint64_t probes)
      : filter_(static_cast<std::size_t>(peer_bits(setup.n, setup.bits_per_key))),
        probes_(probes),
        keys_per_call_(setup.keys_per_call.value_or(0)) {}

  void insert(const KeyBatch& batch) override {
    const auto keys = keys_of<Filter>(batch);
    if (keys_per_call_ == 1) {
      for (const auto& key : keys) filter_.insert(key);
    } else {
      for_each_span(keys, keys_per_call_ == 0 ? keys.size() : keys_per_call_,
                    [this](const auto& call) { filter_.insert(call.begin(), call.end()); });
    }
  }
  std::uint64_t count_contained(const KeyBatch& keys) override {
    return asker()->count_contained(keys);
  }
  FilterState state() const override {
    std::uint64_t set = 0;
    for (const unsigned char byte : filter_.array()) {
      set += static_cast<std::uint64_t>(std::popcount(byte));
    }
    const std::uint64_t bits = filter_.capacity();
    return {
        .bits = bits, .bits_set = set, .memory_bits = bits, .layers = {{bits, set, 0, probes_}}};
  }
  bool grows() const noexcept override { return false; }
  std::unique_ptr<Asker> asker() const override {
    return std::make_unique<BoostAsker<Filter>>(filter_, keys_per_call_);
  }

 private:
  Filter filter_;
  std::uint64_t probes_;
  std::size_t keys_per_call_;  ///< 0: as many as there are
};

template <template <class> class Filter>
std::unique_ptr<Implementation> made(const PeerSetup& setup, std::uint64_t probes) {
  if (setup.texts) {
    return std::make_unique<BoostFilter<Filter<std::string_view>>>(setup, probes);
  }
  return std::make_unique<BoostFilter<Filter<std::uint64_t>>>(setup, probes);
}

#else

template <class>
struct Classic {};
template <class>
struct BoostMultiblock {};

template <template <class> class>
std::unique_ptr<Implementation> made(const PeerSetup& /*setup*/, std::uint64_t /*probes*/) {
  throw std::runtime_error(
      "Boost.Bloom: this build has none; install Boost 1.90 or later, or configure with "
      "BLOOMLAB_BOOST_BLOOM_DIR");
}

#endif

}  // namespace

record::Json BoostBloomPeer::built_as() {
#if defined(BLOOMLAB_HAS_BOOST_BLOOM)
  return {{"version", "Boost " + std::to_string(BOOST_VERSION / 100000) + "." +
                          std::to_string(BOOST_VERSION / 100 % 1000)},
          {"flags", std::string("those of this program; vectors: ") + vectors},
          {"batch", "bulk"},
          {"pages", "huge"}};
#else
  return record::Json::object();
#endif
}

BoostBloom::BoostBloom(const PeerSetup& setup)
    : BoostBloomPeer(made<Classic>(setup, classic_probes)) {}

record::Json BoostBloom::law() const {
  return {{"kind", "standard"}, {"m", state().bits}, {"k", classic_probes}};
}

BoostBloomMultiblock::BoostBloomMultiblock(const PeerSetup& setup)
    : BoostBloomPeer(made<BoostMultiblock>(setup, 8)) {}

record::Json BoostBloomMultiblock::law() const {
  return {{"kind", "split_block"}, {"m", state().bits}};
}

}  // namespace bloomlab::experiments
