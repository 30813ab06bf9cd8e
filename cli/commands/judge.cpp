// bloomlab judge: judges the parameters of a filter that somebody already has, and what was counted
// of it.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "audit/observed.hpp"
#include "audit/schemes.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/judge/conjunction.hpp"
#include "cli/judge/observations.hpp"
#include "cli/judge/quantities.hpp"
#include "cli/judge/scheme_rates.hpp"
#include "cli/terminal.hpp"
#include "core/catalogue.hpp"
#include "core/filters/sizing.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "planner/judgement.hpp"
#include "planner/systems/system.hpp"
#include "planner/units.hpp"
#include "record/fields_json.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::cli {
namespace {

using record::InputError;
using record::Json;

struct JudgeOptions {
  std::vector<std::string> assignments;
  std::optional<std::string> preset;
  bool json = false;
};

/// Bits of the hash that is used, by its name or as a number; nothing where neither is given.
std::optional<std::uint64_t> given_hash_bits(Assignments& given,
                                             std::vector<std::string>& warnings) {
  constexpr std::string_view key_itself = "identity";
  const auto hash = given.take("hash");
  const auto bits = given.take("hash_bits");
  if (hash && bits) {
    throw InputError("judge: hash and hash_bits are both given; give one of them");
  }
  if (bits) return planner::parse_whole_bits("hash_bits", *bits, planner::widest_hash);
  if (hash && *hash != key_itself) return planner::hash_bits_of("judge", *hash);
  if (hash) warnings.push_back("the key itself is the hash: right for random keys alone");
  return std::nullopt;
}

/// What a filter of the catalogue says of itself.
struct OwnTheory {
  double rate = 0.0;
  std::uint64_t memory_bits = 0;
  std::uint64_t k = 0;
  theory::Query form = {};                               ///< the closed form of its rate
  double block_bits = 0.0;                               ///< of a filter of blocks that says so
  std::function<double(std::uint64_t)> rate_after = {};  ///< so many keys
};

/// A value of a filter's parameter as a config would hold it: a whole number, which bits and bytes
/// may be with a unit of memory, a number, or a word.
Json value_of(const record::FieldFacts& field, const std::string& text) {
  Json value = Json::parse(text, nullptr, false);
  if (value.is_number()) return value;
  const std::string unit = field.listed.value("unit", "");
  try {
    if (unit == "bits") return planner::parse_whole_bits(field.name, text);
    if (unit == "bytes") return planner::parse_bytes(field.name, text);
  } catch (const InputError&) {  // the reader of parameters says what the field allows
  }
  return text;
}

template <class Filter>
bool has_parameter(std::string_view name) {
  const auto fields = record::field_names<Filter>();
  return std::ranges::find(fields, name) != fields.end();
}

/// Judged are filters of m bits. k is the best one where the filter has it and none is given, and
/// refused where not.
template <class Filter>
std::uint64_t probes_of(const Quantities& quantities) {
  const std::string name(Filter::name);
  if (has_parameter<Filter>("k")) {
    return quantities.k ? *quantities.k : theory::optimal_k(*quantities.m, *quantities.n).k;
  }
  if (quantities.k) {
    throw InputError("judge: found k=" + std::to_string(*quantities.k) + "; " + name +
                     " has a fixed number of probes per key; leave out k");
  }
  return 0;
}

template <class Filter>
OwnTheory theory_of(Assignments& given, const Quantities& quantities) {
  const std::uint64_t k = probes_of<Filter>(quantities);
  Json json{{"kind", Filter::name}};
  for (const record::FieldFacts& field : record::field_facts<Filter>()) {
    const std::string& name = field.name;
    if (name == "m") {
      json[name] = *quantities.m;
    } else if (name == "k") {
      json[name] = k;
    } else if (const auto text = given.take(name)) {
      json[name] = value_of(field, *text);
    } else if (name == "block_bits" && Filter::name == "blocked") {
      json[name] = std::uint64_t{512};
    }
  }
  const record::Origin origin{"judge"};
  const auto parameters =
      record::read_selected<Filter>(record::JsonView(json, origin), Filter::name, "kind");
  if (const auto fault = Filter::check(parameters)) throw InputError("judge: " + *fault);
  const std::uint64_t n = *quantities.n;
  return {predicted_rate<Filter>(parameters, n),
          Filter::memory_bits(parameters, n),
          static_cast<std::uint64_t>(Filter::probes(parameters, n)),
          Filter::prediction(parameters, n),
          json.value("block_bits", 0.0),
          [parameters](std::uint64_t keys) { return predicted_rate<Filter>(parameters, keys); }};
}

/// What m counts in a filter of the catalogue: bits, or counters.
std::string size_unit(const std::string& filter) {
  std::string unit = "bits";
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    if (Filter::name != filter) return;
    for (const record::FieldFacts& field : record::field_facts<Filter>()) {
      if (field.name == "m") unit = field.listed.at("unit");
    }
  });
  return unit;
}

/// @param filter one of the catalogue
OwnTheory own_theory(Assignments& given, const std::string& filter, const Quantities& quantities) {
  OwnTheory result;
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    if (Filter::name == filter) result = theory_of<Filter>(given, quantities);
  });
  return result;
}

Json judgement_json(const planner::Configured& configured, const planner::Judgement& judgement,
                    std::uint64_t memory_bits) {
  return record::object(
      "n", configured.n, "m", configured.m, "k", configured.k, "filter", configured.filter,
      "scheme", configured.scheme.empty() ? Json(nullptr) : Json(configured.scheme), "rate",
      judgement.rate, "memory_bits", memory_bits, "standard_rate", judgement.standard_rate,
      "best_k", judgement.best_k, "best_rate", judgement.best_rate, "loss", judgement.loss,
      "smallest_m", judgement.smallest_m, "strided_rate", judgement.strided_rate, "expected_fill",
      judgement.fill, "hash_bits", configured.hash_bits, "hash_floor", judgement.hash_floor,
      "requested_rate", configured.requested_rate, "keeps_requested_rate", judgement.keeps,
      "warnings", judgement.warnings);
}

/// @param error relative, of a rate that is an estimate
std::string judgement_text(const planner::Configured& configured,
                           const planner::Judgement& judgement, std::uint64_t memory_bits,
                           double error = 0.0) {
  std::string text = configured.filter;
  if (!configured.scheme.empty()) text += ", " + configured.scheme;
  text += ": n = " + planner::spaced(configured.n);
  text += ", m = " + planner::spaced(configured.m) + ", k = " + std::to_string(configured.k);
  text += ", " + planner::iec_text(memory_bits) + "\n";
  text += "  rate        " + significant(judgement.rate, error > 0.0 ? 3 : 6) + ", ";
  text += planner::one_in_text(judgement.rate);
  if (error > 0.0) text += ", an estimate with a standard error of " + percent(error, 1);
  text += "\n";
  std::string best = "k = " + std::to_string(judgement.best_k) + " in a standard filter";
  if (configured.layered_bits > 0) {
    best += " of " + planner::spaced(configured.layered_bits) + " bits";
  }
  best += ": " + significant(judgement.best_rate, 6) + ", this is " +
          significant(judgement.loss, 4) + " times that";
  text += broken("  best        " + best + "\n", 14);
  if (judgement.smallest_m > 0) {
    text += "  smallest    " + planner::counted_text(judgement.smallest_m, "bit");
    text += " of a standard filter ";
    text += judgement.smallest_m == 1 ? "has this rate\n" : "have this rate\n";
  }
  text += "  fill        " + percent(judgement.fill) + " of a standard filter's bits\n";
  if (judgement.hash_floor) {
    text +=
        "  hash        equal hashes alone: rate " + significant(*judgement.hash_floor, 3) + "\n";
  }
  if (judgement.keeps) {
    text += *judgement.keeps ? "The requested rate is kept.\n" : "The requested rate is missed.\n";
  }
  for (const std::string& warning : judgement.warnings) {
    text += broken("warning: " + warning + "\n", 2);
  }
  return text;
}

std::string keys_text(const KeysSeen& seen) {
  std::string text = "  n           from the share that was seen, " + significant(seen.share, 3);
  if (seen.low < seen.high) {
    text += "; 95 % interval: " + planner::spaced(seen.low) + " to " + planner::spaced(seen.high);
  }
  return broken(text + "\n", 14);
}

/// A requested rate that is missed is a promise that does not hold.
int status_of(const planner::Judgement& judgement) {
  return judgement.keeps.value_or(true) ? done : failed;
}

audit::Layout layout_of(const planner::Configured& configured, const OwnTheory& own) {
  audit::Layout layout;
  layout.bits = static_cast<double>(configured.m);
  layout.k = static_cast<int>(std::max<std::uint64_t>(own.k, 1));
  layout.block_bits = own.block_bits;
  layout.form = own.form;
  using Kind = audit::Layout::Kind;
  layout.kind = Kind::other;
  for (const auto& [filter, kind] :
       {std::pair{"standard", Kind::standard}, std::pair{"counting", Kind::standard},
        std::pair{"partitioned", Kind::partitioned}, std::pair{"blocked", Kind::blocked},
        std::pair{"split_block", Kind::split_block}}) {
    if (configured.filter == filter) layout.kind = kind;
  }
  return layout;
}

bool is_right(const audit::ObservedJudgement& judged) {
  return judged.verdict == audit::Verdict::as_expected || judged.verdict == audit::Verdict::near;
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

/// What was seen, judged: added to the answer.
/// @return whether it is as it should be
bool judge_seen(const audit::Observed& observed, const Observations& seen, Json& answer,
                std::string& text) {
  const audit::ObservedJudgement judged = audit::judge(observed);
  answer.update(observations_json(judged, seen));
  text += observations_text(judged, seen, lines_of(text));
  return is_right(judged);
}

/// The filter that is said, and what to warn of.
struct Said {
  planner::Configured configured;
  OwnTheory own;
  std::vector<std::string> warnings;
  std::optional<KeysSeen> keys;  ///< where n was not given
};

/// Whether n follows from the one count that was given, and not from p.
bool follows_from_count(const Quantities& quantities, const std::string& filter,
                        const std::vector<std::string>& seen_texts) {
  return !quantities.n && !quantities.p && quantities.m && quantities.k &&
         (filter == "standard" || filter == "counting") && seen_texts.size() == 1 &&
         seen_texts.front().find('@') == std::string::npos;
}

Said take_filter(Assignments& given, const std::vector<std::string>& seen_texts) {
  Said said;
  planner::Configured& configured = said.configured;
  configured.filter = given.take("filter").value_or("standard");
  require_known(given, configured.filter);
  const std::string unit = size_unit(configured.filter);
  Quantities quantities = take_quantities(given, unit);
  if (follows_from_count(quantities, configured.filter, seen_texts)) {
    const Observations seen = read_observations(seen_texts, 1);
    said.keys = keys_seen(*quantities.m, *quantities.k, seen.all.front());
    quantities.n = said.keys->keys;
  }
  solve(quantities, configured.filter);
  configured.n = *quantities.n;
  configured.m = *quantities.m;
  configured.requested_rate = quantities.p;
  configured.scheme = take_scheme(given, configured.filter);
  configured.hash_bits = given_hash_bits(given, said.warnings);
  if (const auto text = given.take("reachable")) {
    quantities.m = std::min(configured.m, parse_size("reachable", *text, unit));
  }
  said.own = own_theory(given, configured.filter, quantities);
  if (*quantities.m < configured.m) {
    said.warnings.push_back("of " + planner::spaced(configured.m) + " bits " +
                            planner::spaced(*quantities.m) + " are reached");
    said.own.memory_bits += configured.m - *quantities.m;
    configured.m = *quantities.m;
  }
  configured.rate = said.own.rate;
  configured.k = said.own.k;
  if (configured.filter == "dynamic") configured.layered_bits = said.own.memory_bits;
  return said;
}

/// What was counted of the filter.
audit::Observed observed_of(const Said& said, const Observations& seen) {
  const planner::Configured& configured = said.configured;
  return {.layout = layout_of(configured, said.own),
          .planned = configured.n,
          .requested_rate = configured.requested_rate,
          .hash_bits = configured.hash_bits,
          .seen = seen.all,
          .scheme = configured.scheme};
}

int check_given(Assignments& given, const std::vector<std::string>& seen_texts, bool json) {
  std::optional<Conjunction> conjunction = take_conjunction(given);
  Said said = take_filter(given, seen_texts);
  planner::Configured& configured = said.configured;
  if (conjunction) evaluate(*conjunction, configured, !seen_texts.empty());
  const Observations seen = read_observations(seen_texts, configured.n);
  audit::Observed observed = observed_of(said, seen);
  SchemeRates rates(configured.scheme, configured.m, configured.k);
  audit::SchemeRate scheme;
  if (!configured.scheme.empty()) {
    rates.apply(observed, said.warnings);
    scheme = rates.after(configured.n);
    configured.rate = scheme.predicted.rate;
  }
  if (configured.hash_bits) {
    const std::uint64_t n = theory::different_hashes(*configured.hash_bits, configured.n);
    configured.rate_of_different =
        configured.scheme.empty() ? said.own.rate_after(n) : rates.after(n).predicted.rate;
  }
  planner::Judgement judgement = planner::judge(configured);
  judgement.warnings.insert(judgement.warnings.end(), said.warnings.begin(), said.warnings.end());
  Json answer = judgement_json(configured, judgement, said.own.memory_bits);
  if (!configured.scheme.empty()) {
    answer.update(record::object("scheme_law", scheme.law, "rate_error", scheme.predicted.error));
  }
  std::string text =
      judgement_text(configured, judgement, said.own.memory_bits, scheme.predicted.error);
  if (conjunction) {
    answer.update(
        record::object("together", conjunction->keys, "together_rate", conjunction->rate));
    text.insert(text.find("  best        "), conjunction_text(*conjunction));
  }
  int status = status_of(judgement);
  if (said.keys) {
    answer["n_from_seen"] =
        record::object("share", said.keys->share, "low", said.keys->low, "high", said.keys->high);
    text.insert(text.find("  rate        "), keys_text(*said.keys));
  } else if (!seen.all.empty() && !judge_seen(observed, seen, answer, text)) {
    status = failed;
  }
  print_answer(json, answer, text);
  return status;
}

/// A system's filter as the judge of counts takes it: its rate is the system's own. Layouts whose
/// closed form is not the system's are `other`.
audit::Observed observed_system(const planner::SystemRequest& request,
                                const planner::SystemFilter& filter, double own) {
  using Kind = audit::Layout::Kind;
  audit::Layout layout{
      .kind = Kind::other, .bits = static_cast<double>(filter.m), .k = static_cast<int>(filter.k)};
  const std::uint64_t n = request.n();
  constexpr double same = 1e-6;
  if (filter.layout == "standard") layout.kind = Kind::standard;
  for (const auto& [name, kind, block] : {std::tuple{"blocked", Kind::blocked, 512U},
                                          std::tuple{"split_block", Kind::split_block, 256U}}) {
    if (filter.layout != name || filter.m < block || filter.m % block != 0) continue;
    audit::Layout known = layout;
    known.kind = kind;
    // A system may take the positions in a block from 32 bits, of which a key may have the query's.
    const double load = static_cast<double>(n) * block / static_cast<double>(filter.m);
    if (std::abs(audit::rate(known, n) - own) <= same * own + load * 0x1p-32) layout = known;
  }
  audit::Observed observed{.layout = layout, .planned = n, .requested_rate = request.requested()};
  if (layout.kind != Kind::other && std::abs(audit::rate(layout, n) - own) <= same * own) {
    return observed;
  }
  // Of other numbers of keys it is known by its order alone: what strides add grows with the keys.
  observed.own_rate = [layout, n, own](std::uint64_t keys) {
    if (keys == n) return audit::Predicted{own};
    constexpr double doubt = 0.3;
    const double plain = audit::rate(layout, keys);
    const double added =
        (own - audit::rate(layout, n)) * static_cast<double>(keys) / static_cast<double>(n);
    const double rate = std::clamp(plain + added, 0.0, 1.0);
    return audit::Predicted{rate, doubt * std::min(1.0, std::abs(added) / std::max(rate, 1e-300))};
  };
  return observed;
}

int check_system(const std::string& where, const std::string& name, Assignments& given,
                 const std::vector<std::string>& seen_texts, bool json) {
  const planner::System& system = planner::system_called(where, name);
  const std::optional<std::uint64_t> n = given.take_keys();
  const std::optional<double> p = given.take_rate();
  const planner::SystemRequest request(system, n, p, given.rest());
  const planner::SystemFilter filter = system.size(request);
  if (filter.m == 0 || filter.k == 0) {
    throw InputError(where + " " + name + ": " + filter.remark);
  }
  planner::Configured configured{.n = request.n(), .m = filter.m, .k = filter.k};
  configured.filter = filter.layout;
  configured.rate = filter.rate();
  configured.requested_rate = p;
  if (filter.layout == "dynamic" || filter.layout == "scalable") {
    configured.layered_bits = filter.m;
  }
  audit::Observed observed = observed_system(request, filter, configured.rate);
  const Observations seen = read_observations(seen_texts, request.n());
  observed.seen = seen.all;
  if (observed.layout.kind == audit::Layout::Kind::other) {
    const auto odd = std::ranges::find_if(
        seen.all, [&](const audit::Observation& one) { return one.n != request.n(); });
    if (odd != seen.all.end()) {
      throw InputError("seen: found a count after " + planner::spaced(odd->n) + " keys; of " +
                       name + " only the rate after all n keys is known: count it after " +
                       planner::spaced(request.n()));
    }
  }
  const planner::Judgement judgement = planner::judge(configured);
  Json all = judgement_json(configured, judgement, filter.m);
  all.update(record::object("preset", system.name, "stated_rate", filter.stated_rate, "rule",
                            system.rule, "source", system.source, "remark", filter.remark));
  std::string text = broken(std::string(system.name) + ": " + std::string(system.rule) + "\n", 2) +
                     broken("  (" + std::string(system.source) + ")\n", 3) +
                     judgement_text(configured, judgement, filter.m);
  if (!filter.remark.empty()) text += broken("note: " + filter.remark + "\n", 2);
  int status = status_of(judgement);
  if (!seen.all.empty() && !judge_seen(observed, seen, all, text)) status = failed;
  print_answer(json, all, text);
  return status;
}

int judge_options(const JudgeOptions& options) {
  std::vector<std::string> assignments = options.assignments;
  const std::vector<std::string> seen = take_seen(assignments);
  Assignments given("judge", assignments);
  const auto system = given.take("system");
  if (system && options.preset) {
    throw InputError("judge: found --preset and system=" + *system + "; give one of them");
  }
  if (options.preset) return check_system("--preset", *options.preset, given, seen, options.json);
  if (system) return check_system("system", *system, given, seen, options.json);
  return check_given(given, seen, options.json);
}

}  // namespace

Action add_judge(CLI::App& parser) {
  auto options = std::make_shared<JudgeOptions>();
  parser
      .add_option("quantities", options->assignments,
                  "n=... m=... [k=...] [p=...] [filter=...] [hash=... or hash_bits=...] "
                  "[reachable=BITS] [scheme=NAME] [together=KEYS of a query] "
                  "[seen=FALSE_POSITIVES/ABSENT_KEYS[@KEYS] or "
                  "seen=@FILE.csv ...] and the filter's own "
                  "parameters, such as block_bits=512; n or m follows from p, and k is the best "
                  "where it is left out; or system=NAME n=... p=... and its settings")
      ->type_name(quantity);
  parser.add_option(
      "--preset", options->preset,
      "The same as system=NAME: size by the rules of a system, such as guava, cassandra or "
      "rocksdb; bloomlab system lists all");
  parser.add_flag("--json", options->json, "Print the same as JSON");
  parser.footer(
      "Exit status 1 if the rate p is missed, or what was seen is not as it should be.\n"
      "Examples: bloomlab judge n=10M m=95850584 k=7 p=1% hash=murmur3_32\n"
      "          bloomlab judge n=100k m=800k seen=115/5000\n"
      "          bloomlab judge n=1000 m=10000 scheme=double_hashing seen=@counts.csv\n"
      "          bloomlab judge system=guava n=1M p=1% seen=98/10000");
  return [options] { return judge_options(*options); };
}

}  // namespace bloomlab::cli
