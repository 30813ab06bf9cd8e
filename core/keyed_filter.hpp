// A filter with its hash: what a program that wants a Bloom filter uses.
//
//     #include <bloomlab/core/keyed_filter.hpp>
//
//     bloomlab::KeyedFilter<> seen({.m = 1 << 20, .k = 7});
//     seen.insert("a text");
//     seen.insert(42);
//     if (seen.contains("a text")) { ... }
//
// One key goes from the hash to the bits in code that is inlined into the program. Spans of keys go
// to the vector kernels, several times as fast where a cache does not hold the filter, with the
// same result. Filters and hashes beside the default are included by their own headers.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/answer.hpp"
#include "core/filters/concepts.hpp"
#include "core/filters/one_key.hpp"
#include "core/filters/standard.hpp"
#include "core/hash/hashed_keys.hpp"
#include "core/hash/hasher.hpp"
#include "core/hash/one_key.hpp"
#include "core/hash/xxhash3_64.hpp"
#include "core/keys/key_batch.hpp"
#include "core/keys/seed_family.hpp"
#include "core/probe/one_key.hpp"
#include "core/probe/remix.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/require_places.hpp"

namespace bloomlab {

/// A filter of the catalogue that takes keys: texts (their bytes) or integers (their value as 8
/// little-endian bytes, so that 42, 42u and 42ull are one key, and -1 is 2^64 - 1).
/// Const members may be called by several threads at once.
/// @tparam Hash a hash that mixes, such as XxHash3_64    @tparam Filter such as Standard
/// @tparam Family, Reduction the index derivation; the default stays within 2 % of the rate of
/// ideal probes from m = 1000 on, and vector kernels have it (not used by filters that choose
/// positions themselves)
template <class Hash = XxHash3_64, class Filter = Standard, class Family = Remix,
          class Reduction = MultiplyShift>
requires(Probed<Filter> || SelfPositioned<Filter>) class KeyedFilter {
  static_assert(!Hash::passes_through, "identity is not a hash: choose one that mixes");
  static_assert(!Family::needs_identity, "this family takes no hash: use it through Probe");

 public:
  using Parameters = typename Filter::Parameters;

  /// An empty filter. Throws std::invalid_argument for bad parameters and AllocationError.
  explicit KeyedFilter(const Parameters& parameters, std::uint64_t seed = 0)
      : one_key_hasher_(seed),
        filter_(make_filter(parameters)),
        parameters_(parameters),
        seed_(seed) {
    prepare_for(1);
  }

  /// Inserts a text; true where the filter did not report it before, so that it is new.
  [[gnu::always_inline]] bool insert(std::string_view key) {
    return insert_one(std::as_bytes(std::span(key)));
  }
  /// Inserts an integer; true where it is new.
  template <std::integral Integer>
  [[gnu::always_inline]] bool insert(Integer key) {
    return insert_one(static_cast<std::uint64_t>(key));
  }
  /// Inserts texts, in order. Throws what Filter::insert throws (filters that grow:
  /// std::length_error).
  [[gnu::always_inline]] void insert(std::span<const std::string_view> keys) {
    if (!takes_one || keys.size() > few) return insert_batch(KeyBatch::texts(keys));
    for (const std::string_view key : keys) insert(key);
  }
  /// Inserts integers, in order.
  [[gnu::always_inline]] void insert(std::span<const std::uint64_t> keys) {
    if (!takes_one || keys.size() > few) return insert_batch(KeyBatch::integers(keys, 8));
    for (const std::uint64_t key : keys) insert(key);
  }

  /// Whether a text was inserted: `absent` is certain, `maybe` errs at the filter's rate.
  [[gnu::always_inline]] [[nodiscard]] Verdict contains(std::string_view key) const {
    return Verdict(contains_one(std::as_bytes(std::span(key))));
  }
  /// Whether an integer was inserted.
  template <std::integral Integer>
  [[gnu::always_inline]] [[nodiscard]] Verdict contains(Integer key) const {
    return Verdict(contains_one(static_cast<std::uint64_t>(key)));
  }
  /// The answers for many texts. Throws std::invalid_argument where out.size() != keys.size().
  [[gnu::always_inline]] void contains(std::span<const std::string_view> keys,
                                       std::span<Answer> out) const {
    detail::require_places(keys.size(), out.size());
    if (!answers_one || keys.size() > few) return contains_batch(KeyBatch::texts(keys), out);
    for (std::size_t i = 0; i < keys.size(); ++i) out[i] = contains(keys[i]);
  }
  /// The answers for many integers. Throws std::invalid_argument where out.size() != keys.size().
  [[gnu::always_inline]] void contains(std::span<const std::uint64_t> keys,
                                       std::span<Answer> out) const {
    detail::require_places(keys.size(), out.size());
    if (!answers_one || keys.size() > few) return contains_batch(KeyBatch::integers(keys, 8), out);
    for (std::size_t i = 0; i < keys.size(); ++i) out[i] = contains(keys[i]);
  }

  /// The filter below: its state, its parameters.
  [[nodiscard]] const Filter& filter() const noexcept { return filter_; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
  /// Empty again.
  void clear() noexcept {
    filter_.clear();
    inserted_ = 0;
  }

 private:
  static constexpr std::size_t digest_words = 2048;  // of one chunk, on the stack: 16 KiB

  // Words that the scheme asks for; 0: as many as there are probes.
  static constexpr std::size_t scheme_words() noexcept {
    if (Filter::chooses_positions) return 1;
    return Family::need(1) == Family::need(2) ? static_cast<std::size_t>(Family::need(1).words) : 0;
  }
  static constexpr bool of_family = scheme_words() == 0;

  template <class Key>
  using Positions =
      std::conditional_t<of_family, FamilyKey<Hash, Key, Reduction>,
                         ProbedKey<Family, Reduction, std::max<std::size_t>(1, scheme_words())>>;
  // What the filter is given of a key on the direct path.
  template <class Key>
  using Given = std::conditional_t<Filter::chooses_positions, std::uint64_t, Positions<Key>>;
  static constexpr bool takes_one = TakesOneKey<Filter, Given<std::uint64_t>>;
  static constexpr bool answers_one = AnswersOneKey<Filter, Given<std::uint64_t>>;
  // So many keys are taken one by one: a batch is not worth its start.
  static constexpr std::size_t few = 16;

  template <class Key>
  [[gnu::always_inline]] Given<Key> given(const Key& key) const {
    if constexpr (Filter::chooses_positions) {
      return one_key_hasher_.word(key);
    } else {
      return Given<Key>(one_key_hasher_, key);
    }
  }
  template <class Key>
  [[gnu::always_inline]] bool insert_one(const Key& key) {
    if constexpr (takes_one) {
      if constexpr (of_family) count(1);
      return filter_.insert_one(given(key));
    } else {
      return insert_batch_of_one(key);
    }
  }
  template <class Key>
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(const Key& key) const {
    if constexpr (answers_one) {
      return filter_.contains_one(given(key));
    } else {
      Answer answer;
      with_batch_of_one(key, [&](const KeyBatch& keys) { contains_batch(keys, {&answer, 1}); });
      return answer == Answer::maybe;
    }
  }

  // The way of filters without a direct path.
  template <class Key>
  bool insert_batch_of_one(const Key& key) {
    const bool is_new = !contains_one(key);
    with_batch_of_one(key, [&](const KeyBatch& keys) { insert_batch(keys); });
    return is_new;
  }
  template <class Use>
  static void with_batch_of_one(std::uint64_t key, Use&& use) {
    use(KeyBatch::integers({&key, 1}, 8));
  }
  template <class Use>
  static void with_batch_of_one(std::span<const std::byte> key, Use&& use) {
    const std::string_view text(reinterpret_cast<const char*>(key.data()), key.size());
    use(KeyBatch::texts({&text, 1}));
  }

  // Filters that grow may ask for more words the more keys there are.
  void count(std::uint64_t keys) {
    inserted_ += keys;
    if (inserted_ > horizon_) prepare_for(inserted_);
  }
  void prepare_for(std::uint64_t keys) {
    horizon_ = std::max(keys, 2 * horizon_);
    need_ = filter_need(horizon_);
    one_key_hasher_.prepare(seed_, need_);
    const SeedFamily family(seed_);
    const int seeds = hasher_.seeds_for(need_);
    seeds_.resize(static_cast<std::size_t>(seeds));
    for (int i = 0; i < seeds; ++i) seeds_[static_cast<std::size_t>(i)] = family(i);
  }

  static Filter make_filter(const Parameters& parameters) {
    if constexpr (Probed<Filter>) {
      return Filter(parameters, Probe::of<Family, Reduction>());
    } else {
      return Filter(parameters);
    }
  }

  [[nodiscard]] DigestNeed filter_need([[maybe_unused]] std::uint64_t keys) const {
    if constexpr (Probed<Filter>) {
      return Probe::of<Family, Reduction>().need(Filter::probes(parameters_, keys));
    } else {
      return Filter::need(parameters_);
    }
  }

  template <class Use>
  void for_each_chunk(const KeyBatch& keys, Use&& use) const {
    std::array<std::uint64_t, digest_words> words;
    const auto width = static_cast<std::size_t>(need_.words);
    const std::size_t chunk = std::max<std::size_t>(1, digest_words / width);
    for (std::size_t first = 0; first < keys.size(); first += chunk) {
      const std::size_t count = std::min(chunk, keys.size() - first);
      hasher_.write(keys.slice(first, count), seeds_, need_, {words.data(), count, need_.words});
      use(first, DigestBatch{words.data(), count, count, need_.words});
    }
  }

  void insert_batch(const KeyBatch& keys) {
    count(keys.size());
    if constexpr (TakesStreams<Filter>) {
      const HashedKeys hashed(hasher_, keys, seed_);
      filter_.insert(hashed.stream());
    } else {
      for_each_chunk(keys,
                     [&](std::size_t, const DigestBatch& digests) { filter_.insert(digests); });
    }
  }

  void contains_batch(const KeyBatch& keys, std::span<Answer> out) const {
    if constexpr (TakesStreams<Filter>) {
      const HashedKeys hashed(hasher_, keys, seed_);
      filter_.contains(hashed.stream(), out);
    } else {
      for_each_chunk(keys, [&](std::size_t first, const DigestBatch& digests) {
        filter_.contains(digests, out.subspan(first, digests.size));
      });
    }
  }

  OneKeyHasher<Hash> one_key_hasher_;
  Hasher hasher_ = Hasher::of<Hash>();
  Filter filter_;
  Parameters parameters_;
  std::uint64_t seed_;
  std::uint64_t inserted_ = 0;
  std::uint64_t horizon_ = 0;
  DigestNeed need_;
  std::vector<std::uint64_t> seeds_;
};

}  // namespace bloomlab
