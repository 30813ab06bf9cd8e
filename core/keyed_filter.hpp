// A filter with its hash: what a program that wants a Bloom filter uses.
//
//     #include <bloomlab/core/keyed_filter.hpp>
//
//     bloomlab::KeyedFilter<bloomlab::XxHash3_64, bloomlab::Standard> seen({.m = 1 << 20, .k = 7});
//     seen.insert("a text");
//     seen.insert(42);
//     if (seen.contains("a text") == bloomlab::Answer::maybe) { ... }
//
// For many keys hand over spans of them: several times faster, with the same result.
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
#include "core/catalogue.hpp"
#include "core/filters/concepts.hpp"
#include "core/hash/hashed_keys.hpp"
#include "core/hash/hasher.hpp"
#include "core/keys/key_batch.hpp"
#include "core/keys/seed_family.hpp"
#include "core/require_places.hpp"

namespace bloomlab {

/// A filter of the catalogue that takes keys: texts (their bytes) or integers (their value as 8
/// little-endian bytes, so that 42, 42u and 42ull are one key, and -1 is 2^64 - 1).
/// Const members may be called by several threads at once.
/// @tparam Hash a hash that mixes, such as XxHash3_64    @tparam Filter such as Standard
/// @tparam Family, Reduction the index derivation; the default stays within 2 % of the rate of
/// ideal probes from m = 1000 on (Independent has it at any m, for k evaluations of the hash per
/// key) (not used by filters that choose positions themselves)
template <class Hash, class Filter, class Family = EnhancedDoubleHashing,
          class Reduction = MultiplyShift>
requires(Probed<Filter> || SelfPositioned<Filter>) class KeyedFilter {
  static_assert(!Hash::passes_through, "identity is not a hash: choose one that mixes");
  static_assert(!Family::needs_identity, "this family takes no hash: use it through Probe");

 public:
  using Parameters = typename Filter::Parameters;

  /// An empty filter. Throws std::invalid_argument for bad parameters and AllocationError.
  explicit KeyedFilter(const Parameters& parameters, std::uint64_t seed = 0)
      : filter_(make_filter(parameters)), parameters_(parameters), seed_(seed) {
    prepare_for(1);
  }

  /// Inserts a text.
  void insert(std::string_view key) { insert(std::span(&key, 1)); }
  /// Inserts an integer.
  template <std::integral Integer>
  void insert(Integer key) {
    const auto value = static_cast<std::uint64_t>(key);
    insert(std::span(&value, 1));
  }
  /// Inserts texts, in order. Throws what Filter::insert throws (filters that grow:
  /// std::length_error).
  void insert(std::span<const std::string_view> keys) { insert_batch(KeyBatch::texts(keys)); }
  /// Inserts integers, in order.
  void insert(std::span<const std::uint64_t> keys) { insert_batch(KeyBatch::integers(keys, 8)); }

  /// Whether a text was inserted: `absent` is certain, `maybe` errs at the filter's rate.
  [[nodiscard]] Answer contains(std::string_view key) const {
    Answer answer;
    contains(std::span(&key, 1), std::span(&answer, 1));
    return answer;
  }
  /// Whether an integer was inserted.
  template <std::integral Integer>
  [[nodiscard]] Answer contains(Integer key) const {
    const auto value = static_cast<std::uint64_t>(key);
    Answer answer;
    contains(std::span(&value, 1), std::span(&answer, 1));
    return answer;
  }
  /// The answers for many texts. Throws std::invalid_argument where out.size() != keys.size().
  void contains(std::span<const std::string_view> keys, std::span<Answer> out) const {
    contains_batch(KeyBatch::texts(keys), out);
  }
  /// The answers for many integers. Throws std::invalid_argument where out.size() != keys.size().
  void contains(std::span<const std::uint64_t> keys, std::span<Answer> out) const {
    contains_batch(KeyBatch::integers(keys, 8), out);
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

  // Filters that grow may ask for more words the more keys there are.
  void prepare_for(std::uint64_t keys) {
    horizon_ = std::max(keys, 2 * horizon_);
    need_ = filter_need(horizon_);
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
    inserted_ += keys.size();
    if (inserted_ > horizon_) prepare_for(inserted_);
    if constexpr (TakesStreams<Filter>) {
      const HashedKeys hashed(hasher_, keys, seed_);
      filter_.insert(hashed.stream());
    } else {
      for_each_chunk(keys,
                     [&](std::size_t, const DigestBatch& digests) { filter_.insert(digests); });
    }
  }

  void contains_batch(const KeyBatch& keys, std::span<Answer> out) const {
    detail::require_places(keys.size(), out.size());
    if constexpr (TakesStreams<Filter>) {
      const HashedKeys hashed(hasher_, keys, seed_);
      filter_.contains(hashed.stream(), out);
    } else {
      for_each_chunk(keys, [&](std::size_t first, const DigestBatch& digests) {
        filter_.contains(digests, out.subspan(first, digests.size));
      });
    }
  }

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
