// Kind `judge_confusion`: the judge of counts (`bloomlab judge`, audit/observed.hpp) is shown
// counts of real filters with known causes (experiments/mutants/judged_filters.hpp): does it see
// that they are off, is the cause among those that it names, and does the second count that it
// proposes tell more?
#pragma once

#include "experiments/kinds/own_grid.hpp"
#include "experiments/mutants/judged_filters.hpp"

namespace bloomlab::experiments {

struct JudgeConfusion : OwnGridKind<JudgeConfusion> {
  static constexpr std::string_view name = "judge_confusion";
  static constexpr std::string_view summary =
      "show the judge of counts filters with known causes: does it name the right one?";

  struct Parameters {
    std::uint64_t most_queries = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(
        IntegerField{"most_queries", "queries",
                     "absent keys of a second count; where the judge asks for more, there is none",
                     1, 1'000'000'000},
        p.most_queries);
  }

  struct Point {
    static constexpr std::string_view name = "judged";

    /// The number of a defect in judged_defects().
    enum class Defect : std::uint32_t {};

    struct Parameters {
      Defect defect{};
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"defect", "what is wrong with the filter that is counted",
                        judged_defect_names()},
            p.defect);
    }
  };

  /// Of one trial, roughly [bytes].
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  /// Of one trial on one thread, roughly [s].
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Draws a filter, counts what it reports, and has the count judged; where a second count is
  /// proposed and not too long, the same filter is filled and counted anew as proposed, and both
  /// counts are judged together. `measured`: class, the true one; layout, n, m, k, as is said;
  /// queries, hits; off, whether the count was judged not to be as it should be; named, the classes
  /// that were named, the likeliest first, as one text; size, how many; place of the true class
  /// among them, from 1, 0 where it is not there. second_n and second_queries, the count that was
  /// proposed, or 0; second_hits where second_counted is 1, and then second_off, second_named, ...
  /// of both counts. A verdict near its limit may be another one with another library of
  /// mathematics.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
