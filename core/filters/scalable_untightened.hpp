// The growing filter of the lab report: layers double in size and all have the same rate, so the
// compound rate is not bounded.
// Source: the lab report of 2021, "Bloom filter against scalable Bloom filter", its program.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/digests.hpp"
#include "core/filter_state.hpp"
#include "core/filters/layer_stack.hpp"
#include "core/filters/sizing_goal.hpp"
#include "core/parameters.hpp"
#include "core/probe/probe.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The lab's filter; sizes of its layers: UntightenedLayers. Every key is stored, also one already
/// reported.
class ScalableUntightened {
 public:
  static constexpr std::string_view name = "scalable_untightened";
  static constexpr std::string_view summary =
      "layers of standard filters that double in size, all of one rate (the lab report's)";
  static constexpr std::string_view source =
      "lab report 2021, Bloom filter against scalable Bloom filter";
  static constexpr bool chooses_positions = false;

  struct Parameters {
    std::uint64_t m = 0;  ///< bits of the first layer
    std::uint64_t k = 0;  ///< probes per key, in every layer
    double fp = 0.0;      ///< rate at which a layer is full, in (0, 1)
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of the first layer; layer i has m 2^i bits", 1,
                       max_filter_bits},
          p.m);
    visit(IntegerField{"k", "probes per key", "positions set for a key", 1, max_probes}, p.k);
    visit(RealField{.name = "fp",
                    .unit = "probability",
                    .meaning = "rate at which a layer is full",
                    .min_excluded = true,
                    .max_excluded = true},
          p.fp);
  }

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// The same, with this probe: its reduction must take every m 2^i and its family k.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p, const Probe& probe);
  /// k, for any n.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// Bits allocated for n keys; 2^64 - 1 where the filter cannot grow that far.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `scalable_untightened`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  /// How it is sized for a goal (core/filters/sizing.hpp).
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  /// Cache lines that a lookup reads once n keys are in it.
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);

  /// A filter with its first layer. Throws std::invalid_argument with the text of check(), and
  /// AllocationError.
  ScalableUntightened(const Parameters& p, const Probe& probe);

  /// Inserts the keys, in order. Throws std::length_error when the filter cannot grow further.
  void insert(const DigestBatch& digests) { layers_.insert(digests); }
  /// Whether the filter reports each key. out.size() == digests.size.
  void contains(const DigestBatch& digests, std::span<Answer> out) const {
    layers_.contains(digests, out);
  }
  /// How many keys of the batch the filter reports.
  [[nodiscard]] std::uint64_t count_contained(const DigestBatch& digests) const {
    return layers_.count_contained(digests);
  }
  /// One key, inlined but for the opening of layers (core/filters/one_key.hpp).
  template <class Key>
  [[gnu::always_inline]] bool insert_one(const Key& key) {
    return layers_.insert_one(key);
  }
  template <class Key>
  [[gnu::always_inline]] [[nodiscard]] bool contains_one(const Key& key) const {
    return layers_.contains_one(key);
  }

  /// Counts per layer and the compound rate.
  [[nodiscard]] FilterState state() const { return layers_.state(); }
  /// Back to one empty layer.
  void clear() noexcept { layers_.clear(); }

  [[nodiscard]] const Parameters& parameters() const noexcept { return parameters_; }

  [[nodiscard]] const Probe& probe() const noexcept { return layers_.probe(); }

  /// What is written and read of it beside its parameters (core/serialization/contents.hpp).
  template <class Self, class Visitor>
  static void contents(Self& self, Visitor& visit) {
    LayerStack::contents(self.layers_, visit);
  }

 private:
  Parameters parameters_;
  LayerStack layers_;
};

}  // namespace bloomlab
