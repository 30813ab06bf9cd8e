// A filter that grows by equal filters: the compound rate grows about linearly with the keys.
// Source: Guo, Wu, Chen, Luo 2006, "Theory and network applications of dynamic Bloom filters",
// INFOCOM.
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

/// The description of Dynamic.
struct DynamicRules {
  static constexpr std::string_view name = "dynamic";
  static constexpr std::string_view summary =
      "equal standard filters, a new one whenever the last holds its capacity of keys";
  static constexpr std::string_view source =
      "Guo, Wu, Chen, Luo 2006, Theory and network applications of dynamic Bloom filters";

  struct Parameters {
    std::uint64_t m = 0;         ///< bits of each filter
    std::uint64_t k = 0;         ///< probes per key, in every filter
    std::uint64_t capacity = 0;  ///< c: keys that each filter takes
    friend bool operator==(const Parameters&, const Parameters&) = default;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"m", "bits", "size of each filter", 1, max_filter_bits}, p.m);
    visit(IntegerField{"k", "probes per key", "positions set for a key", 1, max_probes}, p.k);
    visit(IntegerField{"capacity", "keys", "keys that each filter takes", 1, max_filter_bits},
          p.capacity);
  }

  [[nodiscard]] static std::vector<Parameters> examples();
  [[nodiscard]] static LayerPlanner planner(const Parameters& p);
  [[nodiscard]] static std::optional<std::string> probe_fault(const Parameters& p,
                                                              const Probe& probe) {
    return detail::probe_fault(name, probe, p.m, p.k);
  }
  /// The closed form: `dynamic`.
  [[nodiscard]] static theory::Query prediction(const Parameters& p, std::uint64_t n);
  [[nodiscard]] static double rate(const Parameters& p, std::uint64_t n);
  [[nodiscard]] static Sizing<Parameters> sizing(const SizingGoal& goal);
  [[nodiscard]] static LinesRead lines(const Parameters& p, std::uint64_t n);
};

/// The dynamic filter: a new filter of m bits opens when the last one holds `capacity` keys. Every
/// key is stored, also one already reported.
using Dynamic = Layered<Standard, DynamicRules>;

}  // namespace bloomlab
