// The answer for a request: rates, waste, and the setting that keeps the rate with the fewest bits.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "core/theory/bounds.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/sizing.hpp"
#include "planner/systems/common.hpp"

namespace bloomlab::planner {
namespace {

std::uint64_t memory_of(const SystemFilter& filter) {
  return filter.memory_bits > 0 ? filter.memory_bits : filter.m;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

/// The line with the request's values, and those of its filter, in it.
std::string line_for(const SystemRequest& request, const SystemFilter& filter,
                     std::string_view shape) {
  std::string line(shape);
  replace_all(line, "{n}", std::to_string(request.n()));
  replace_all(line, "{k}", std::to_string(filter.k));
  replace_all(line, "{bytes}", std::to_string(filter.m / 8));
  for (const auto& [name, value] : request.values()) replace_all(line, "{" + name + "}", value);
  // What follows from n and was not set.
  for (const std::string_view keys : {"{capacity}", "{num_entries}"}) {
    replace_all(line, std::string(keys), std::to_string(request.n()));
  }
  return line;
}

/// A request that is built from its own printed values, and the filter.
struct Built {
  SystemRequest request;
  SystemFilter filter;
};

/// A request that is built from its own printed values, and what the system makes of it.
struct Candidate {
  SystemRequest request;
  SystemFilter filter;
  double rate;
};

SystemRequest read_back(const SystemRequest& request) {
  auto values = request.values();
  std::optional<double> p;
  if (const auto found = values.find("p"); found != values.end()) {
    p = std::strtod(found->second.c_str(), nullptr);
    values.erase(found);
  }
  return {request.system(), request.n(), p, values};
}

/// Keeps the smallest filter that the system builds and whose rate is at most p.
class Search {
 public:
  /// `built` is what the system makes of the request as it is.
  Search(const SystemRequest& request, const SystemFilter& built, double p)
      : request_(request), p_(p) {
    share_samples(built);
  }

  /// The first lever alone; where it does not do, with every value of the further ones; where that
  /// does not, each filter of the first lever, and of rates beyond its own.
  [[nodiscard]] std::optional<Candidate> best() {
    const auto levers = request_.system().levers;
    if (!levers.empty()) try_first(request_);
    if (!best_ && levers.size() > 1) try_others(request_, 1);
    if (!best_ && !levers.empty()) {
      each_ = true;
      seen_.clear();
      try_first(request_);
      each_ = false;
    }
    if (best_) best_->rate = best_->filter.rate();
    if (!best_ || best_->rate <= p_) return best_;
    stated_ = true;  // a rough rate was wrong: by stated ones alone
    best_.reset();
    seen_.clear();
    return best();
  }

 private:
  void try_others(const SystemRequest& request, std::size_t lever) {
    const auto levers = request_.system().levers;
    if (lever == levers.size()) {
      if (const std::optional<Built> one = built(request)) try_one(*one);
      try_first(request);
      return;
    }
    try_others(request, lever + 1);
    for (const std::string& value : levers[lever].values(request_)) {
      try_others(request.with(levers[lever].setting, value), lever + 1);
    }
  }

  /// Values come in the order of their memory: the first that keeps the rate is enough. A rate by
  /// samples is evaluated from where its rough value comes near the goal; where none is found so,
  /// rough rates that are not far from it decide at which others.
  void try_first(const SystemRequest& request) {
    const SystemLever& lever = request_.system().levers.front();
    const std::vector<Built> all = built_all(request, lever);
    if (all.empty() || !seen_.insert(key_of(all)).second) return;
    const bool by_samples = std::ranges::any_of(
        all, [](const Built& one) { return static_cast<bool>(one.filter.rate_within); });
    if (each_) {
      // Sizes with a large divisor crowd strides: a later filter may be worse than an earlier one.
      (void)std::ranges::any_of(all, [this](const Built& one) {
        return !is_above(one.filter, rough_error, 2.0 * p_) && try_one(one);
      });
    } else if (!by_samples) {
      (void)std::ranges::any_of(all, [this](const Built& one) { return try_one(one); });
    } else if (!try_from(all, first_near(all))) {
      try_last(all);
    }
  }

  /// Outwards in growing steps to two of which only the later keeps the rate, then by halves.
  bool try_from(const std::vector<Built>& all, std::size_t at) {
    std::size_t from = 0;  // before it none keeps the rate
    std::size_t to = at;
    std::size_t step = 1;
    if (try_one(all[at])) {
      for (; from == 0 && to > 0; step *= 2) {
        const std::size_t next = to > step ? to - step : 0;
        if (try_one(all[next])) {
          to = next;
        } else {
          from = next + 1;
        }
      }
    } else {
      for (from = at + 1;; from = to + 1, step *= 2) {
        if (from >= all.size()) return false;
        to = std::min(from + step - 1, all.size() - 1);
        if (try_one(all[to])) break;
      }
    }
    while (from < to) {
      const std::size_t middle = from + (to - from) / 2;
      if (try_one(all[middle])) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return true;
  }

  /// From the last one back, as long as the rough rate is not far from the goal.
  void try_last(const std::vector<Built>& all) {
    constexpr double far = 1.5;
    for (std::size_t left = all.size(); left-- > 0;) {
      const bool found = try_one(all[left]);
      if (!found && (best_ || is_above(all[left].filter, rough_error, far * p_))) return;
    }
  }

  /// Further levers often leave the same filters.
  using Key = std::array<std::uint64_t, 5>;
  using Sampled = std::pair<Key, std::string>;  ///< a filter, with what else follows
  static constexpr double rough_error = 0.25;
  static Key key_of(const std::vector<Built>& all) {
    const SystemFilter& first = all.front().filter;
    const SystemFilter& last = all.back().filter;
    return {all.size(), first.m, first.k, last.m, last.k};
  }

  /// What the system builds for the values of a lever, without repetitions.
  [[nodiscard]] std::vector<Built> built_all(const SystemRequest& request,
                                             const SystemLever& lever) {
    std::vector<std::string> values = lever.values(request_);
    if (each_ && lever.setting == "p") {
      std::ranges::move(detail::rates_below(std::strtod(values.back().c_str(), nullptr)),
                        std::back_inserter(values));
    }
    std::vector<Built> all;
    for (const std::string& value : values) {
      std::optional<Built> one = built(request.with(lever.setting, value));
      if (!one && !all.empty() && lever.setting == "p")
        one = last_built(request, all.back(), value);
      if (!one || (!all.empty() && all.back().filter.m == one->filter.m &&
                   all.back().filter.k == one->filter.k)) {
        continue;
      }
      if (best_ && memory_of(one->filter) >= memory_of(best_->filter)) break;
      all.push_back(*std::move(one));
    }
    return all;
  }

  /// By halves: the lowest rate of so many digits as are printed that the system builds, between
  /// one that it does and one that it refuses.
  [[nodiscard]] std::optional<Built> last_built(const SystemRequest& request, const Built& before,
                                                const std::string& refused) {
    std::optional<Built> last;
    double good = before.request.p();
    double bad = std::strtod(refused.c_str(), nullptr);
    while (bad < good) {
      const std::string middle = detail::text_from((good + bad) / 2.0);
      const double p = std::strtod(middle.c_str(), nullptr);
      if (!(p < good)) break;
      std::optional<Built> one = built(request.with("p", middle));
      (one ? good : bad) = p;
      if (one) last = std::move(one);
    }
    return last;
  }

  /// By halves: the first whose rough rate is at most p, or the last.
  [[nodiscard]] std::size_t first_near(const std::vector<Built>& all) const {
    const auto* const first = std::to_address(all.begin());
    const auto* const last = std::to_address(all.end());
    const auto* const found = std::partition_point(
        first, last, [&](const Built& one) { return is_above(one.filter, rough_error, p_); });
    return std::min(static_cast<std::size_t>(found - first), all.size() - 1);
  }

  /// Whether the rate at this error is above a limit.
  static bool is_above(const SystemFilter& filter, double error, double limit) {
    if (filter.rate_above) return filter.rate_above(error, limit);
    return (filter.rate_within ? filter.rate_within(error) : filter.rate()) > limit;
  }

  /// The filter, with what was sampled of one that is the same.
  SystemFilter share_samples(SystemFilter filter) {
    if (!filter.rate_within) return filter;
    const std::uint64_t first = filter.layers.empty() ? 0 : filter.layers.front().n;
    const Sampled key = {{filter.m, filter.k, memory_of(filter), filter.layers.size(), first},
                         filter.remark};
    const SystemFilter& known = sampled_.try_emplace(key, filter).first->second;
    filter.rate = known.rate;
    filter.rate_within = known.rate_within;
    filter.rate_above = known.rate_above;
    return filter;
  }

  /// Whether the filter keeps p; by few samples where these tell.
  [[nodiscard]] bool keeps(const SystemFilter& filter) const {
    struct Look {
      double error;
      double margin;
    };
    if (filter.rate_within && !stated_) {
      for (const Look& look : {Look{rough_error, 4.0}, Look{0.05, 1.25}, Look{0.01, 1.05}}) {
        if (is_above(filter, look.error, look.margin * p_)) return false;
        if (look.margin * filter.rate_within(look.error) < p_) return true;
      }
    }
    return filter.rate() <= p_;
  }

  [[nodiscard]] std::optional<Built> built(const SystemRequest& changed) {
    try {
      SystemRequest request = read_back(changed);
      SystemFilter filter = share_samples(request.system().size(request));
      if (!filter.refused.empty()) return std::nullopt;
      return Built{std::move(request), std::move(filter)};
    } catch (const record::InputError&) {
      return std::nullopt;  // a value at which the system has no filter
    }
  }

  bool try_one(const Built& one) {
    if (best_ && memory_of(one.filter) >= memory_of(best_->filter)) return false;
    if (!keeps(one.filter)) return false;
    best_.emplace(Candidate{one.request, one.filter, 0.0});
    return true;
  }

  const SystemRequest& request_;
  double p_;
  std::optional<Candidate> best_;
  bool stated_ = false;  ///< whether only stated rates count
  bool each_ = false;    ///< whether every filter is tried
  std::map<Sampled, SystemFilter> sampled_;
  std::set<Key> seen_;  ///< lists of filters that were searched
};

void take_advice(SystemAnswer& answer, const Candidate& candidate) {
  const SystemFilter& filter = candidate.filter;
  answer.advice = line_for(candidate.request, filter,
                           filter.line.empty() ? candidate.request.system().line : filter.line);
  answer.advice_values = candidate.request.values();
  answer.advice_rate = candidate.rate;
  answer.advice_bits = memory_of(candidate.filter);
}

/// What is set today, with a p of so many digits as are printed: the lower one, so that the filter
/// is no smaller, or, where the system refuses that, the higher one.
Candidate as_printed(const SystemRequest& request, const SystemAnswer& answer) {
  const double p = request.p();
  if (!request.system().takes_p || !(p > 0.0)) return {request, answer.filter, answer.rate};
  for (const std::string& text : {detail::text_up_to(p), detail::text_from(p)}) {
    if (std::strtod(text.c_str(), nullptr) == p) break;
    try {
      SystemRequest rounded = request.with("p", text);
      SystemFilter filter = rounded.system().size(rounded);
      const double rate = filter.rate();
      if (filter.refused.empty()) return {std::move(rounded), std::move(filter), rate};
    } catch (const record::InputError&) {
      continue;  // a rate at which the system has no filter
    }
  }
  return {request, answer.filter, answer.rate};
}

/// What is set today stays unless something smaller keeps the rate.
void advise(SystemAnswer& answer, const SystemRequest& request) {
  const std::optional<double> p = request.requested();
  const Candidate today = as_printed(request, answer);
  take_advice(answer, today);
  answer.advice_keeps = today.filter.refused.empty() && (!p || today.rate <= *p);
  if (!p) return;
  const std::optional<Candidate> best = Search(today.request, today.filter, *p).best();
  if (best && !(answer.advice_keeps && memory_of(best->filter) >= memory_of(today.filter))) {
    take_advice(answer, *best);
    answer.advice_keeps = true;
  }
  if (!answer.advice_keeps) {
    answer.advice = line_for(request, answer.filter, request.system().no_line);
  }
}

}  // namespace

std::uint64_t SystemAnswer::wasted_bits() const {
  return memory_bits > optimal_bits ? memory_bits - optimal_bits : 0;
}

SystemAnswer answer_of(const SystemRequest& request) {
  constexpr std::uint64_t small = 4096;
  constexpr std::uint64_t few_probes = 12;
  SystemAnswer answer;
  answer.filter = request.system().size(request);
  const SystemFilter& filter = answer.filter;
  answer.rate = filter.rate();
  answer.rate_unrounded = filter.rate_unrounded();
  answer.memory_bits = memory_of(filter);
  const std::uint64_t n = request.n();
  if (filter.double_hashing && filter.m <= small && filter.k >= 1 && filter.k <= few_probes) {
    const double bound =
        theory::double_hashing_fpr(filter.m, n, filter.k, theory::Stride::any).rate;
    if (bound >= answer.rate) answer.rate_equal_strides = bound;
  }
  if (request.requested()) answer.keeps = answer.rate <= *request.requested();
  constexpr double rounding = 1e-12;
  if (answer.rate > 0.0 && answer.rate < 1.0 - rounding && filter.layout != "signature") {
    answer.optimal_bits = theory::smallest_filter_exact(n, answer.rate).m;
    answer.lower_bound_bits = theory::lower_bound_bits(n, answer.rate);
  }
  advise(answer, request);
  return answer;
}

SystemFit fit_of(const System& system, std::uint64_t n, double p, std::uint64_t memory_bits) {
  // Filters that grow are asked for no more than the rate of the request.
  constexpr double room = 16.0;
  constexpr double most = 0.5;
  const SystemRequest request(system, n, std::min(most, room * p), {});
  SystemFit fit;
  const auto take = [&](const SystemRequest& changed) {
    try {
      const SystemRequest printed = read_back(changed);
      SystemFilter filter = system.size(printed);
      const std::uint64_t memory = memory_of(filter);
      if (!filter.refused.empty()) {
        if (fit.memory_bits == 0) fit.refused = filter.refused;
        return;
      }
      const bool fits = memory <= memory_bits;
      const bool is_better = fits == fit.fits ? (memory > fit.memory_bits) == fits : fits;
      if (fit.memory_bits > 0 && (!is_better || memory == fit.memory_bits)) return;
      std::string line = line_for(printed, filter, filter.line.empty() ? system.line : filter.line);
      fit = {.line = std::move(line),
             .filter = std::move(filter),
             .memory_bits = memory,
             .fits = fits};
    } catch (const record::InputError& error) {
      if (fit.memory_bits == 0) fit.refused = error.what();  // a value without a filter
    }
  };
  if (system.levers.empty()) take(request);
  for (const SystemLever& lever :
       system.levers.first(std::min<std::size_t>(1, system.levers.size()))) {
    for (const std::string& value : lever.values(request)) take(request.with(lever.setting, value));
  }
  return fit;
}

}  // namespace bloomlab::planner
