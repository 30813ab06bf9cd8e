// A filter that grows without losing its rate: layers of standard filters, each larger and of a
// lower rate than the one before.
// Source: Almeida, Baquero, Preguica, Hutchison 2007, "Scalable Bloom filters", IPL 101.
#pragma once

#include <array>
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
#include "core/parameters.hpp"
#include "core/probe/probe.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// The scalable filter; sizes of its layers: ScalableLayers.
class Scalable {
 public:
  static constexpr std::string_view name = "scalable";
  static constexpr std::string_view summary =
      "layers of standard filters, each larger and of a lower rate; compound rate below target";
  static constexpr std::string_view source =
      "Almeida, Baquero, Preguica, Hutchison 2007, Scalable Bloom filters";
  static constexpr bool chooses_positions = false;
  static constexpr std::uint64_t max_growth = 1024;
  static constexpr std::array<std::string_view, 2> insert_policies = {"always", "skip_reported"};

  struct Parameters {
    double target = 0.0;               ///< P: bound of the compound rate, in (0, 1)
    double tightening = 0.0;           ///< r: ratio of the rates of two layers, in (0, 1)
    std::uint64_t growth = 0;          ///< s: ratio of the capacities of two layers, >= 1
    std::uint64_t first_capacity = 0;  ///< n0: keys that layer 0 takes, >= 1
    InsertPolicy insert_policy = InsertPolicy::always;
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(RealField{.name = "target",
                    .unit = "probability",
                    .meaning = "bound of the compound false-positive rate",
                    .min_excluded = true,
                    .max_excluded = true},
          p.target);
    visit(RealField{.name = "tightening",
                    .unit = "",
                    .meaning = "ratio of the rates of a layer and the one before",
                    .min_excluded = true,
                    .max_excluded = true},
          p.tightening);
    visit(IntegerField{"growth", "", "ratio of the capacities of a layer and the one before", 1,
                       max_growth},
          p.growth);
    visit(IntegerField{"first_capacity", "keys", "keys that the first layer takes", 1,
                       max_filter_bits},
          p.first_capacity);
    visit(ChoiceField{"insert_policy", "what becomes of a key that is already reported",
                      insert_policies, 0},
          p.insert_policy);
  }

  /// Parameters that show the filter at work, extreme ones included; the property tests run them.
  [[nodiscard]] static std::vector<Parameters> examples();
  /// A fault of the parameters as one line, or nothing.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p);
  /// The same, with this probe: it must take any m and any k.
  [[nodiscard]] static std::optional<std::string> check(const Parameters& p, const Probe& probe);
  /// Largest k of the layers that n stored keys need.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n) noexcept;
  /// Bits allocated for n stored keys; 2^64 - 1 where the filter cannot grow that far.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n) noexcept;
  /// The closed form of the rate after n distinct keys: `scalable`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);

  /// A filter with its first layer. Throws std::invalid_argument with the text of check(), and
  /// AllocationError.
  Scalable(const Parameters& p, const Probe& probe);

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
