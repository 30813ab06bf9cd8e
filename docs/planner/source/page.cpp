// The planner for the page in the browser: the texts of its fields go in, the answer comes out as a
// plain JavaScript object with the names of `bloomlab plan --json`. Whole numbers are BigInt.

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "audit/observed.hpp"
#include "core/parameters.hpp"
#include "core/theory/bounds.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "planner/comparison.hpp"
#include "planner/consequences.hpp"
#include "planner/curves.hpp"
#include "planner/plan.hpp"
#include "planner/rate_test.hpp"
#include "planner/systems/system.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"

namespace {

namespace audit = bloomlab::audit;
namespace planner = bloomlab::planner;
namespace theory = bloomlab::theory;
using emscripten::val;

template <class Value>
val list_of(const std::vector<Value>& values, const auto& shown) {
  val list = val::array();
  for (std::size_t i = 0; i < values.size(); ++i) {
    list.set(static_cast<unsigned>(i), shown(values[i]));
  }
  return list;
}

val texts(const std::vector<std::string>& values) {
  return list_of(values, [](const std::string& text) { return val(text); });
}

/// A fault and the field where it is; an empty name: it lies in how the fields go together.
val fault_of(const std::string& field, const std::string& message) {
  val fault = val::object();
  fault.set("field", field);
  fault.set("message", message);
  return fault;
}

/// The page has fields where the command line has options.
std::string in_words_of_the_page(std::string message) {
  static const std::array<std::pair<std::string, std::string>, 7> words = {
      {{"plan: ", ""},
       {"--items", "keys n"},
       {"--fpr", "rate p"},
       {"--bits", "bits m"},
       {"--probes", "probes k"},
       {"--memory", "memory"},
       {"--compatible", "compatible mode"}}};
  for (const auto& [option, word] : words) {
    for (std::size_t at = 0; (at = message.find(option, at)) != std::string::npos;
         at += word.size()) {
      message.replace(at, option.size(), word);
    }
  }
  return message;
}

/// The fields as a request; those that cannot be read add a fault each.
planner::Request request_of(const val& fields, std::vector<val>& faults) {
  planner::Request request;
  const auto read = [&](const std::string& field, const auto& parse, auto& target) {
    const auto text = fields[field].as<std::string>();
    if (text.empty()) return;
    try {
      target = parse(text);
    } catch (const std::exception& error) {
      faults.push_back(fault_of(field, error.what()));
    }
  };
  const auto count = [](const std::string& what, const std::string& things,
                        std::uint64_t most = planner::largest_quantity) {
    return [=](const std::string& text) { return planner::parse_count(what, text, things, most); };
  };
  read("items", count("keys n", "keys"), request.n);
  read(
      "fpr", [](const std::string& text) { return planner::parse_probability("rate p", text); },
      request.p);
  read("bits", count("bits m", "bits"), request.m);
  read(
      "memory", [](const std::string& text) { return planner::parse_memory("memory", text); },
      request.memory_bits);
  read("probes", count("probes k", "probes", bloomlab::max_probes), request.k);
  if (fields["mode"].as<std::string>() == "compatible") request.mode = planner::Mode::compatible;
  return request;
}

val parameters_of(const planner::Candidate& candidate) {
  val object = val::object();
  object.set("kind", candidate.filter);
  for (const auto& [name, value] : candidate.parameters) {
    std::visit([&object, &key = name](const auto& held) { object.set(key, held); }, value);
  }
  return object;
}

val candidate_of(const planner::Candidate& candidate) {
  val object = val::object();
  object.set("filter", candidate.filter);
  object.set("available", candidate.available());
  object.set("takes_keys_later", candidate.traits.takes_keys_later);
  object.set("deletes", candidate.traits.deletes);
  object.set("grows", candidate.traits.grows);
  object.set("exact", candidate.traits.exact);
  object.set("false_negatives", candidate.false_negatives);
  object.set("note", candidate.note);
  if (!candidate.available()) {
    object.set("unavailable", candidate.unavailable);
    return object;
  }
  object.set("parameters", parameters_of(candidate));
  object.set("rate", candidate.rate);
  object.set("memory_bits", candidate.memory_bits);
  object.set("bits_per_key", candidate.bits_per_key);
  object.set("lines_absent", candidate.lines.absent);
  object.set("lines_present", candidate.lines.present);
  object.set("fewest_hash_bits", candidate.fewest_hash_bits);
  object.set("measured", false);
  object.set("pareto", candidate.pareto);
  return object;
}

val recommendation_of(const planner::Comparison& comparison) {
  val object = val::object();
  object.set("filter", val::null());
  object.set("sentence", comparison.recommendation);
  if (comparison.recommended) {
    const planner::Candidate& taken = comparison.candidates[*comparison.recommended];
    object.set("filter", taken.filter);
    object.set("parameters", parameters_of(taken));
    object.set("rate", taken.rate);
    object.set("memory_bits", taken.memory_bits);
    object.set("bits_per_key", taken.bits_per_key);
  }
  return object;
}

val shift_of(const planner::Shift& shift) {
  val object = val::object();
  object.set("change", shift.change);
  object.set("n", shift.n);
  object.set("m", shift.m);
  object.set("k", shift.k);
  object.set("rate", shift.rate);
  object.set("ratio", shift.ratio);
  return object;
}

val growth_of(const planner::Growth& row) {
  val object = val::object();
  object.set("factor", row.factor);
  object.set("n", row.n);
  object.set("plain_bits", row.plain_bits);
  object.set("scalable_bits", row.scalable_bits);
  object.set("layers", row.layers);
  object.set("scalable_less_up_to", row.scalable_less_up_to);
  return object;
}

val sensitivity_of(const planner::Sensitivity& sensitivity) {
  val object = val::object();
  object.set("elasticity", sensitivity.elasticity);
  object.set("most_keys", sensitivity.most_keys);
  object.set("most_keys_at_twice_the_rate", sensitivity.most_keys_at_twice_the_rate);
  object.set("most_keys_at_ten_times_the_rate", sensitivity.most_keys_at_ten_times_the_rate);
  object.set("growth", list_of(sensitivity.growth, growth_of));
  object.set("shifts", list_of(sensitivity.shifts, shift_of));
  return object;
}

val plan_of(const planner::Plan& plan) {
  val object = val::object();
  object.set("n", plan.n);
  object.set("p", plan.p);
  object.set("rate", plan.rate);
  object.set("m", plan.m);
  object.set("k", plan.k);
  object.set("memory_bits", plan.memory_bits);
  const bool guaranteed = plan.mode == planner::Mode::guaranteed;
  object.set("mode", guaranteed ? "guaranteed" : "compatible");
  object.set("solved_for", texts(plan.solved_for));
  object.set("keeps_promise", plan.keeps_promise());
  object.set("warnings", texts(plan.warnings));
  object.set("bits_per_key", plan.bits_per_key());
  object.set("approximate_rate", plan.approximate_rate);
  object.set("fewest_probes", plan.fewest_probes);
  object.set("optimal_k_real", theory::optimal_k_real(plan.m, plan.n));
  object.set("expected_fill",
             theory::mean_set_bits(plan.m, plan.n, plan.k) / static_cast<double>(plan.m));
  object.set("lower_bound_bits", theory::lower_bound_bits(plan.n, plan.p));
  return object;
}

val figure_of(const planner::RateChart& chart) {
  val object = val::object();
  object.set("name", chart.name);
  object.set("title", chart.title);
  object.set("label", chart.x_label);
  object.set("series", list_of(chart.curves, [](const planner::Curve& curve) {
               val line = val::object();
               line.set("name", curve.name);
               line.set("points", list_of(curve.points, [](const auto& point) {
                          val pair = val::array();
                          pair.set(0, point.first);
                          pair.set(1, point.second);
                          return pair;
                        }));
               return line;
             }));
  return object;
}

/// What `solve` found last, for the parts that are asked for one by one.
std::optional<planner::Plan>& solved() {
  static std::optional<planner::Plan> plan;
  return plan;
}

/// @param fields the texts `items`, `fpr`, `bits`, `memory`, `probes`, empty where nothing is
/// given, and `mode`. @return the head of plan --json, or `faults`: a list of field and message.
val solve(const val& fields) {
  std::vector<val> faults;
  solved().reset();
  try {
    const planner::Request request = request_of(fields, faults);
    if (faults.empty()) {
      solved() = planner::plan(request);
      return plan_of(*solved());
    }
  } catch (const std::exception& error) {
    faults.push_back(fault_of("", in_words_of_the_page(error.what())));
  }
  val answer = val::object();
  answer.set("faults", list_of(faults, [](const val& fault) { return fault; }));
  return answer;
}

/// The comparison and the recommendation for the plan that was solved last.
val compare() {
  const planner::Comparison comparison = planner::compare_for(solved().value());
  val answer = val::object();
  answer.set("recommendation", recommendation_of(comparison));
  answer.set("comparison", list_of(comparison.candidates, candidate_of));
  return answer;
}

val sensitivity() { return sensitivity_of(planner::sensitivity_of(solved().value())); }

/// A whole number from 0 to `most`.
std::uint64_t count_from_zero(const std::string& what, const std::string& text,
                              const std::string& things, std::uint64_t most) {
  return text == "0" ? 0 : planner::parse_count(what, text, things, most);
}

constexpr std::uint64_t most_looked_up = std::uint64_t{1} << 50;

val cause_of(const audit::PossibleCause& cause) {
  val object = val::object();
  object.set("cause", cause.text);
  object.set("rate", cause.rates.front());
  object.set("mend", cause.mend);
  return object;
}

val judged_of(const audit::ObservedJudgement& judged, std::uint64_t reported) {
  const audit::JudgedObservation& one = judged.seen.front();
  val object = val::object();
  object.set("reported", reported);
  object.set("queries", one.seen.queries);
  object.set("share", one.seen.share);
  object.set("expected", one.expected);
  object.set("usual_from", one.low.value());
  object.set("usual_to", one.high.value());
  object.set("p_value", one.p_value.value());
  object.set("as_expected", judged.verdict == audit::Verdict::as_expected);
  object.set("causes", list_of(judged.causes, cause_of));
  object.set("count_next", val::null());
  if (const auto& next = judged.proposal) {
    val count = val::object();
    count.set("n", next->n);
    count.set("queries", next->queries);
    count.set("by_first_cause", next->first);
    count.set("by_second_cause", next->second);
    object.set("count_next", count);
  }
  return object;
}

/// What was counted of the standard filter that was solved last, `looked_up` absent keys, of which
/// it reported `reported`: beside what such a filter shows, and where that is off with the causes
/// that fit. @return by the names of `bloomlab judge --json`, or `faults`
val judge(const std::string& reported_text, const std::string& looked_up_text) {
  try {
    const planner::Plan& plan = solved().value();
    const std::uint64_t queries =
        planner::parse_count("absent keys looked up", looked_up_text, "keys", most_looked_up);
    const std::uint64_t reported =
        count_from_zero("false positives", reported_text, "keys", most_looked_up);
    if (reported > queries) {
      throw bloomlab::record::InputError("false positives: no more than the absent keys looked up");
    }
    const double share = static_cast<double>(reported) / static_cast<double>(queries);
    audit::Observed observed{.planned = plan.n};
    observed.layout.kind = audit::Layout::Kind::standard;
    observed.layout.bits = static_cast<double>(plan.m);
    observed.layout.k = static_cast<int>(plan.k);
    observed.seen = {{.n = plan.n, .queries = queries, .share = share}};
    return judged_of(audit::judge(observed), reported);
  } catch (const std::exception& error) {
    val answer = val::object();
    answer.set("faults", texts({error.what()}));
    return answer;
  }
}

/// A test of the rate p of what was solved last, by so many absent keys: the bound to assert for
/// the false alarm `alpha_text`, and where a bound is given what it is worth. @return as
/// `bloomlab threshold --json`, or `faults`
val test_rate(const std::string& queries_text, const std::string& limit_text,
              const std::string& alpha_text) {
  val answer = val::object();
  const auto set = [&](const char* name, const std::optional<double>& value) {
    answer.set(name, value ? val(*value) : val::null());
  };
  try {
    constexpr std::uint64_t most = 1'000'000'000'000;
    planner::RateTest test{.fpr = solved().value().p};
    test.trials = planner::parse_count("absent keys", queries_text, "absent keys", most);
    test.alpha = planner::parse_probability("false alarm", alpha_text);
    answer.set("fpr", test.fpr);
    answer.set("trials", test.trials);
    answer.set("power", test.power);
    if (limit_text.empty()) {
      const planner::RateTestPlan plan = planner::plan_rate_test(test);
      answer.set("max_false_positives", plan.max_false_positives);
      answer.set("false_alarm", plan.false_alarm);
      set("detected_factor", plan.detected_factor);
      return answer;
    }
    const std::uint64_t limit =
        count_from_zero("limit", limit_text, "false positives", test.trials);
    const planner::LimitVerdict verdict = planner::judge_limit(test, limit);
    answer.set("limit", limit);
    answer.set("false_alarm", verdict.false_alarm);
    set("detected_factor", verdict.detected_factor);
    answer.set("least_limits", list_of(verdict.least_limits, [](const auto& one) {
                 val row = val::object();
                 row.set("alpha", one.alpha);
                 row.set("limit", one.limit);
                 row.set("false_alarm", one.false_alarm);
                 return row;
               }));
  } catch (const std::exception& error) {
    answer.set("faults", texts({error.what()}));
  }
  return answer;
}

/// What every system in production builds of the keys and the memory of what was solved last.
val systems() {
  const planner::Plan& plan = solved().value();
  constexpr double lowest = 1e-12;
  constexpr double rough = 0.02;  // relative standard error, where a rate is a mean of samples
  val list = val::array();
  unsigned at = 0;
  for (const planner::System& system : planner::systems()) {
    val row = val::object();
    row.set("system", std::string(system.name));
    row.set("source", std::string(system.source));
    const planner::SystemFit fit =
        planner::fit_of(system, plan.n, std::clamp(plan.rate, lowest, 0.5), plan.memory_bits);
    row.set("refused", fit.refused);
    if (fit.refused.empty()) {
      const planner::SystemFilter& filter = fit.filter;
      row.set("line", fit.line);
      row.set("fits", fit.fits);
      row.set("memory_bits", fit.memory_bits);
      row.set("k", filter.k);
      row.set("rate", filter.rate_within ? filter.rate_within(rough) : filter.rate());
    }
    list.set(at++, row);
  }
  return list;
}

val figures() { return list_of(planner::rate_charts(solved().value()), figure_of); }

}  // namespace

EMSCRIPTEN_BINDINGS(planner) {
  emscripten::function("solve", &solve);
  emscripten::function("compare", &compare);
  emscripten::function("sensitivity", &sensitivity);
  emscripten::function("figures", &figures);
  emscripten::function("systems", &systems);
  emscripten::function("judge", &judge);
  emscripten::function("test_rate", &test_rate);
  emscripten::function("significant", &bloomlab::significant);
  emscripten::function("grouped", &bloomlab::grouped);
  emscripten::function("one_in", &planner::one_in_text);
  emscripten::function("memory_text", &planner::iec_text);
}
