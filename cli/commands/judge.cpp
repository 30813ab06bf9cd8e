// bloomlab check-params: judges the parameters of a filter that somebody already has.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/plan/answer.hpp"
#include "cli/terminal.hpp"
#include "core/catalogue.hpp"
#include "core/filters/sizing.hpp"
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

struct CheckOptions {
  std::vector<std::string> assignments;
  std::optional<std::string> preset;
  bool json = false;
};

std::uint64_t required_count(Assignments& given, const std::string& name, std::string_view things,
                             std::uint64_t most) {
  const auto text = given.take(name);
  if (!text) {
    throw InputError("check-params: " + name +
                     " is missing; give n, m and k, such as n=1M m=10M "
                     "k=7, or a --preset");
  }
  return planner::parse_count(name, *text, things, most);
}

/// Bits of the hash that is used, by its name or as a number; nothing where neither is given.
std::optional<std::uint64_t> given_hash_bits(Assignments& given) {
  const auto hash = given.take("hash");
  const auto bits = given.take("hash_bits");
  if (hash && bits) {
    throw InputError("check-params: hash and hash_bits are both given; give one of them");
  }
  if (bits) return planner::parse_count("hash_bits", *bits, "bits", planner::widest_hash);
  if (hash) return planner::hash_bits_of("check-params", *hash);
  return std::nullopt;
}

/// What a filter of the catalogue says of itself.
struct OwnTheory {
  double rate = 0.0;
  std::uint64_t memory_bits = 0;
  std::uint64_t k = 0;
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

/// Judged are filters of m bits. k is asked for where the filter has it, and refused where not.
template <class Filter>
std::uint64_t probes_given(Assignments& given) {
  const std::string name(Filter::name);
  if (!has_parameter<Filter>("m")) {
    throw InputError("check-params: " + name +
                     " is not sized by m; give a filter of m bits, such as standard or blocked; "
                     "bloomlab plan compares all");
  }
  if (has_parameter<Filter>("k")) return required_count(given, "k", "probes", max_probes);
  if (const auto text = given.take("k")) {
    throw InputError("check-params: found k=" + *text + "; " + name +
                     " has a fixed number of probes per key; leave out k");
  }
  return 0;
}

template <class Filter>
OwnTheory theory_of(Assignments& given, const planner::Configured& configured) {
  const std::uint64_t k = probes_given<Filter>(given);
  Json json{{"kind", Filter::name}};
  for (const std::string_view field : record::field_names<Filter>()) {
    const std::string name(field);
    if (name == "m") {
      json[name] = configured.m;
    } else if (name == "k") {
      json[name] = k;
    } else if (const auto text = given.take(name)) {
      json[name] = value_of(*text);
    } else if (name == "block_bits" && Filter::name == "blocked") {
      json[name] = std::uint64_t{512};
    }
  }
  const record::Origin origin{"check-params"};
  const auto parameters =
      record::read_selected<Filter>(record::JsonView(json, origin), Filter::name, "kind");
  if (const auto fault = Filter::check(parameters)) throw InputError("check-params: " + *fault);
  return {predicted_rate<Filter>(parameters, configured.n),
          Filter::memory_bits(parameters, configured.n),
          static_cast<std::uint64_t>(Filter::probes(parameters, configured.n))};
}

OwnTheory own_theory(Assignments& given, const planner::Configured& configured) {
  std::vector<std::string_view> known;
  std::optional<OwnTheory> result;
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    known.push_back(Filter::name);
    if (Filter::name == configured.filter) result = theory_of<Filter>(given, configured);
  });
  if (result) return *result;
  throw InputError("check-params: unknown filter \"" + configured.filter + "\"; " +
                   record::suggestion(configured.filter, known));
}

Json judgement_json(const planner::Configured& configured, const planner::Judgement& judgement,
                    std::uint64_t memory_bits) {
  return record::object("n", configured.n, "m", configured.m, "k", configured.k, "filter",
                        configured.filter, "rate", judgement.rate, "memory_bits", memory_bits,
                        "standard_rate", judgement.standard_rate, "best_k", judgement.best_k,
                        "best_rate", judgement.best_rate, "loss", judgement.loss, "smallest_m",
                        judgement.smallest_m, "expected_fill", judgement.fill, "hash_bits",
                        configured.hash_bits, "hash_floor", judgement.hash_floor, "requested_rate",
                        configured.requested_rate, "keeps_requested_rate", judgement.keeps,
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

int check_given(Assignments& given, bool json) {
  planner::Configured configured;
  configured.n = required_count(given, "n", "keys", planner::largest_quantity);
  configured.m = required_count(given, "m", "bits", planner::largest_quantity);
  configured.requested_rate = given.take_rate();
  configured.filter = given.take("filter").value_or("standard");
  configured.hash_bits = given_hash_bits(given);
  const OwnTheory own = own_theory(given, configured);
  given.require_all_taken({"n", "m", "k", "p", "filter", "hash", "hash_bits"});
  configured.rate = own.rate;
  configured.k = own.k;
  const planner::Judgement judgement = planner::judge(configured);
  print_answer(json, judgement_json(configured, judgement, own.memory_bits),
               judgement_text(configured, judgement, own.memory_bits));
  return status_of(judgement);
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

int check_params(const CheckOptions& options) {
  Assignments given("check-params", options.assignments);
  if (options.preset) return check_preset(*options.preset, given, options.json);
  return check_given(given, options.json);
}

}  // namespace

Action add_check_params(CLI::App& parser) {
  auto options = std::make_shared<CheckOptions>();
  parser.add_option("quantities", options->assignments,
                    "n=... m=... k=... [p=...] [filter=...] [hash=... or hash_bits=...] and the "
                    "filter's own parameters, such as block_bits=512");
  parser.add_option("--preset", options->preset,
                    "Size by the rules of a system, such as guava, cassandra or rocksdb; bloomlab "
                    "system lists all");
  parser.add_flag("--json", options->json, "Print the same as JSON");
  parser.footer(
      "Exit status 1 if the rate p is missed.\n"
      "Examples: bloomlab check-params n=10M m=95850584 k=7 p=1% hash=murmur3_32\n"
      "          bloomlab check-params --preset guava n=1M p=1%");
  return [options] { return check_params(*options); };
}

}  // namespace bloomlab::cli
