#include "planner/outlook.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/theory/domain_error.hpp"
#include "core/theory/levels.hpp"
#include "core/theory/scalable.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "planner/consequences.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"

namespace bloomlab::planner {
namespace {

constexpr int most_folds = 10;

/// How long n keys that grow by the factor stay at most `last` [years].
double years_to(std::uint64_t n, std::uint64_t last, double factor) {
  if (last <= n) return 0.0;
  return std::log(static_cast<double>(last) / static_cast<double>(n)) / std::log(factor);
}

/// Keys at the end of a year; nothing where 2^62 do not hold them.
std::optional<std::uint64_t> keys_after(std::uint64_t n, double factor, std::uint64_t year) {
  const double keys = std::round(static_cast<double>(n) * std::pow(factor, year));
  if (!(keys < 0x1p62)) return std::nullopt;
  return static_cast<std::uint64_t>(keys);
}

void add_scalable(const Plan& plan, GrowthYear& year) {
  for (const theory::Layer& layer : theory::scalable_layers(plan.p, 0.85, 2, plan.n, year.n)) {
    year.scalable_bits += whole_words(layer.m);
    ++year.scalable_layers;
  }
}

/// Halves the large filter as long as p holds.
void add_folded(const GrowthPlan& large, double p, GrowthYear& year) {
  year.folded_bits = large.large_bits;
  year.folded_rate = theory::exact_fpr(year.folded_bits, year.n, large.large_k);
  while (year.folded_bits % 128 == 0) {
    const double rate = theory::exact_fpr(year.folded_bits / 2, year.n, large.large_k);
    if (rate > p) return;
    year.folded_bits /= 2;
    year.folded_rate = rate;
  }
}

std::vector<GrowthYear> table_of(const Plan& plan, double factor, std::uint64_t years) {
  std::vector<GrowthYear> table;
  try {
    for (std::uint64_t year = 0; year <= years; ++year) {
      const auto n = keys_after(plan.n, factor, year);
      if (!n) break;
      GrowthYear row{.year = year, .n = *n};
      row.kept_rate = theory::exact_fpr(plan.m, row.n, plan.k);
      row.rebuilt_bits = whole_words(theory::smallest_filter_exact(row.n, plan.p).m);
      add_scalable(plan, row);
      table.push_back(row);
    }
  } catch (const theory::DomainError&) {
    return table;  // a size beyond the theory: what was possible remains
  }
  return table;
}

constexpr double squared_ln2 = std::numbers::ln2 * std::numbers::ln2;

/// The same, with the fault as the command line's.
std::vector<std::uint64_t> keys_of_levels(std::uint64_t n, std::uint64_t levels,
                                          std::uint64_t ratio) {
  try {
    return theory::keys_of_levels(n, levels, ratio);
  } catch (const theory::DomainError& fault) {
    throw record::InputError("--levels: " + std::string(fault.what()));
  }
}

double rate_of_level(std::uint64_t bits, std::uint64_t n) {
  return bits == 0 ? 1.0 : theory::optimal_k(bits, n).rate;
}

}  // namespace

double parse_growth(std::string_view what, std::string_view text) {
  const auto refuse = [&] {
    throw record::InputError(std::string(what) + ": found \"" + std::string(text) +
                             "\"; write how much n grows, such as 50%/year, 5%/month or 2x/year");
  };
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || slash < 2) refuse();
  const std::string_view period = text.substr(slash + 1);
  const double per_year = period == "year" ? 1.0 : period == "month" ? 12.0 : 0.0;
  const std::string number(text.substr(0, slash - 1));
  const char unit = text[slash - 1];
  if (per_year == 0.0 || (unit != '%' && unit != 'x') ||
      number.find_first_not_of("0123456789.") != std::string::npos) {
    refuse();
  }
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  const double factor = unit == '%' ? 1.0 + value / 100.0 : value;
  if (*end != '\0' || number.empty() || !(factor > 1.0) || !(factor <= 1000.0)) refuse();
  return std::pow(factor, per_year);
}

GrowthPlan growth_plan(const Plan& plan, double factor, std::uint64_t years) {
  GrowthPlan result{.factor = factor};
  result.last_keys = capacity(plan.m, plan.p, plan.k);
  result.years = years_to(plan.n, result.last_keys, factor);
  result.best_last_keys = std::max(capacity(plan.m, plan.p), result.last_keys);
  result.best_k = result.best_last_keys == result.last_keys
                      ? plan.k
                      : theory::optimal_k(plan.m, result.best_last_keys).k;
  result.best_years = years_to(plan.n, result.best_last_keys, factor);
  result.table = table_of(plan, factor, years);
  if (result.table.empty()) return result;
  for (const GrowthYear& row : result.table) {
    if (row.year > 0) result.rebuilt_keys += row.n;
  }
  // Large enough to be halved often: rounded up to 64 * 2^most_folds bits, where that is little.
  const auto last = theory::smallest_filter_exact(result.table.back().n, plan.p);
  std::uint64_t unit = std::uint64_t{64} << most_folds;
  while (unit > 64 && unit > last.m / 64) unit /= 2;
  result.large_bits = (last.m + unit - 1) / unit * unit;
  result.large_k = theory::optimal_k(result.large_bits, result.table.back().n).k;
  for (GrowthYear& row : result.table) add_folded(result, plan.p, row);
  return result;
}

LsmSplit lsm_split(std::uint64_t n, std::uint64_t bits, std::uint64_t levels, std::uint64_t ratio) {
  const std::vector<std::uint64_t> keys = keys_of_levels(n, levels, ratio);
  const std::vector<std::uint64_t> equal_bits = theory::equal_bits(keys, bits);
  const std::vector<std::uint64_t> best_bits = theory::best_bits(keys, bits);
  LsmSplit split;
  double none_equal = 1.0;
  double none_best = 1.0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const LsmLevel level{.n = keys[i],
                         .equal_bits = equal_bits[i],
                         .equal_rate = rate_of_level(equal_bits[i], keys[i]),
                         .best_bits = best_bits[i],
                         .best_rate = rate_of_level(best_bits[i], keys[i])};
    split.equal_reads += level.equal_rate;
    split.best_reads += level.best_rate;
    none_equal *= 1.0 - level.equal_rate;
    none_best *= 1.0 - level.best_rate;
    split.levels.push_back(level);
  }
  split.equal_any = 1.0 - none_equal;
  split.best_any = 1.0 - none_best;
  split.bits_for_equal_reads = theory::bits_for_reads(
      keys, static_cast<double>(levels) *
                std::exp(-static_cast<double>(bits) / static_cast<double>(n) * squared_ln2));
  return split;
}

Rotation rotation(std::uint64_t n, double p, std::uint64_t shares) {
  Rotation result{.filters = shares + 1, .keys = n / shares + (n % shares == 0 ? 0 : 1)};
  result.known = result.filters * result.keys;
  const auto sizes = theory::smallest_filter_exact(result.keys, each_of(p, result.filters));
  result.m = sizes.m;
  result.k = sizes.k;
  result.rate_of_each = theory::exact_fpr(sizes.m, result.keys, sizes.k);
  result.rate = any_of(result.rate_of_each, result.filters);
  result.memory_bits = result.filters * whole_words(sizes.m);
  return result;
}

}  // namespace bloomlab::planner
