#include "cli/judge/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "core/catalogue.hpp"
#include "core/parameters.hpp"
#include "core/theory/sizing.hpp"
#include "planner/plan.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/parameters_json.hpp"
#include "record/suggest.hpp"
#include "statistics/interval.hpp"

namespace bloomlab::cli {

using record::InputError;

void require_known(const Assignments& given, const std::string& filter) {
  std::vector<std::string_view> filters;
  std::vector<std::string_view> quantities = {
      "n",    "m",         "k",         "p",    "fpr",    "filter",  "scheme",
      "hash", "hash_bits", "reachable", "seen", "system", "together"};
  bool has_size = false;
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    filters.push_back(Filter::name);
    if (Filter::name != filter) return;
    for (const std::string_view field : record::field_names<Filter>()) {
      has_size |= field == "m";
      if (field != "m" && field != "k") quantities.push_back(field);
    }
  });
  if (std::ranges::find(filters, filter) == filters.end()) {
    throw InputError("judge: unknown filter \"" + filter + "\"; " +
                     record::suggestion(filter, filters));
  }
  if (!has_size) {
    throw InputError("judge: " + filter +
                     " is not sized by m; give a filter of m bits, such as standard or blocked; "
                     "bloomlab plan compares all");
  }
  given.require_known(quantities);
}

std::uint64_t parse_size(std::string_view what, std::string_view text, std::string_view unit) {
  return unit == "bits" ? planner::parse_bits(what, text) : planner::parse_count(what, text, unit);
}

Quantities take_quantities(Assignments& given, std::string_view size_unit) {
  Quantities taken;
  if (const auto text = given.take("n")) taken.n = planner::parse_count("n", *text, "keys");
  if (const auto text = given.take("m")) taken.m = parse_size("m", *text, size_unit);
  if (const auto text = given.take("k"))
    taken.k = planner::parse_count("k", *text, "probes", max_probes);
  taken.p = given.take_rate();
  return taken;
}

void solve(Quantities& quantities, const std::string& filter) {
  if (quantities.n && quantities.m) return;
  const std::string missing = quantities.n ? "m" : "n";
  const bool solvable = quantities.p && (quantities.n || quantities.m);
  if (!solvable) {
    throw InputError("judge: " + missing + " is missing; give n and m, such as n=1M m=10M k=7, " +
                     "or one of them and the rate p, or a --preset");
  }
  const double p = *quantities.p;
  // Counters have the rate of bits.
  if (filter != "standard" && filter != "counting") {
    throw InputError("judge: " + missing + " is missing with filter=" + filter +
                     "; it follows from p for a standard filter alone: give n and m; bloomlab plan "
                     "--all sizes all filters");
  }
  if (quantities.n) {
    quantities.m = quantities.k ? planner::fewest_bits(*quantities.n, p, *quantities.k)
                                : theory::smallest_filter_exact(*quantities.n, p).m;
    return;
  }
  quantities.n = quantities.k ? planner::capacity(*quantities.m, p, *quantities.k)
                              : planner::capacity(*quantities.m, p);
  if (*quantities.n == 0) {
    throw InputError("judge: " + std::to_string(*quantities.m) +
                     " bits keep the rate for no key; give more bits, or n");
  }
}

KeysSeen keys_seen(std::uint64_t m, std::uint64_t k, const audit::Observation& seen) {
  if (!(seen.share > 0.0 && seen.share < 1.0)) {
    throw InputError("judge: n is missing, and follows from no share of 0 or 1; give n");
  }
  const std::uint64_t keys = planner::capacity(m, seen.share, k);
  KeysSeen result{seen.share, std::max<std::uint64_t>(keys, 1), keys, keys};
  if (seen.queries > 0) {
    const auto hits =
        static_cast<std::uint64_t>(std::llround(seen.share * static_cast<double>(seen.queries)));
    const statistics::Interval share = statistics::clopper_pearson(hits, seen.queries, 0.95);
    result.low = planner::capacity(m, share.low, k);
    result.high = planner::capacity(m, share.high, k);
  }
  return result;
}

}  // namespace bloomlab::cli
