// Laws of hits and of counters as functions of SQL: what follows from theory by more than a
// formula.
#include <cmath>
#include <stdexcept>

#include "analysis/kinds/deletion_laws.hpp"
#include "analysis/pages/function_support.hpp"
#include "analysis/pages/functions.hpp"
#include "statistics/ensemble.hpp"
#include "statistics/test.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::pages {

namespace {

using Arguments = std::span<const Value>;

/// Hits of filters whose rate is known with its spread: (hits, filters, queries, rate, sd).
struct Lawful {
  explicit Lawful(Arguments a)
      : hits(count_in(a[0], "hits")),
        sampling{count_in(a[1], "filters"), count_in(a[2], "queries")},
        law{number_in(a[3], "rate"), number_in(a[4], "sd") * number_in(a[4], "sd")} {}

  [[nodiscard]] statistics::Interval interval() const {
    return statistics::estimate_with_law(hits, sampling, law,
                                         statistics::thresholds::interval_level)
        .interval;
  }

  std::uint64_t hits;
  statistics::Sampling sampling;
  statistics::RateLaw law;
};

/// (m, n, k) and how many keys are deleted, where that is a whole number.
FilterAfterDeletions filter_of(Arguments a) {
  return {
      .m = count_in(a[0], "m"), .n = count_in(a[1], "n"), .k = count_in(a[2], "k"), .deletions = 0};
}

statistics::RateLaw after_deletions(Arguments a) {
  FilterAfterDeletions filter = filter_of(a);
  filter.deletions = count_in(a[3], "deletions");
  return rate_after_deleting(filter, count_in(a[4], "largest"));
}

}  // namespace

void add_law_functions(const Database& database) {
  add_function(database, "law_p", 5, [](Arguments a) -> Value {
    const Lawful counted(a);
    return statistics::test_ensemble_rate(counted.hits, counted.sampling, counted.law).p_value;
  });
  add_function(database, "law_low", 5,
               [](Arguments a) -> Value { return Lawful(a).interval().low; });
  add_function(database, "law_high", 5,
               [](Arguments a) -> Value { return Lawful(a).interval().high; });
  add_function(database, "lost_by_clearing", 4, [](Arguments a) -> Value {
    FilterAfterDeletions filter = filter_of(a);
    filter.deletions = count_in(a[3], "deletions");
    return lost_by_clearing(filter);
  });
  add_function(database, "lost_by_clearing_absent", 4, [](Arguments a) -> Value {
    return lost_by_clearing_absent_keys(filter_of(a), number_in(a[3], "deleted"));
  });
  add_function(database, "lost_by_wrong_deletions", 4, [](Arguments a) -> Value {
    return lost_by_wrong_deletions(filter_of(a), number_in(a[3], "deleted"));
  });
  add_function(database, "fpr_after_deletions", 5,
               [](Arguments a) -> Value { return after_deletions(a).rate; });
  add_function(database, "fpr_after_deletions_sd", 5,
               [](Arguments a) -> Value { return std::sqrt(after_deletions(a).variance); });
}

}  // namespace bloomlab::analysis::pages
