// A filter of two probes for one digest word: its upper and its lower half. What docs/extending.md
// says of a filter is done here once, by somebody who reads only the documents.
// Source: Bloom 1970, "Space/time trade-offs in hash coding with allowable errors", with k = 2.
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
#include "core/filters/fault.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/sizing.hpp"
#include "core/parameters.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// Two bits per key in an array of at most 2^32.
class TwoHalves {
 public:
  static constexpr std::string_view name = "two_halves";
  static constexpr std::string_view summary = "two bits per key, one for each half of a digest";
  static constexpr std::string_view source = "Bloom 1970, with k = 2";
  static constexpr bool chooses_positions = true;
  static constexpr std::uint64_t most_bits = std::uint64_t{1} << 32;

  struct Parameters {
    std::uint64_t m = 0;  ///< filter bits
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the filter", 1, most_bits}, p.m);
  }

  [[nodiscard]] static std::vector<Parameters> examples() {
    return {{.m = 1}, {.m = 64}, {.m = 1000}, {.m = 65536}};
  }
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    if (p.m < 1 || p.m > most_bits) return detail::out_of_range(name, "m", p.m, most_bits);
    return std::nullopt;
  }
  [[nodiscard]] static int probes(const Parameters& /*p*/, std::uint64_t /*n*/) noexcept {
    return 2;
  }
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p,
                                                 std::uint64_t /*n*/) noexcept {
    return BitArray::memory_bits_for(p.m);
  }
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n) {
    return {"standard_exact", {{"m", p.m}, {"n", n}, {"k", std::uint64_t{2}}}};
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& /*goal*/) {
    return {.shapes = {{1, most_bits, [](std::uint64_t m) { return Parameters{.m = m}; }}}};
  }
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n) {
    return probed_lines(p.m, n, 2);
  }
  [[nodiscard]] static DigestNeed need(const Parameters& /*p*/) noexcept { return {.words = 1}; }

  explicit TwoHalves(const Parameters& p) : parameters_(detail::require(p, check(p))), bits_(p.m) {}

  void insert(const DigestBatch& digests) {
    for (const std::uint64_t digest : digests.word(0)) {
      bits_.set(upper(digest));
      bits_.set(lower(digest));
    }
    inserted_ += digests.size;
  }
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    for (std::size_t i = 0; i < digests.size; ++i) {
      out[i] = holds(digests.word(0)[i]) ? Answer::maybe : Answer::absent;
    }
  }
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    std::uint64_t count = 0;
    for (const std::uint64_t digest : digests.word(0)) count += holds(digest) ? 1 : 0;
    return count;
  }
  [[nodiscard]] FilterState state() const {
    const std::uint64_t bits_set = bits_.popcount();
    const double fill = static_cast<double>(bits_set) / static_cast<double>(parameters_.m);
    return {.bits = parameters_.m,
            .bits_set = bits_set,
            .memory_bits = bits_.memory_bits(),
            .conditional_rate = fill * fill,
            .layers = {{parameters_.m, bits_set, inserted_, 2}}};
  }
  void clear() noexcept {
    bits_.clear();
    inserted_ = 0;
  }
  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

 private:
  [[nodiscard]] std::uint64_t upper(std::uint64_t digest) const noexcept {
    return (digest >> 32) * parameters_.m >> 32;
  }
  [[nodiscard]] std::uint64_t lower(std::uint64_t digest) const noexcept {
    return (digest & 0xffffffffU) * parameters_.m >> 32;
  }
  [[nodiscard]] bool holds(std::uint64_t digest) const noexcept {
    return bits_.test(upper(digest)) && bits_.test(lower(digest));
  }

  Parameters parameters_;
  BitArray bits_;
  std::uint64_t inserted_ = 0;
};

}  // namespace bloomlab
