// A blocked filter in which every probe has a word of its own: a block is k words of 64 bits, and a
// key sets one bit in each word of its block.
// Sources: Putze, Sanders, Singler 2007, "Cache-, hash- and space-efficient Bloom filters", WEA,
// for blocks; Lopez Munoz 2025, "Boost.Bloom", subfilter multiblock, for one word a probe.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/bits/bit_array.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/block_layouts.hpp"
#include "core/filters/fault.hpp"
#include "core/parameters.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The multiblock filter. The block comes from the digest's high bits, the bits in its words from a
/// stream of numbers that is seeded with the digest. Const members may be called by several threads
/// at once.
class Multiblock {
 public:
  static constexpr std::string_view name = "multiblock";
  static constexpr std::string_view summary =
      "blocks of k words of 64 bits, one bit a key in each word of its block";
  static constexpr std::string_view source = "Lopez Munoz 2025, Boost.Bloom, multiblock";
  static constexpr bool chooses_positions = true;
  static constexpr std::uint64_t word_bits = 64;
  /// Words of a cache line: a block is at most one.
  static constexpr std::uint64_t max_words = 8;

  struct Parameters {
    std::uint64_t m = 0;  ///< filter bits, a multiple of 64 k
    std::uint64_t k = 0;  ///< words of a block, and probes per key
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the filter, a multiple of 64 k", 1, max_filter_bits},
          p.m);
    visit(IntegerField{"k", "probes per key", "words of a block, with one bit a key in each", 1,
                       max_words},
          p.k);
  }

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples() {
    return {{.m = 64, .k = 1},    {.m = 512, .k = 8},   {.m = 12800, .k = 4},
            {.m = 19200, .k = 5}, {.m = 20160, .k = 7}, {.m = 65536, .k = 8}};
  }
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    if (p.k < 1 || p.k > max_words) return detail::out_of_range(name, "k", p.k, max_words);
    return detail::whole_blocks_fault(name, p.m, word_bits * p.k, max_filter_bits);
  }
  /// k, for any n.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
    return static_cast<int>(p.k);
  }
  /// Bits allocated for n keys.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p,
                                                 std::uint64_t /*n*/) noexcept {
    return BitArray::memory_bits_for(p.m);
  }
  /// The closed form of the rate after n distinct keys: `split_block`, with lanes of 64 bits.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    return {
        "split_block",
        {{"nblocks", p.m / (word_bits * p.k)}, {"lanes", p.k}, {"lane_bits", word_bits}, {"n", n}}};
  }
  /// One word a key.
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept { return {.words = 1}; }

  /// An empty filter. Throws std::invalid_argument with the text of check(), and AllocationError.
  explicit Multiblock(const Parameters& p)
      : parameters_(detail::require(p, check(p))), bits_(p.m) {}

  /// Inserts every key of the batch.
  void insert(const DigestBatch& digests) {
    for_each_target(digests, [this](std::size_t, const BlockTarget& target) { set(target); });
    inserted_ += digests.size;
  }
  /// Inserts every key and writes what contains() would have said of it just before, as if the keys
  /// came one after the other. before.size() == digests.size.
  void insert(const DigestBatch& digests, std::span<Answer> before) {
    for_each_target(digests, [&](std::size_t key, const BlockTarget& target) {
      before[key] = set(target) ? Answer::absent : Answer::maybe;
    });
    inserted_ += digests.size;
  }
  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    for_each_target(digests, [&](std::size_t key, const BlockTarget& target) {
      out[key] = all_set(target) ? Answer::maybe : Answer::absent;
    });
  }
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    std::uint64_t count = 0;
    for_each_target(
        digests, [&](std::size_t, const BlockTarget& target) { count += all_set(target) ? 1 : 0; });
    return count;
  }

  /// Makes this the filter that was given the keys of both; true if a bit changed. Both must have
  /// taken digests of the same hash and seed. Throws std::invalid_argument for other parameters.
  bool unite(const Multiblock& other) {
    detail::require_mergeable(name, parameters_ == other.parameters_);
    inserted_ += other.inserted_;
    return bits_.unite(other.bits_);
  }
  /// Keeps the bits common to both, which contains the keys of both; true if a bit changed.
  /// The count of keys is then only an upper bound. Throws as unite().
  bool intersect(const Multiblock& other) {
    detail::require_mergeable(name, parameters_ == other.parameters_);
    inserted_ = std::min(inserted_, other.inserted_);
    return bits_.intersect(other.bits_);
  }

  /// Counts, and the conditional rate: the mean over the blocks of prod over their words of X/64.
  /// Reads the whole array.
  [[nodiscard]] FilterState state() const {
    const std::uint64_t bits_set = bits_.popcount();
    return {.bits = parameters_.m,
            .bits_set = bits_set,
            .memory_bits = bits_.memory_bits(),
            .conditional_rate = conditional_rate(),
            .layers = {{parameters_.m, bits_set, inserted_, parameters_.k}}};
  }
  /// Empty again, with the memory kept.
  void clear() noexcept {
    bits_.clear();
    inserted_ = 0;
  }

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    visit(self.bits_);
    visit(self.inserted_);
  }

 private:
  [[nodiscard]] std::uint64_t blocks() const noexcept {
    return parameters_.m / (word_bits * parameters_.k);
  }

  [[nodiscard]] BlockTarget target_of(std::uint64_t digest) const noexcept {
    BlockTarget target{.word = multiply_high(digest, blocks()) * parameters_.k};
    BitStream stream(digest);
    constexpr auto width = static_cast<unsigned>(std::countr_zero(word_bits));
    for (std::uint64_t i = 0; i < parameters_.k; ++i) {
      target.add(i * word_bits + stream.take(width));
    }
    return target;
  }

  // First the targets of a chunk, with a hint to fetch them, then the memory: misses overlap.
  template <class Use>
  void for_each_target(const DigestBatch& digests, Use&& use) const {
    if (digests.size == 0) return;
    const std::span<const std::uint64_t> words = digests.word(0);
    std::array<BlockTarget, 64> targets;
    for (std::size_t first = 0; first < words.size(); first += targets.size()) {
      const std::size_t count = std::min(targets.size(), words.size() - first);
      for (std::size_t j = 0; j < count; ++j) {
        targets[j] = target_of(words[first + j]);
        bits_.prefetch(targets[j].word * word_bits);
      }
      for (std::size_t j = 0; j < count; ++j) use(first + j, targets[j]);
    }
  }

  bool set(const BlockTarget& target) noexcept {
    bool changed = false;
    for (std::size_t i = 0; i < parameters_.k; ++i) {
      changed |= bits_.set_word(target.word + i, target.mask[i]);
    }
    return changed;
  }

  [[nodiscard]] bool all_set(const BlockTarget& target) const noexcept {
    const std::uint64_t* const block = bits_.words().data() + target.word;
    std::uint64_t missing = 0;
    for (std::size_t i = 0; i < parameters_.k; ++i) missing |= target.mask[i] & ~block[i];
    return missing == 0;
  }

  [[nodiscard]] double conditional_rate() const {
    double sum = 0.0;
    const std::span<const std::uint64_t> words = bits_.words();
    for (std::size_t begin = 0; begin < words.size(); begin += parameters_.k) {
      double rate = 1.0;
      for (const std::uint64_t word : words.subspan(begin, parameters_.k)) {
        rate *= static_cast<double>(std::popcount(word)) / static_cast<double>(word_bits);
      }
      sum += rate;
    }
    return sum / static_cast<double>(blocks());
  }

  Parameters parameters_;
  BitArray bits_;
  std::uint64_t inserted_ = 0;
};

}  // namespace bloomlab
