// The Bloom filter as published: m bits, k positions per key, all of them set on insert.
// Source: Bloom 1970, "Space/time trade-offs in hash coding with allowable errors", CACM 13(7).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/filters/cell_filter.hpp"
#include "core/filters/shared_words.hpp"

namespace bloomlab {

/// The description of Standard.
struct StandardRules : detail::StandardCells {
  using Array = BitArray;
  static constexpr std::string_view name = "standard";
  static constexpr std::string_view summary = "m bits, k positions per key (Bloom's filter)";
  static constexpr std::string_view source =
      "Bloom 1970, Space/time trade-offs in hash coding with allowable errors";

  struct Parameters {
    std::uint64_t m = 0;  ///< filter bits
    std::uint64_t k = 0;  ///< probes per key
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the filter", 1, max_filter_bits}, p.m);
    visit(IntegerField{"k", "probes per key", "positions set for a key", 1, max_probes}, p.k);
  }

  [[nodiscard]] static std::vector<Parameters> examples();
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p) {
    return detail::range_fault<StandardRules>(p);
  }
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n) {
    return probed_lines(p.m, n, p.k);
  }
  [[nodiscard]] static std::optional<simd::RemixedBits> kernel(const Parameters& p) noexcept {
    return simd::RemixedBits{.m = p.m, .k = static_cast<int>(p.k)};
  }
};

/// The standard filter. Batches and single keys (batches of one) give the same bits and answers.
class Standard : public BitFilter<StandardRules> {
 public:
  /// An empty filter, in pages of the operating system or in the memory that is given. Throws
  /// std::invalid_argument with the text of check(), and AllocationError.
  Standard(const Parameters& p, const Probe& probe, FilterMemory* memory = nullptr)
      : BitFilter(p, probe, memory) {}
  /// A filter with the bits of another one of these parameters, to which `inserted` keys were
  /// given. Throws std::invalid_argument with the text of check(), and where bits.size() is not m.
  Standard(const Parameters& p, const Probe& probe, BitArray bits, std::uint64_t inserted);

  /// One key, while other threads do the same (core/filters/shared_words.hpp).
  template <class Key>
  bool insert_shared(const Key& key) noexcept {
    if (!tuning_.in_memory(array_.memory_bits() / 8) && contains_shared(key)) return false;
    std::uint64_t* const words = array_.writable_words().data();
    bool changed = false;
    detail::for_each_position_of(
        walk_of(key), static_cast<int>(parameters_.k), [&](std::uint64_t position) {
          changed |= detail::set_shared(words[position / 64], std::uint64_t{1} << (position % 64));
        });
    return changed;
  }
  template <class Key>
  [[nodiscard]] bool contains_shared(const Key& key) const noexcept {
    const std::uint64_t* const words = array_.words().data();
    return detail::all_positions(
        walk_of(key), static_cast<int>(parameters_.k), [words](std::uint64_t position) {
          return detail::load_shared(words[position / 64]) >> (position % 64);
        });
  }
  void add_inserted(std::uint64_t keys) noexcept { keys_ += keys; }

  /// How far ahead batches ask for memory, where a kernel takes the probe (see
  /// core/simd/remix_rounds.hpp); changes no answer.
  void tune(const BatchTuning& tuning) noexcept { tuning_ = tuning; }
  [[nodiscard]] const BatchTuning& tuning() const noexcept { return tuning_; }
};

}  // namespace bloomlab
