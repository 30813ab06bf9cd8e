// bloomlab judge: judges the parameters of a filter that somebody already has, and what was counted
// of it.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "audit/observed.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/plan/answer.hpp"
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
#include "record/suggest.hpp"

namespace bloomlab::cli {
namespace {

using record::InputError;
using record::Json;

struct JudgeOptions {
  std::vector<std::string> assignments;
  std::optional<std::string> preset;
  bool json = false;
};

/// A count, also as a power of two, 2^34.
std::uint64_t count_of(const std::string& name, const std::string& text, std::string_view things,
                       std::uint64_t most = planner::largest_quantity) {
  constexpr std::string_view two = "2^";
  int exponent = 0;
  if (text.starts_with(two)) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + two.size(), end, exponent);
    if (read.ec == std::errc{} && read.ptr == end && exponent >= 0 && exponent <= 63 &&
        std::uint64_t{1} << exponent <= most) {
      return std::uint64_t{1} << exponent;
    }
  }
  return planner::parse_count(name, text, things, most);
}

/// Bits, or a size in memory: 10M, 2^34, 1.2MiB.
std::uint64_t bits_of(const std::string& name, const std::string& text) {
  const bool has_unit = text.ends_with('B') || text.ends_with('b') || text.ends_with("bit");
  return has_unit ? planner::parse_memory(name, text) : count_of(name, text, "bits");
}

/// n, m and k as far as they are given; the others follow from p.
struct Quantities {
  std::optional<std::uint64_t> n;
  std::optional<std::uint64_t> m;
  std::optional<std::uint64_t> k;
  std::optional<double> p;
};

Quantities take_quantities(Assignments& given) {
  Quantities taken;
  if (const auto text = given.take("n")) taken.n = count_of("n", *text, "keys");
  if (const auto text = given.take("m")) taken.m = bits_of("m", *text);
  if (const auto text = given.take("k")) taken.k = count_of("k", *text, "probes", max_probes);
  taken.p = given.take_rate();
  return taken;
}

/// Most keys at which a standard filter keeps the rate.
std::uint64_t most_keys(std::uint64_t m, std::uint64_t k, double p) {
  std::uint64_t low = 0;
  std::uint64_t high = m;
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (theory::exact_fpr(m, middle, k) <= p) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// Fills in n or m, which a standard filter of the rate p has. k follows in any case: the best one.
void solve(Quantities& quantities) {
  if (quantities.n && quantities.m) return;
  const bool solvable = quantities.p && (quantities.n || quantities.m);
  if (!solvable) {
    const std::string missing = quantities.n ? "m" : "n";
    throw InputError("judge: " + missing + " is missing; give n and m, such as n=1M m=10M k=7, " +
                     "or one of them and the rate p, or a --preset");
  }
  if (quantities.n) {
    quantities.m = theory::smallest_filter_exact(*quantities.n, *quantities.p).m;
    return;
  }
  const auto best =
      static_cast<std::uint64_t>(std::clamp(std::round(-std::log2(*quantities.p)), 1.0, 256.0));
  quantities.n = most_keys(*quantities.m, quantities.k.value_or(best), *quantities.p);
  if (*quantities.n == 0) {
    throw InputError("judge: " + std::to_string(*quantities.m) +
                     " bits keep the rate for no key; give more bits, or n");
  }
}

/// Bits of the hash that is used, by its name or as a number; nothing where neither is given.
std::optional<std::uint64_t> given_hash_bits(Assignments& given,
                                             std::vector<std::string>& warnings) {
  constexpr std::string_view key_itself = "identity";
  const auto hash = given.take("hash");
  const auto bits = given.take("hash_bits");
  if (hash && bits) {
    throw InputError("judge: hash and hash_bits are both given; give one of them");
  }
  if (bits) return planner::parse_count("hash_bits", *bits, "bits", planner::widest_hash);
  if (hash && *hash != key_itself) return planner::hash_bits_of("judge", *hash);
  if (hash) warnings.push_back("the key itself is the hash: right for random keys alone");
  return std::nullopt;
}

/// What a filter of the catalogue says of itself.
struct OwnTheory {
  double rate = 0.0;
  std::uint64_t memory_bits = 0;
  std::uint64_t k = 0;
  theory::Query form = {};  ///< the closed form of its rate
  double block_bits = 0.0;  ///< of a filter of blocks that says so
};

/// A value as a config would hold it: a whole number, a number, or a word.
Json value_of(const std::string& text) {
  const Json value = Json::parse(text, nullptr, false);
  return value.is_number() ? value : Json(text);
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
  if (!has_parameter<Filter>("m")) {
    throw InputError("judge: " + name +
                     " is not sized by m; give a filter of m bits, such as standard or blocked; "
                     "bloomlab plan compares all");
  }
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
  for (const std::string_view field : record::field_names<Filter>()) {
    const std::string name(field);
    if (name == "m") {
      json[name] = *quantities.m;
    } else if (name == "k") {
      json[name] = k;
    } else if (const auto text = given.take(name)) {
      json[name] = value_of(*text);
    } else if (name == "block_bits" && Filter::name == "blocked") {
      json[name] = std::uint64_t{512};
    }
  }
  const record::Origin origin{"judge"};
  const auto parameters =
      record::read_selected<Filter>(record::JsonView(json, origin), Filter::name, "kind");
  if (const auto fault = Filter::check(parameters)) throw InputError("judge: " + *fault);
  const std::uint64_t n = *quantities.n;
  return {predicted_rate<Filter>(parameters, n), Filter::memory_bits(parameters, n),
          static_cast<std::uint64_t>(Filter::probes(parameters, n)),
          Filter::prediction(parameters, n), json.value("block_bits", 0.0)};
}

OwnTheory own_theory(Assignments& given, const std::string& filter, const Quantities& quantities) {
  std::vector<std::string_view> known;
  std::optional<OwnTheory> result;
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    known.push_back(Filter::name);
    if (Filter::name == filter) result = theory_of<Filter>(given, quantities);
  });
  if (result) return *result;
  throw InputError("judge: unknown filter \"" + filter + "\"; " +
                   record::suggestion(filter, known));
}

Json judgement_json(const planner::Configured& configured, const planner::Judgement& judgement,
                    std::uint64_t memory_bits) {
  return record::object(
      "n", configured.n, "m", configured.m, "k", configured.k, "filter", configured.filter, "rate",
      judgement.rate, "memory_bits", memory_bits, "standard_rate", judgement.standard_rate,
      "best_k", judgement.best_k, "best_rate", judgement.best_rate, "loss", judgement.loss,
      "smallest_m", judgement.smallest_m, "strided_rate", judgement.strided_rate, "expected_fill",
      judgement.fill, "hash_bits", configured.hash_bits, "hash_floor", judgement.hash_floor,
      "requested_rate", configured.requested_rate, "keeps_requested_rate", judgement.keeps,
      "warnings", judgement.warnings);
}

std::string judgement_text(const planner::Configured& configured,
                           const planner::Judgement& judgement, std::uint64_t memory_bits) {
  std::string text = configured.filter + ": n = " + planner::spaced(configured.n);
  text += ", m = " + planner::spaced(configured.m) + ", k = " + std::to_string(configured.k);
  text += ", " + planner::iec_text(memory_bits) + "\n";
  text += "  rate        " + significant(judgement.rate, 6) + ", ";
  text += planner::one_in_text(judgement.rate) + "\n";
  text += "  best        k = " + std::to_string(judgement.best_k) + " in a standard filter: ";
  text += significant(judgement.best_rate, 6) + ", this is " + significant(judgement.loss, 4);
  text += " times that\n";
  if (judgement.smallest_m > 0) {
    text += "  smallest    " + planner::spaced(judgement.smallest_m);
    text += " bits of a standard filter have this rate\n";
  }
  text += "  fill        " + percent(judgement.fill) + " of a standard filter's bits\n";
  if (judgement.hash_floor) {
    text +=
        "  hash        equal hashes alone: rate " + significant(*judgement.hash_floor, 3) + "\n";
  }
  if (judgement.keeps) {
    text += *judgement.keeps ? "The requested rate is kept.\n" : "The requested rate is missed.\n";
  }
  for (const std::string& warning : judgement.warnings) text += "warning: " + warning + "\n";
  return text;
}

/// A requested rate that is missed is a promise that does not hold.
int status_of(const planner::Judgement& judgement) {
  return judgement.keeps.value_or(true) ? done : failed;
}

/// One observation: 115/5000 or 25%, and behind @ after how many keys, if not n.
audit::Observation observation_of(const std::string& text, std::uint64_t n) {
  const auto refuse = [&]() -> InputError {
    return InputError("seen: found \"" + text +
                      "\"; write false positives and absent keys, such as seen=115/5000, a share, "
                      "seen=2.3%, and behind @ the keys that were inserted, seen=115/5000@60k");
  };
  audit::Observation seen{.n = n};
  const std::size_t at = text.find('@');
  if (at != std::string::npos) seen.n = count_of("seen", text.substr(at + 1), "keys");
  const std::string what = text.substr(0, at);
  const std::size_t slash = what.find('/');
  if (slash == std::string::npos) {
    if (what.empty()) throw refuse();
    seen.share = planner::parse_share("seen", what);
    return seen;
  }
  constexpr std::uint64_t most = std::uint64_t{1} << 50;
  const std::string hits = what.substr(0, slash);
  if (hits.empty() || slash + 1 == what.size()) throw refuse();
  seen.queries = count_of("seen", what.substr(slash + 1), "absent keys", most);
  const std::uint64_t reported = hits == "0" ? 0 : count_of("seen", hits, "false positives", most);
  if (reported > seen.queries) {
    throw InputError("seen: found " + text + "; no more than all absent keys can be reported");
  }
  seen.share = static_cast<double>(reported) / static_cast<double>(seen.queries);
  return seen;
}

/// The observations, whose texts are taken out of the assignments: there may be several.
std::vector<std::string> take_seen(std::vector<std::string>& assignments) {
  constexpr std::string_view name = "seen=";
  std::vector<std::string> seen;
  std::erase_if(assignments, [&](const std::string& text) {
    if (!text.starts_with(name)) return false;
    seen.push_back(text.substr(name.size()));
    return true;
  });
  return seen;
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

Json observations_json(const audit::ObservedJudgement& judged) {
  Json seen = Json::array();
  for (const audit::JudgedObservation& one : judged.seen) {
    seen.push_back(record::object("n", one.seen.n, "queries", one.seen.queries, "share",
                                  one.seen.share, "expected", one.expected, "usual_from", one.low,
                                  "usual_to", one.high, "p_value", one.p_value));
  }
  Json causes = Json::array();
  for (const audit::PossibleCause& cause : judged.causes) {
    causes.push_back(record::object("class", audit::name(cause.kind), "cause", cause.text, "rates",
                                    cause.rates, "p_value", cause.p_value, "mend", cause.mend));
  }
  Json json = record::object("observations", seen, "verdict", audit::name(judged.verdict),
                             "p_value", judged.p_value, "causes", causes);
  if (const auto& proposal = judged.proposal) {
    json["count_next"] =
        record::object("n", proposal->n, "queries", proposal->queries, "by_first_cause",
                       proposal->first, "by_second_cause", proposal->second);
  }
  return json;
}

std::string observation_text(const audit::JudgedObservation& one) {
  std::string text = "  seen        ";
  if (one.seen.queries > 0) {
    const double queries = static_cast<double>(one.seen.queries);
    text += planner::spaced(static_cast<std::uint64_t>(std::llround(one.seen.share * queries)));
    text += " of " + planner::spaced(one.seen.queries) + ", ";
  }
  text += significant(one.seen.share, 3) + ", after " + planner::spaced(one.seen.n) + " keys\n";
  text += "  expected    " + significant(one.expected, 3);
  if (one.low && one.high) {
    text += "; 95 of 100 filters show " + planner::spaced(static_cast<std::uint64_t>(*one.low)) +
            " to " + planner::spaced(static_cast<std::uint64_t>(std::max(0.0, *one.high)));
  }
  return text + "\n";
}

std::string p_text(double p_value) {
  constexpr double least = 1e-300;
  return p_value < least ? "p < 1e-300" : "p = " + significant(p_value, 2);
}

std::string observations_text(const audit::ObservedJudgement& judged) {
  std::string text;
  for (const audit::JudgedObservation& one : judged.seen) text += observation_text(one);
  using audit::Verdict;
  switch (judged.verdict) {
    case Verdict::as_expected:
      return text + "As it should be (" + p_text(judged.p_value) + ").\n";
    case Verdict::near:
      return text + "About as it should be; with the number of absent keys this could be tested.\n";
    case Verdict::off:
      text += "Not as it should be (" + p_text(judged.p_value) + "). ";
      break;
    case Verdict::far:
      text += "Not near what is expected. ";
      break;
  }
  if (judged.causes.empty()) return text + "No cause that is known fits.\n";
  text += "What fits, the likeliest first:\n";
  std::size_t number = 0;
  for (const audit::PossibleCause& cause : judged.causes) {
    text += "  " + std::to_string(++number) + ". " + cause.text + ": " +
            significant(cause.rates.front(), 3) + "\n";
    if (!cause.mend.empty()) text += "     " + cause.mend + "\n";
  }
  if (const auto& proposal = judged.proposal) {
    text += "To tell 1 from 2: insert " + planner::spaced(proposal->n) + " keys, look up " +
            planner::spaced(proposal->queries) +
            " absent ones: " + significant(proposal->first, 3) + " by 1, " +
            significant(proposal->second, 3) + " by 2.\n";
  } else if (judged.causes.size() > 1) {
    text += "Rates do not tell 1 from 2.\n";
  }
  return text;
}

int check_given(Assignments& given, const std::vector<std::string>& seen_texts, bool json) {
  planner::Configured configured;
  Quantities quantities = take_quantities(given);
  solve(quantities);
  configured.n = *quantities.n;
  configured.m = *quantities.m;
  configured.requested_rate = quantities.p;
  configured.filter = given.take("filter").value_or("standard");
  std::vector<std::string> warnings;
  configured.hash_bits = given_hash_bits(given, warnings);
  Quantities reached = quantities;
  if (const auto text = given.take("reachable")) {
    reached.m = std::min(configured.m, bits_of("reachable", *text));
  }
  OwnTheory own = own_theory(given, configured.filter, reached);
  if (*reached.m < configured.m) {
    warnings.push_back("of " + planner::spaced(configured.m) + " bits " +
                       planner::spaced(*reached.m) + " are reached");
    own.memory_bits += configured.m - *reached.m;
    configured.m = *reached.m;
  }
  given.require_all_taken({"n", "m", "k", "p", "filter", "hash", "hash_bits", "reachable", "seen"});
  configured.rate = own.rate;
  configured.k = own.k;
  planner::Judgement judgement = planner::judge(configured);
  judgement.warnings.insert(judgement.warnings.end(), warnings.begin(), warnings.end());
  Json answer = judgement_json(configured, judgement, own.memory_bits);
  std::string text = judgement_text(configured, judgement, own.memory_bits);
  int status = status_of(judgement);
  if (!seen_texts.empty()) {
    audit::Observed observed{.layout = layout_of(configured, own),
                             .planned = configured.n,
                             .requested_rate = configured.requested_rate,
                             .hash_bits = configured.hash_bits};
    for (const std::string& one : seen_texts) {
      observed.seen.push_back(observation_of(one, configured.n));
    }
    const audit::ObservedJudgement judged = audit::judge(observed);
    answer.update(observations_json(judged));
    text += observations_text(judged);
    const bool fits =
        judged.verdict == audit::Verdict::as_expected || judged.verdict == audit::Verdict::near;
    if (!fits) status = failed;
  }
  print_answer(json, answer, text);
  return status;
}

int check_preset(const std::string& name, Assignments& given, bool json) {
  const planner::System& system = planner::system_called("--preset", name);
  const std::optional<std::uint64_t> n = given.take_keys();
  const std::optional<double> p = given.take_rate();
  const planner::SystemRequest request(system, n, p, given.rest());
  const planner::SystemFilter filter = system.size(request);
  if (filter.m == 0 || filter.k == 0) throw InputError("--preset " + name + ": " + filter.remark);
  planner::Configured configured{.n = request.n(), .m = filter.m, .k = filter.k};
  configured.filter = filter.layout;
  configured.rate = filter.rate();
  configured.requested_rate = p;
  const planner::Judgement judgement = planner::judge(configured);
  Json all = judgement_json(configured, judgement, filter.m);
  all.update(record::object("preset", system.name, "stated_rate", filter.stated_rate, "rule",
                            system.rule, "source", system.source, "remark", filter.remark));
  print_answer(json, all,
               std::string(system.name) + ": " + std::string(system.rule) + "\n  (" +
                   std::string(system.source) + ")\n" +
                   judgement_text(configured, judgement, filter.m) + "note: " + filter.remark +
                   "\n");
  return status_of(judgement);
}

int judge_options(const JudgeOptions& options) {
  std::vector<std::string> assignments = options.assignments;
  const std::vector<std::string> seen = take_seen(assignments);
  Assignments given("judge", assignments);
  if (!options.preset) return check_given(given, seen, options.json);
  if (!seen.empty()) {
    throw InputError("judge: seen with --preset; give n, m and k as the preset has them");
  }
  return check_preset(*options.preset, given, options.json);
}

}  // namespace

Action add_judge(CLI::App& parser) {
  auto options = std::make_shared<JudgeOptions>();
  parser.add_option(
      "quantities", options->assignments,
      "n=... m=... [k=...] [p=...] [filter=...] [hash=... or hash_bits=...] "
      "[reachable=BITS] [seen=FALSE_POSITIVES/ABSENT_KEYS[@KEYS] ...] and the filter's own "
      "parameters, such as block_bits=512; n or m follows from p, and k is the best "
      "where it is left out");
  parser.add_option("--preset", options->preset,
                    "Size by the rules of a system, such as guava, cassandra or rocksdb; bloomlab "
                    "system lists all");
  parser.add_flag("--json", options->json, "Print the same as JSON");
  parser.footer(
      "Exit status 1 if the rate p is missed, or what was seen is not as it should be.\n"
      "Examples: bloomlab judge n=10M m=95850584 k=7 p=1% hash=murmur3_32\n"
      "          bloomlab judge n=100k m=800k seen=115/5000\n"
      "          bloomlab judge --preset guava n=1M p=1%");
  return [options] { return judge_options(*options); };
}

}  // namespace bloomlab::cli
