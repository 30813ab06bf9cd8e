// The register-blocked filter: a block is one word of the machine, set and tested at once.
// Source: Lang, Neumann, Kemper, Boncz 2019, "Performance-optimal filtering: Bloom overtakes cuckoo
// at high throughput", PVLDB 12(5).
#pragma once

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
#include "core/filters/block_store.hpp"
#include "core/parameters.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The register-blocked filter. The word comes from the high bits of the digest, the k positions in
/// it (with replacement) from words mixed from it anew. Const members may be called by several
/// threads at once.
class RegisterBlocked {
 public:
  static constexpr std::string_view name = "register_blocked";
  static constexpr std::string_view summary = "k positions a key in one word of 32 or 64 bits";
  static constexpr std::string_view source =
      "Lang, Neumann, Kemper, Boncz 2019, Performance-optimal filtering";
  static constexpr bool chooses_positions = true;

  struct Parameters {
    std::uint64_t m = 0;          ///< filter bits, a multiple of word_bits
    std::uint64_t k = 0;          ///< probes per key
    std::uint64_t word_bits = 0;  ///< bits of a block: 32 or 64
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the filter, a multiple of word_bits", 1,
                       max_filter_bits},
          p.m);
    visit(IntegerField{"k", "probes per key", "positions set for a key", 1, max_probes}, p.k);
    visit(IntegerField{.name = "word_bits",
                       .unit = "bits",
                       .meaning = "size of a block: 32 or 64",
                       .min = 32,
                       .max = 64,
                       .fallback = 64},
          p.word_bits);
  }

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// k, for any n.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// Bits allocated for n keys.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `blocked`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// One word a key.
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept { return {.words = 1}; }

  /// An empty filter. Throws std::invalid_argument with the text of check(), and AllocationError.
  explicit RegisterBlocked(const Parameters& p);

  /// Inserts every key of the batch.
  void insert(const DigestBatch& digests) { store_.insert(digests); }
  /// Inserts every key and writes what contains() would have said of it just before, as if the keys
  /// came one after the other. before.size() == digests.size.
  void insert(const DigestBatch& digests, std::span<Answer> before) {
    store_.insert(digests, before);
  }
  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    store_.contains(digests, out);
  }
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    return store_.count_contained(digests);
  }

  /// Makes this the filter that was given the keys of both; true if a bit changed. Both must have
  /// taken digests of the same hash and seed. Throws std::invalid_argument for other parameters.
  bool unite(const RegisterBlocked& other) { return store_.unite(other.store_); }
  /// Keeps the bits common to both, which contains the keys of both; true if a bit changed.
  /// inserted() is then only an upper bound of the keys common to both. Throws as unite().
  bool intersect(const RegisterBlocked& other) { return store_.intersect(other.store_); }

  /// Counts, and the conditional rate mean over words of (X/word_bits)^k. Reads the
  /// whole array.
  [[nodiscard]] FilterState state() const { return store_.state(); }
  /// Empty again, with the memory kept.
  void clear() noexcept { store_.clear(); }

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] const BitArray& bits() const noexcept { return store_.bits(); }
  /// Keys inserted since the filter was empty, repeated ones included.
  [[nodiscard]] std::uint64_t inserted() const noexcept { return store_.inserted(); }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    self.store_.contents(self.store_, visit);
  }

 private:
  Parameters parameters_;
  BlockStore<PlainBlocks> store_;
};

}  // namespace bloomlab
