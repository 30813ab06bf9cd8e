// The growing filter of the lab report: layers double in size and all have the same rate, so the
// compound rate is not bounded.
// Source: the lab report of 2021, "Bloom filter against scalable Bloom filter", its program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/filters/fault.hpp"
#include "core/filters/layered.hpp"
#include "core/parameters.hpp"

namespace bloomlab {

/// The description of ScalableUntightened.
struct ScalableUntightenedRules {
  static constexpr std::string_view name = "scalable_untightened";
  static constexpr std::string_view summary =
      "layers of standard filters that double in size, all of one rate (the lab report's)";
  static constexpr std::string_view source =
      "lab report 2021, Bloom filter against scalable Bloom filter";

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

  [[nodiscard]] static std::vector<Parameters> examples();
  [[nodiscard]] static LayerPlanner planner(const Parameters& p);
  [[nodiscard]] static std::optional<std::string> probe_fault(const Parameters& p,
                                                              const Probe& probe) {
    if (auto fault = detail::probe_fault(name, probe, p.m, p.k)) return fault;
    return detail::probe_fault(name, probe, 2 * p.m, p.k);  // layers double: even sizes follow
  }
  /// The closed form: `scalable_untightened`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  [[nodiscard]] static double rate(const Parameters& p, std::uint64_t n);
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);
};

/// The lab's filter; sizes of its layers: UntightenedLayers. Every key is stored, also one already
/// reported.
using ScalableUntightened = Layered<Standard, ScalableUntightenedRules>;

}  // namespace bloomlab
