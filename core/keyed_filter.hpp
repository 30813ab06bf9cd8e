// A filter with its hash: what a program that wants a Bloom filter uses.
//
//     #include <bloomlab/core/keyed_filter.hpp>
//
//     bloomlab::KeyedFilter<> seen({.m = 1 << 20, .k = 7});
//     seen.insert("a text");
//     seen.insert(42);
//     if (seen.contains("a text")) { ... }
//
// One key goes from the hash to the bits in code that is inlined into the program, a span of keys
// to the vector kernels, several times as fast where a cache does not hold the filter; the result
// is the same. Filters and hashes beside the default are included by their own headers.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/answer.hpp"
#include "core/filters/built.hpp"
#include "core/filters/capacity.hpp"
#include "core/filters/concepts.hpp"
#include "core/filters/health.hpp"
#include "core/filters/one_key.hpp"
#include "core/filters/standard.hpp"
#include "core/hash/hasher.hpp"
#include "core/hash/multiply_mix_64.hpp"
#include "core/hash/one_key.hpp"
#include "core/hash/xxhash3_64.hpp"
#include "core/hash_stage.hpp"
#include "core/keys/key_batch.hpp"
#include "core/keys/key_form.hpp"
#include "core/parallel/insert_parallel.hpp"
#include "core/probe/one_key.hpp"
#include "core/probe/products.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/refusal.hpp"
#include "core/require_places.hpp"
#include "core/serialization/contents_view.hpp"
#include "core/simd/batch_tuning.hpp"

namespace bloomlab {

/// A filter of the catalogue that takes keys: texts (their bytes) or integers (their value as 8
/// little-endian bytes, so that 42, 42u and 42ull are one key, and -1 is 2^64 - 1).
/// Const members may be called by several threads at once. A filter that was moved from may only be
/// assigned to or destroyed, as every filter and array below it.
/// @tparam Hash a hash that mixes, such as XxHash3_64    @tparam Filter such as Standard
/// @tparam Family, Reduction the hashing scheme and how a word becomes a position; the default
/// stays within 2 % of the rate of ideal probes from m = 1000 on, has vector kernels, and no
/// position waits for the one before (not used by filters that choose positions themselves)
template <class Hash = MultiplyMix64, class Filter = Standard, class Family = Products,
          class Reduction = MultiplyShift>
requires(Probed<Filter> || SelfPositioned<Filter> || Built<Filter>) class KeyedFilter {
  static_assert(!Hash::passes_through, "identity is not a hash: choose one that mixes");
  static_assert(!Family::needs_identity, "this family takes no hash: use it through Probe");

 public:
  using Parameters = typename Filter::Parameters;
  using filter_type = Filter;
  using hash_type = Hash;
  /// What insert() says of one key: of most filters, whether it is new. Filters that refuse keys
  /// (Cuckoo, ScalablePartitioned) say Insertion, which is not to be dropped: a key that was
  /// refused is as absent as one that was never given.
  using Inserted = std::conditional_t<RefusesKeys<Filter>, Insertion, bool>;
  /// What insert() says of many keys: nothing, or how many were refused.
  using InsertedMany = std::conditional_t<RefusesKeys<Filter>, RefusedKeys, void>;

  /// Its rate after n distinct keys is at most p, and n / 2^64 more by equal hashes of 64 bits.
  /// Throws std::invalid_argument for n, p and rates that cannot be, and AllocationError.
  [[nodiscard]] static KeyedFilter for_items(std::uint64_t n, double p,
                                             std::uint64_t seed = 0) requires Sized<Filter> {
    return KeyedFilter(parameters_for<Filter>(n, p), seed);
  }
  /// A filter of these keys that does not change afterwards (xor_filter, binary_fuse, ribbon): of
  /// integers or of texts, std::span<const std::uint64_t> or std::span<const std::string_view>.
  /// Throws std::invalid_argument, AllocationError, and std::runtime_error where no hash function
  /// fits the keys, which has a negligible probability.
  [[nodiscard]] static KeyedFilter build(const Parameters& parameters,
                                         std::span<const std::uint64_t> keys,
                                         std::uint64_t seed = 0) requires Built<Filter> {
    return build_of(parameters, KeyBatch::integers(keys, 8), seed);
  }
  [[nodiscard]] static KeyedFilter build(const Parameters& parameters,
                                         std::span<const std::string_view> keys,
                                         std::uint64_t seed = 0) requires Built<Filter> {
    return build_of(parameters, KeyBatch::texts(keys), seed);
  }

  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& parameters) {
    if constexpr (Probed<Filter>) {
      return Filter::check(parameters, Probe::of<Family, Reduction>());
    } else {
      return Filter::check(parameters);
    }
  }
  /// An empty filter, or nothing where check() finds a fault: for programs without exceptions,
  /// where only memory that cannot be had ends the program.
  [[nodiscard]] static std::optional<KeyedFilter> try_make(const Parameters& parameters,
                                                           std::uint64_t seed = 0) {
    if (check(parameters)) return std::nullopt;
    return KeyedFilter(parameters, seed);
  }
  /// As for_items(), or nothing for n, p and rates that cannot be.
  [[nodiscard]] static std::optional<KeyedFilter> try_for_items(
      std::uint64_t n, double p, std::uint64_t seed = 0) requires Sized<Filter> {
    const auto parameters = try_parameters_for<Filter>(n, p);
    if (!parameters) return std::nullopt;
    return try_make(*parameters, seed);
  }

  /// An empty filter; of one that is built, the filter of no keys. Throws std::invalid_argument for
  /// bad parameters and AllocationError.
  explicit KeyedFilter(const Parameters& parameters, std::uint64_t seed = 0)
      : KeyedFilter(make_filter(parameters), parameters, seed) {}
  /// The same, with its bits in the memory that is given (standard filters and filters of blocks).
  KeyedFilter(const Parameters& parameters, FilterMemory& memory,
              std::uint64_t seed = 0) requires TakesMemory<Filter>
      : KeyedFilter(make_filter(parameters, &memory), parameters, seed) {}

  /// Inserts a text; true where the filter did not report it before, so that it is new. Filters
  /// that refuse keys say Insertion::added, known or refused.
  [[gnu::always_inline]] Inserted insert(std::string_view key) {
    return insert_one(std::as_bytes(std::span(key)));
  }
  /// Inserts an integer; true where it is new.
  template <std::integral Integer>
  [[gnu::always_inline]] Inserted insert(Integer key) {
    return insert_one(static_cast<std::uint64_t>(key));
  }
  /// Inserts bytes; true where they are new.
  [[gnu::always_inline]] Inserted insert(std::span<const std::byte> key) { return insert_one(key); }
  /// Inserts a value of a type that says what its key is (core/keys/key_form.hpp).
  template <HasKeyForm Value>
  [[gnu::always_inline]] Inserted insert(const Value& value) {
    return insert(filter_key(value));
  }
  /// Inserts what the iterators, or the range, give: any keys that insert() takes one by one.
  template <std::input_iterator Iterator, std::sentinel_for<Iterator> End>
  InsertedMany insert_range(Iterator first, End last) {
    if constexpr (std::contiguous_iterator<Iterator> && std::sized_sentinel_for<End, Iterator> &&
                  (std::same_as<std::iter_value_t<Iterator>, std::uint64_t> ||
                   std::same_as<std::iter_value_t<Iterator>, std::string_view>)) {
      return insert(std::span<const std::iter_value_t<Iterator>>(first, last));
    } else {
      return refused_by([&] {
        for (; first != last; ++first) static_cast<void>(insert(*first));
      });
    }
  }
  template <class Range>
  requires requires(Range& range) {
    std::begin(range);
    std::end(range);
  }
  InsertedMany insert_range(Range&& range) {
    return insert_range(std::begin(range), std::end(range));
  }
  /// Inserts texts, in order. Throws what Filter::insert throws (filters that grow:
  /// std::length_error).
  [[gnu::always_inline]] InsertedMany insert(std::span<const std::string_view> keys) {
    if (!takes_one || keys.size() > few_) return insert_batch(KeyBatch::texts(keys));
    return refused_by([&] {
      for (const std::string_view key : keys) static_cast<void>(insert(key));
    });
  }
  /// Inserts integers, in order.
  [[gnu::always_inline]] InsertedMany insert(std::span<const std::uint64_t> keys) {
    if (!takes_one || keys.size() > few_) return insert_batch(KeyBatch::integers(keys, 8));
    return refused_by([&] {
      for (const std::uint64_t key : keys) static_cast<void>(insert(key));
    });
  }

  /// Inserts texts, or integers, by `threads` threads at once, the calling one among them (0: as
  /// many as the machine runs at once), and fewer where there are less than 65536 keys for each.
  /// The filter then equals, bit for bit and in size(), one that insert() gave the keys. Nobody
  /// else may use it meanwhile.
  ///
  /// Every further thread fills a filter of its own, which are merged: while it lasts they take at
  /// most as much memory as the span (8 bytes an integer, 16 a text). Where that is too little for
  /// all, filters of blocks take the keys without more memory, each thread those of its part of the
  /// blocks, and Standard and Partitioned take fewer threads. Counting is filled by parts of its
  /// counters. Not for filters that have neither way (Spectral, Cuckoo and all that grow, are built
  /// or keep the keys): they do not compile.
  ///
  /// Throws AllocationError before a key is inserted; std::system_error where a thread cannot start
  /// and what the hash throws after all threads have ended: the filter then holds what it held
  /// before, and some of the keys or of their bits.
  void parallel_insert(std::span<const std::string_view> keys,
                       std::size_t threads = 0) requires BuiltByThreads<Filter> {
    count(keys.size());
    insert_parallel(filter_, stage_, KeyBatch::texts(keys), threads);
  }
  void parallel_insert(std::span<const std::uint64_t> keys,
                       std::size_t threads = 0) requires BuiltByThreads<Filter> {
    count(keys.size());
    insert_parallel(filter_, stage_, KeyBatch::integers(keys, 8), threads);
  }

  /// Whether a text was inserted: `absent` is certain (a key that insert() refused was not
  /// inserted), `maybe` errs at the filter's rate.
  [[gnu::always_inline]] [[nodiscard]] Verdict contains(std::string_view key) const {
    return Verdict(contains_one(std::as_bytes(std::span(key))));
  }
  /// Whether an integer was inserted.
  template <std::integral Integer>
  [[gnu::always_inline]] [[nodiscard]] Verdict contains(Integer key) const {
    return Verdict(contains_one(static_cast<std::uint64_t>(key)));
  }
  /// Whether bytes were inserted.
  [[gnu::always_inline]] [[nodiscard]] Verdict contains(std::span<const std::byte> key) const {
    return Verdict(contains_one(key));
  }
  /// Whether a value was inserted (core/keys/key_form.hpp).
  template <HasKeyForm Value>
  [[gnu::always_inline]] [[nodiscard]] Verdict contains(const Value& value) const {
    return contains(filter_key(value));
  }
  /// The answers for many texts. Throws std::invalid_argument where out.size() != keys.size().
  [[gnu::always_inline]] void contains(std::span<const std::string_view> keys,
                                       std::span<Answer> out) const {
    detail::require_places(keys.size(), out.size());
    if (!answers_one || keys.size() > few_) return contains_batch(KeyBatch::texts(keys), out);
    for (std::size_t i = 0; i < keys.size(); ++i) out[i] = contains(keys[i]);
  }
  /// The answers for many integers. Throws std::invalid_argument where out.size() != keys.size().
  [[gnu::always_inline]] void contains(std::span<const std::uint64_t> keys,
                                       std::span<Answer> out) const {
    detail::require_places(keys.size(), out.size());
    if (!answers_one || keys.size() > few_) return contains_batch(KeyBatch::integers(keys, 8), out);
    for (std::size_t i = 0; i < keys.size(); ++i) out[i] = contains(keys[i]);
  }

  /// How many of the keys are reported: texts, or integers. As contains() of many, without a place
  /// for each answer.
  [[nodiscard]] std::uint64_t count_contained(std::span<const std::string_view> keys) const {
    return stage_.count_contained(filter_, KeyBatch::texts(keys));
  }
  [[nodiscard]] std::uint64_t count_contained(std::span<const std::uint64_t> keys) const {
    return stage_.count_contained(filter_, KeyBatch::integers(keys, 8));
  }

  /// Deletes a key that was inserted (Counting, Cuckoo), once where it was inserted often; false
  /// where the filter did not report it, and nothing changes. To delete a key that was not
  /// inserted, or was refused, but is reported, loses other keys.
  template <class Key>
  requires Forgets<Filter>
  bool erase(const Key& key) {
    bool deleted = false;
    detail::with_batch_of_one(detail::plain_key(key), [&](const KeyBatch& keys) {
      stage_.for_each_part(keys, [&](std::size_t, const DigestBatch& digests) {
        deleted = filter_.remove(digests) != 0;
      });
    });
    return deleted;
  }

  /// Whether merge() and intersect() take the other: it has the same parameters and seed.
  [[nodiscard]] bool is_compatible(const KeyedFilter& other) const noexcept {
    return seed() == other.seed() && parameters_ == other.parameters_;
  }
  /// Makes this the filter that was given the keys of both; true if it changed. Throws
  /// std::invalid_argument where the other has another seed or other parameters.
  bool merge(const KeyedFilter& other) requires Mergeable<Filter> {
    detail::require_same_seed(Filter::name, seed(), other.seed());
    return filter_.merge(other.filter_);
  }
  /// Makes this a filter of the keys common to both, never smaller than the filter of just those;
  /// true if it changed. Throws as merge().
  bool intersect(const KeyedFilter& other) requires Mergeable<Filter> {
    detail::require_same_seed(Filter::name, seed(), other.seed());
    return filter_.intersect(other.filter_);
  }

  /// Equal parameters, seeds and contents, the number of keys inserted included. Reads all.
  friend bool operator==(const KeyedFilter& one, const KeyedFilter& other) {
    return one.seed() == other.seed() && one.parameters_ == other.parameters_ &&
           same_contents(one.filter_, other.filter_);
  }
  friend void swap(KeyedFilter& one, KeyedFilter& other) noexcept {
    KeyedFilter third = std::move(one);
    one = std::move(other);
    other = std::move(third);
  }

  /// Counts calls: keys inserted and not deleted since the filter was empty, each as often as it
  /// was given, after a merge those of both filters. How many distinct keys there are the bits
  /// tell: health(p).distinct_keys.
  [[nodiscard]] std::uint64_t size() const { return keys_held(filter_); }
  /// Distinct keys up to which the rate stays at most p, by the closed form of the filter.
  [[nodiscard]] std::uint64_t capacity(double p) const {
    return capacity_for<Filter>(parameters_, p);
  }
  /// The rate that the closed form foretells for the distinct keys that the filter's bits tell of,
  /// or for size() keys where they do not tell (FilterHealth). Reads the whole filter.
  [[nodiscard]] double predicted_fpr() const {
    return predicted_rate_of(filter_, parameters_, filter_.state());
  }
  /// How full the filter is, how many distinct keys its bits tell of, its rate now, and how many
  /// more keys it takes until the rate is p. Reads the whole filter.
  [[nodiscard]] FilterHealth health(double p) const { return health_of(filter_, parameters_, p); }

  /// Spans of up to so many keys go key by key, longer ones in batches.
  [[nodiscard]] std::size_t one_by_one_up_to() const noexcept { return few_; }
  /// The filter below: its state, its parameters.
  [[nodiscard]] const Filter& filter() const noexcept { return filter_; }
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] std::uint64_t seed() const noexcept { return stage_.seed(); }
  /// Empty again.
  void clear() noexcept requires(!Built<Filter>) {
    filter_.clear();
    inserted_ = 0;
  }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    Filter::contents(self.filter_, visit);
    if constexpr (Visitor::reading && of_family) {
      self.inserted_ = 0;
      self.count(keys_held(self.filter_));
    }
  }

 private:
  template <class, class, class, class>
  friend class AtomicFilter;
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

  template <class Key>
  [[gnu::always_inline]] Given<Key> given(const Key& key) const {
    if constexpr (Filter::chooses_positions) {
      return one_key_hasher_.word(key);
    } else {
      return Given<Key>(one_key_hasher_, key);
    }
  }
  template <class Key>
  [[gnu::always_inline]] Inserted insert_one(const Key& key) {
    if constexpr (RefusesKeys<Filter>) {
      const std::uint64_t before = filter_.refused();
      const bool is_new = take_one(key);
      if (filter_.refused() != before) return Insertion::refused;
      return is_new ? Insertion::added : Insertion::known;
    } else {
      return take_one(key);
    }
  }
  template <class Key>
  [[gnu::always_inline]] bool take_one(const Key& key) {
    if constexpr (takes_one) {
      if constexpr (of_family) count(1);
      return filter_.insert_one(given(key));
    } else {
      return insert_batch_of_one(key);
    }
  }
  // How many keys `insert_all` had refused, of a filter that refuses.
  template <class InsertAll>
  [[gnu::always_inline]] InsertedMany refused_by(const InsertAll& insert_all) {
    if constexpr (RefusesKeys<Filter>) {
      const std::uint64_t before = filter_.refused();
      insert_all();
      return RefusedKeys{filter_.refused() - before};
    } else {
      insert_all();
    }
  }
  template <class Key>
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(const Key& key) const {
    if constexpr (answers_one) {
      return filter_.contains_one(given(key));
    } else {
      Answer answer;
      detail::with_batch_of_one(key, [&](const KeyBatch& keys) {
        contains_batch(keys, {&answer, 1});
      });
      return answer == Answer::maybe;
    }
  }

  // The way of filters without a direct path.
  template <class Key>
  bool insert_batch_of_one(const Key& key) {
    const bool is_new = !contains_one(key);
    detail::with_batch_of_one(key,
                              [&](const KeyBatch& keys) { static_cast<void>(insert_batch(keys)); });
    return is_new;
  }

  // Filters that grow may ask for more words the more keys there are.
  void count(std::uint64_t keys) {
    inserted_ += keys;
    if (inserted_ > horizon_) prepare_for(inserted_);
  }
  void prepare_for(std::uint64_t keys) {
    horizon_ = std::max(keys, 2 * horizon_);
    const DigestNeed need = filter_need(horizon_);
    one_key_hasher_.prepare(seed(), need);
    const bool in_memory = BatchTuning{}.in_memory(Filter::memory_bits(parameters_, horizon_) / 8);
    few_ = {few_keys<Filter>, in_memory};
    if (need != stage_.need()) stage_ = HashStage(Hasher::of<Hash>(), need, seed());
  }

  // Without `requires`: clang 14 compiles it, with build(), for filters that are not built, too.
  static KeyedFilter build_of(const Parameters& parameters, [[maybe_unused]] const KeyBatch& keys,
                              std::uint64_t seed) {
    KeyedFilter keyed(parameters, seed);
    if constexpr (Built<Filter>) {
      DigestBuffer buffer;
      auto built = Filter::build(
          parameters, keyed.stage_.hasher().digest(keys, seed, keyed.stage_.need(), buffer));
      if (!built) {
        detail::give_up(std::string(Filter::name) +
                        ": no hash function fits these keys; choose another seed");
      }
      keyed.filter_ = *std::move(built);
    }
    return keyed;
  }

  KeyedFilter(Filter filter, const Parameters& parameters, std::uint64_t seed)
      : one_key_hasher_(seed),
        filter_(std::move(filter)),
        parameters_(parameters),
        stage_(Hasher::of<Hash>(), filter_need(1), seed) {
    prepare_for(1);
  }

  // In the memory that is given, or in none in particular.
  template <class... Memory>
  static Filter make_filter(const Parameters& parameters, Memory*... memory) {
    if constexpr (Built<Filter>) {
      return Filter::build(parameters, DigestBatch{}).value();
    } else if constexpr (Probed<Filter>) {
      return Filter(parameters, Probe::of<Family, Reduction>(), memory...);
    } else {
      return Filter(parameters, memory...);
    }
  }

  [[nodiscard]] DigestNeed filter_need([[maybe_unused]] std::uint64_t keys) const {
    if constexpr (Probed<Filter>) {
      return Probe::of<Family, Reduction>().need(Filter::probes(parameters_, keys));
    } else {
      return Filter::need(parameters_);
    }
  }

  InsertedMany insert_batch(const KeyBatch& keys) {
    return refused_by([&] {
      count(keys.size());
      stage_.insert(filter_, keys);
    });
  }
  void contains_batch(const KeyBatch& keys, std::span<Answer> out) const {
    stage_.contains(filter_, keys, out);
  }

  OneKeyHasher<Hash> one_key_hasher_;
  Filter filter_;
  Parameters parameters_;
  HashStage stage_;
  std::uint64_t inserted_ = 0;
  std::uint64_t horizon_ = 0;
  OneByOne few_;  // keys of a span that go so
};

// What of the default filter is not inlined is compiled once, in the library: a program that takes
// it compiles in three quarters of the time.
extern template Standard::Parameters parameters_for<Standard>(std::uint64_t, double);
extern template class KeyedFilter<>;

}  // namespace bloomlab
