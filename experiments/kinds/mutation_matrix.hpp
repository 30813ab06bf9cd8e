// Kind `mutation_matrix`: the laboratory judges itself by seeded defects. Filters that are wrong on
// purpose (experiments/mutants) are filled and asked as any other, and it is left to the analysis
// to say from how many keys and queries on it catches them.
#pragma once

#include "experiments/kinds/own_grid.hpp"
#include "experiments/mutants/mutant.hpp"

namespace bloomlab::experiments {

struct MutationMatrix : OwnGridKind<MutationMatrix> {
  static constexpr std::string_view name = "mutation_matrix";
  static constexpr std::string_view summary =
      "fill filters with seeded defects and ask them: does the laboratory catch each?";

  /// Absent keys queried before the first observation; ten times as many before every further one.
  static constexpr std::uint64_t first_queries = 1000;

  struct Parameters {
    std::uint64_t max_queries = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"max_queries", "queries",
                       "absent keys queried in all; observed after 1000, 10 000, ... and these",
                       first_queries, 1'000'000'000'000},
          p.max_queries);
  }

  /// What is measured.
  struct Point {
    static constexpr std::string_view name = "mutant";

    /// The number of a mutant in mutants().
    enum class Defect : std::uint32_t {};

    struct Parameters {
      Defect defect{};
      std::uint64_t n = 0;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(ChoiceField{"defect", "what is wrong; none_... for filters without a defect",
                        mutant_names()},
            p.defect);
      visit(IntegerField{"n", "keys", "distinct keys inserted", 1, max_n}, p.n);
    }

    /// Sizes of all mutants, up to 100 bits per key, stay far below the largest filter.
    static constexpr std::uint64_t max_n = std::uint64_t{1} << 36;
  };

  /// A fault of the point as a text, or nothing.
  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);

  /// Of one trial, roughly [bytes].
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  /// Of one trial on one thread, roughly [s].
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Absent keys queried before observation `step`, 1 .. steps(p).
  static std::uint64_t queries_at(const Parameters& p, std::uint64_t step);
  /// Observations of every trial of a point.
  static std::uint64_t steps(const Parameters& p);

  /// Fills the mutant, looks up every inserted key, then absent keys. One measurement a step with
  /// the usual counts, those of absent keys cumulative, by keys of the source `uniform` and the
  /// hash xxhash3_64; false negatives are a result. Beside them `control`, the mutant without the
  /// defect, and what a right filter is: `filter` as a cell has it, and `probe`, its hashing
  /// scheme, where it has one.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
};

}  // namespace bloomlab::experiments
