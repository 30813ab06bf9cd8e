#include "cli/plan/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>

#include "cli/plan/answer.hpp"
#include "core/filters/standard.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "experiments/cells/cell_resolve.hpp"
#include "experiments/cells/implementation.hpp"
#include "experiments/cells/implementation_factory.hpp"
#include "experiments/cells/key_set.hpp"
#include "experiments/cells/measurement.hpp"
#include "experiments/machine/machine.hpp"
#include "experiments/sources/lines.hpp"
#include "planner/units.hpp"
#include "record/cell_seed.hpp"
#include "record/fields_json.hpp"
#include "record/input_error.hpp"
#include "record/json_view.hpp"
#include "record/number_text.hpp"

namespace bloomlab::cli {
namespace {

constexpr std::uint64_t texts_seed = 20261121;

/// Lines of one file as inserted keys and of another, or generated texts, as absent keys.
class TextKeys final : public experiments::KeySet {
 public:
  TextKeys(std::vector<std::string_view> inserted_keys, std::vector<std::string_view> absent_keys)
      : KeySet(inserted_keys.size(), absent_keys.size()),
        inserted_keys_(std::move(inserted_keys)),
        absent_keys_(std::move(absent_keys)) {}

  KeyBatch inserted_keys(std::uint64_t first, std::size_t count,
                         experiments::KeyBuffer& /*buffer*/) const override {
    return KeyBatch::texts(inserted_keys_).slice(first, count);
  }
  KeyBatch absent_keys(std::uint64_t first, std::size_t count,
                       experiments::KeyBuffer& /*buffer*/) const override {
    return KeyBatch::texts(absent_keys_).slice(first, count);
  }
  bool made_on_demand() const noexcept override { return false; }

 private:
  std::vector<std::string_view> inserted_keys_;
  std::vector<std::string_view> absent_keys_;
};

std::vector<std::string> lines_of(const std::string& option, const std::string& path) {
  try {
    std::vector<std::string> lines = experiments::distinct_lines(path);
    if (lines.empty()) throw record::InputError("no line in it; write one key a line");
    return lines;
  } catch (const record::InputError& error) {
    throw record::InputError(option + " " + path + ": " + error.what());
  }
}

/// Texts that no file is likely to hold; those that a file does hold are left out.
std::vector<std::string> generated_texts(std::uint64_t count) {
  std::vector<std::string> texts;
  texts.reserve(count);
  const KeyedPermutation permutation(texts_seed);
  for (std::uint64_t i = 0; i < count; ++i) {
    texts.push_back("absent:" + std::to_string(permutation(i)));
  }
  return texts;
}

using record::Json;

constexpr std::uint64_t verify_seed = 20261121;
constexpr double verify_level = 0.99;

/// Share of the machine's memory that a verification may take.
constexpr double memory_share = 0.5;

/// Queries that expect `hits` false positives, within bounds.
std::uint64_t queries_for(double rate, double hits, double least, double most) {
  return static_cast<std::uint64_t>(
      std::clamp(std::ceil(hits / std::max(rate, 1e-18)), least, most));
}

Json config_json(const planner::Candidate& filter, std::uint64_t n, std::uint64_t queries,
                 std::uint64_t trials) {
  return {{"$schema", "bloomlab-config-1"},
          {"kind", "false_positive_rate"},
          {"title", "The planned filter"},
          {"question", "Does the planned filter keep its rate?"},
          {"seed", verify_seed},
          {"trials", trials},
          {"queries", queries},
          {"grid",
           {{"keys", {{"source", "uniform"}}},
            {"n", n},
            {"filter", filter_json(filter)},
            {"hash", {{"name", "xxhash3_64"}}}}}};
}

/// n, or as many keys as half of the memory that may be taken holds.
std::uint64_t affordable_keys(const VerifyRequest& request) {
  const double bytes = static_cast<double>(request.filter.memory_bits) / 8.0;
  const auto machine = experiments::Machine::here(request.max_memory_bytes);
  const double room = memory_share * static_cast<double>(machine.memory_bytes);
  if (bytes <= room) return request.goal.n;
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(static_cast<double>(request.goal.n) * room / bytes));
}

/// A standard filter keeps its k and its bits per key; nothing for other filters.
std::optional<planner::Candidate> fewer_bits(const planner::Candidate& planned, std::uint64_t n,
                                             double share) {
  if (planned.filter != Standard::name) return std::nullopt;
  std::uint64_t m = 1;
  std::uint64_t k = 1;
  for (const auto& [name, value] : planned.parameters) {
    if (name == "m") m = std::get<std::uint64_t>(value);
    if (name == "k") k = std::get<std::uint64_t>(value);
  }
  const double bits = std::ceil(static_cast<double>(m) * share);
  return planner::standard_candidate(n, static_cast<std::uint64_t>(bits), k);
}

/// The filter for fewer keys than planned: the same rate, or the same memory per key.
planner::Candidate resized(const VerifyRequest& request, std::uint64_t n) {
  if (n == request.goal.n) return request.filter;
  const double share = static_cast<double>(n) / static_cast<double>(request.goal.n);
  if (const auto standard = fewer_bits(request.filter, n, share)) return *standard;
  planner::Goal goal = request.goal;
  goal.n = n;
  if (goal.memory_bits) {
    goal.memory_bits = static_cast<std::uint64_t>(static_cast<double>(*goal.memory_bits) * share);
  }
  for (auto& one : planner::compare(goal).candidates) {
    if (one.filter == request.filter.filter && one.available()) return one;
  }
  throw record::InputError("--verify: no " + request.filter.filter + " of this kind for " +
                           std::to_string(n) + " keys; give more keys");
}

/// The one cell of a config without axes.
experiments::Cell cell_of(const Json& config) {
  const record::Origin origin{"plan"};
  experiments::Cell cell =
      experiments::resolve_cell(record::JsonView(config.at("grid"), origin, "/grid"));
  cell.set_seed_text(std::make_shared<const std::string>(record::seed_text_of(cell.json(), {})));
  return cell;
}

/// Filters that are built: few keys make filters that differ by chance from their mean rate, which
/// is what the promise speaks of.
std::uint64_t filters_for(std::uint64_t n) {
  constexpr double keys_in_all = 2e6;
  constexpr double most = 100.0;
  return static_cast<std::uint64_t>(
      std::clamp(std::ceil(keys_in_all / static_cast<double>(n)), 1.0, most));
}

/// What the filters gave together.
struct Totals {
  std::vector<std::uint64_t> hits;  ///< false positives of each filter
  double conditional_rate = 0.0;
  double insert_ns = 0.0;
  double absent_keys_ns = 0.0;
};

void add_trial(const experiments::Measurement& trial, Totals& totals, Verification& result) {
  const Json& measured = trial.measured;
  totals.hits.push_back(measured.at("false_positives").get<std::uint64_t>());
  totals.conditional_rate += measured.at("conditional_rate").get<double>();
  totals.insert_ns += trial.timing.at("insert_ns").get<double>();
  totals.absent_keys_ns += trial.timing.at("absent_keys_ns").get<double>();
  result.memory_bits =
      std::max(result.memory_bits, measured.at("memory_bits").get<std::uint64_t>());
  result.false_positives += totals.hits.back();
  result.false_negatives += measured.at("false_negatives").get<std::uint64_t>();
}

void judge_verification(const planner::Candidate& filter, std::uint64_t queries,
                        const Totals& totals, Verification& result) {
  const auto filters = static_cast<double>(result.filters);
  result.queries = queries * result.filters;
  result.estimate = statistics::estimate_ensemble(totals.hits, queries, std::nullopt, verify_level);
  result.conditional_rate = totals.conditional_rate / filters;
  result.insert_ns = totals.insert_ns / (filters * static_cast<double>(result.n));
  result.absent_ns = totals.absent_keys_ns / (filters * static_cast<double>(queries));
  result.predicted_rate = filter.rate;
  result.rate_holds = result.estimate.interval.low <= result.promised_rate;
  result.memory_holds = result.memory_bits <= filter.memory_bits;
  result.keys_hold = result.false_negatives == 0;
}

/// "blocked", with its k where it has one.
std::string name_with_probes(const planner::Candidate& filter) {
  for (const auto& [name, value] : filter.parameters) {
    if (name == "k")
      return filter.filter + ", k = " + std::to_string(std::get<std::uint64_t>(value));
  }
  return filter.filter;
}

/// Texts to insert and texts to ask for; no text is in both.
struct FileKeys {
  std::vector<std::string> inserted_keys;
  std::vector<std::string> absent_keys;
};

/// The first `most_inserted_keys` distinct lines of `keys_file`, and the distinct lines of
/// `absent_keys_file` that are not inserted; without that file (an empty name) `queries` generated
/// texts. Throws record::InputError for a file that cannot be read or leaves nothing.
FileKeys read_key_files(const std::string& keys_file, const std::string& absent_keys_file,
                        std::uint64_t most_inserted_keys, std::uint64_t queries) {
  FileKeys keys{lines_of("--keys", keys_file), {}};
  if (keys.inserted_keys.size() > most_inserted_keys) keys.inserted_keys.resize(most_inserted_keys);
  keys.absent_keys = absent_keys_file.empty() ? generated_texts(queries)
                                              : lines_of("--absent-keys", absent_keys_file);
  const std::unordered_set<std::string_view> known(keys.inserted_keys.begin(),
                                                   keys.inserted_keys.end());
  std::erase_if(keys.absent_keys,
                [&](const std::string& text) { return known.contains(std::string_view(text)); });
  if (keys.absent_keys.empty()) {
    throw record::InputError("--absent-keys " + absent_keys_file +
                             ": every line is also a key; give lines that are not");
  }
  return keys;
}

/// The texts as the keys of a trial; `keys` must outlive them.
std::unique_ptr<experiments::KeySet> text_keys(const FileKeys& keys) {
  return std::make_unique<TextKeys>(
      std::vector<std::string_view>(keys.inserted_keys.begin(), keys.inserted_keys.end()),
      std::vector<std::string_view>(keys.absent_keys.begin(), keys.absent_keys.end()));
}

}  // namespace

Json experiment_config(const planner::Candidate& filter, std::uint64_t n) {
  return config_json(filter, n, queries_for(filter.rate, 1000.0, 1e5, 1e8), 10);
}

double verification_keys(const VerifyRequest& request) {
  const std::uint64_t n = affordable_keys(request);
  const double queries = static_cast<double>(
      queries_for(request.goal.rate.value_or(request.filter.rate), 1e4, 1e6, 1e8));
  // Every key goes in and is looked up again.
  return 2.0 * static_cast<double>(n) * static_cast<double>(filters_for(n)) + queries;
}

Verification verify(const VerifyRequest& request) {
  Verification result;
  result.n = affordable_keys(request);
  FileKeys files;
  const std::uint64_t wanted =
      queries_for(request.goal.rate.value_or(request.filter.rate), 1e4, 1e6, 1e8);
  if (!request.keys_file.empty()) {
    constexpr std::uint64_t most_texts = 10'000'000;
    files = read_key_files(request.keys_file, request.absent_keys_file, request.goal.n,
                           std::min(wanted, most_texts));
    result.n = std::min<std::uint64_t>(result.n, files.inserted_keys.size());
    files.inserted_keys.resize(result.n);
  }
  result.filters = filters_for(result.n);
  result.fraction = static_cast<double>(result.n) / static_cast<double>(request.goal.n);
  const std::uint64_t queries = request.keys_file.empty()
                                    ? (wanted + result.filters - 1) / result.filters
                                    : files.absent_keys.size();
  const auto filter = resized(request, result.n);
  result.filter = filter;
  result.promised_rate = request.goal.rate.value_or(filter.rate);
  result.exact_rate_holds = request.filter.rate <= request.goal.rate.value_or(request.filter.rate);
  const Json config = config_json(filter, result.n, queries, result.filters);
  const experiments::Cell cell = cell_of(config);
  Totals totals;
  for (std::uint64_t trial = 0; trial < result.filters; ++trial) {
    const std::uint64_t seed = experiments::trial_seed(verify_seed, cell, trial);
    const auto implementation = experiments::make_implementation(cell, seed);
    const auto keys =
        request.keys_file.empty() ? experiments::make_keys(cell, seed, queries) : text_keys(files);
    add_trial(experiments::fill_and_ask(*implementation, *keys, 0, result.n), totals, result);
  }
  judge_verification(filter, queries, totals, result);
  return result;
}

Json verification_json(const Verification& result) {
  return record::object(
      "holds", result.holds(), "filter", filter_json(result.filter), "n", result.n,
      "fraction_of_planned_n", result.fraction, "queries", result.queries, "false_positives",
      result.false_positives, "false_negatives", result.false_negatives, "filters", result.filters,
      "rate", result.estimate.value, "rate_low", result.estimate.interval.low, "rate_high",
      result.estimate.interval.high, "interval_level", verify_level, "conditional_rate",
      result.conditional_rate, "predicted_rate", result.predicted_rate, "promised_rate",
      result.promised_rate, "rate_holds", result.rate_holds, "exact_rate_holds",
      result.exact_rate_holds, "memory_bits", result.memory_bits, "memory_holds",
      result.memory_holds, "insert_ns", result.insert_ns, "absent_ns", result.absent_ns);
}

std::string verification_text(const Verification& result) {
  using planner::spaced;
  std::string text = "\nVerified: " + name_with_probes(result.filter) + ", with ";
  text += spaced(result.n) + " keys";
  if (result.fraction < 1.0) {
    text += ", " + percent(result.fraction) + " of the planned n";
  }
  text += " and " + spaced(result.queries) + " absent keys";
  if (result.filters > 1) text += ", over " + spaced(result.filters) + " filters";
  text += "\n";
  text += "  rate          " + with_interval(result.estimate.value, result.estimate.interval.low,
                                             result.estimate.interval.high);
  text += " (99 % interval), predicted " + significant(result.predicted_rate, 4);
  text += ", promised at most " + significant(result.promised_rate, 4) + "\n";
  text += "  memory        " + planner::iec_text(result.memory_bits) + "\n";
  text += "  lost keys     " + spaced(result.false_negatives) + "\n";
  text += "  time          " + significant(result.insert_ns, 3) + " ns per insert, ";
  text += significant(result.absent_ns, 3) + " ns per absent key, hash included\n";
  if (!result.exact_rate_holds) {
    text += "The exact rate of this filter is above the promised one, measured or not.\n";
  }
  return text + (result.holds() ? "The promise holds.\n" : "The promise does not hold.\n");
}

}  // namespace bloomlab::cli
