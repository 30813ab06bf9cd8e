// Kind `flow_counts`: packets of flows are counted in a counting filter, and flows from a threshold
// on are admitted to a treatment of their own. Flow sizes follow Zipf's law.
// Source: Fan, Cao, Almeida, Broder 2000, "Summary cache" (the filter); Estan, Varghese 2002, "New
// directions in traffic measurement and accounting" (the use).
#pragma once

#include "core/keys/keyed_permutation.hpp"
#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {

struct FlowCounts : OwnGridKind<FlowCounts> {
  static constexpr std::string_view name = "flow_counts";
  static constexpr std::string_view summary =
      "count the packets of flows in a counting filter; compare counts and admissions with the "
      "truth";

  struct Point {
    static constexpr std::string_view name = "trace";

    struct Parameters {
      std::uint64_t flows = 0;
      std::uint64_t largest = 0;
      std::uint64_t m = 0;
      std::uint64_t k = 0;
      std::uint64_t counter_bits = 0;
      std::uint64_t threshold = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(IntegerField{"flows", "flows", "distinct flows", 1, 10'000'000}, p.flows);
      visit(IntegerField{"largest", "packets",
                         "packets of the largest flow; that of rank r has largest / r, at least 1",
                         1, 10'000'000},
            p.largest);
      visit(IntegerField{"m", "counters", "counters of the filter", 2, 1 << 30}, p.m);
      visit(IntegerField{"k", "probes per key", "counters of a flow", 1, max_probes}, p.k);
      visit(IntegerField{"counter_bits", "bits", "size of a counter; it stays at its largest value",
                         2, 16},
            p.counter_bits);
      visit(IntegerField{"threshold", "packets", "count from which a flow is admitted", 1, 4096},
            p.threshold);
    }
  };

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// `measured`: flows; packets; over and under, flows whose count is too high and too low; excess
  /// and shortfall, the sums of those differences; true_positives, large flows admitted, and
  /// false_negatives; false_positives, small flows admitted, and true_negatives; filter_bytes;
  /// table_bytes, 13 of a flow's name and 4 of its count.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);

  /// What counts the packets of flows.
  class Counter {
   public:
    Counter() = default;
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    virtual ~Counter() = default;
    /// The flow sends so many packets.
    virtual void add(std::uint64_t flow, std::uint64_t packets) = 0;
    /// How many it has sent.
    [[nodiscard]] virtual std::uint64_t count(std::uint64_t flow) const = 0;
  };
  /// The same with this in the place of the filter, which is empty.
  static Measurement measure_with(Counter& counter, const Point::Parameters& at,
                                  const KeyedPermutation& keys);
};

}  // namespace bloomlab::experiments
