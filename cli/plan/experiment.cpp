#include "cli/plan/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_set>
#include <vector>

#include "analysis/format/number.hpp"
#include "analysis/planner/warnings.hpp"
#include "cli/plan/answer.hpp"
#include "experiments/cell_resolve.hpp"
#include "experiments/config.hpp"
#include "experiments/key_set.hpp"
#include "experiments/kinds/measurement.hpp"
#include "experiments/sources/lines.hpp"
#include "experiments/subject.hpp"
#include "record/input_error.hpp"
#include "record/json_view.hpp"

namespace bloomlab::cli {
namespace {

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

Json config_json(const analysis::planner::Candidate& filter, std::uint64_t n, std::uint64_t queries,
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

/// Lines of one file as members and of another, or generated texts, as strangers.
class TextKeys final : public experiments::KeySet {
 public:
  TextKeys(std::vector<std::string_view> members, std::vector<std::string_view> strangers)
      : KeySet(members.size(), strangers.size()),
        members_(std::move(members)),
        strangers_(std::move(strangers)) {}

  KeyBatch members(std::uint64_t first, std::size_t count,
                   experiments::KeyBuffer& /*buffer*/) const override {
    return KeyBatch::texts(members_).slice(first, count);
  }
  KeyBatch strangers(std::uint64_t first, std::size_t count,
                     experiments::KeyBuffer& /*buffer*/) const override {
    return KeyBatch::texts(strangers_).slice(first, count);
  }
  bool made_on_demand() const noexcept override { return false; }

 private:
  std::vector<std::string_view> members_;
  std::vector<std::string_view> strangers_;
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
  const KeyedPermutation permutation(verify_seed);
  for (std::uint64_t i = 0; i < count; ++i) {
    texts.push_back("absent:" + std::to_string(permutation(i)));
  }
  return texts;
}

/// The keys of the files, and what owns them.
struct FileKeys {
  std::vector<std::string> members;
  std::vector<std::string> strangers;
};

FileKeys read_key_files(const VerifyRequest& request, std::uint64_t queries) {
  FileKeys keys{lines_of("--keys", request.keys_file), {}};
  if (keys.members.size() > request.n) keys.members.resize(request.n);
  keys.strangers = request.strangers_file.empty() ? generated_texts(queries)
                                                  : lines_of("--strangers", request.strangers_file);
  const std::unordered_set<std::string_view> known(keys.members.begin(), keys.members.end());
  std::erase_if(keys.strangers,
                [&](const std::string& text) { return known.contains(std::string_view(text)); });
  if (keys.strangers.empty()) {
    throw record::InputError("--strangers " + request.strangers_file +
                             ": every line is also a key; give lines that are not");
  }
  return keys;
}

std::unique_ptr<experiments::KeySet> text_keys(const FileKeys& files) {
  return std::make_unique<TextKeys>(
      std::vector<std::string_view>(files.members.begin(), files.members.end()),
      std::vector<std::string_view>(files.strangers.begin(), files.strangers.end()));
}

/// n, or as many keys as half of this machine's memory holds.
std::uint64_t affordable_keys(const VerifyRequest& request) {
  const double bytes = static_cast<double>(request.filter.memory_bits) / 8.0;
  const double room = memory_share * static_cast<double>(experiments::Machine::here().memory_bytes);
  if (bytes <= room) return request.n;
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(static_cast<double>(request.n) * room / bytes));
}

/// The filter with sizes cut to the fraction, the same bits per key.
analysis::planner::Candidate cut(analysis::planner::Candidate filter, double fraction) {
  for (auto& [name, value] : filter.parameters) {
    auto* const whole = std::get_if<std::uint64_t>(&value);
    if (whole && (name == "m" || name == "capacity" || name == "first_capacity")) {
      const auto units = static_cast<std::uint64_t>(static_cast<double>(*whole) * fraction);
      // Whole blocks of every kind: 64 bits times up to 8 words of any number below 9.
      constexpr std::uint64_t all_blocks = 512 * 3 * 5 * 7;
      *whole = std::max<std::uint64_t>(units / all_blocks, 1) * all_blocks;
    }
  }
  return filter;
}

/// The one cell of a config without axes.
experiments::Cell cell_of(const Json& config) {
  const record::Origin origin{"plan"};
  experiments::Cell cell =
      experiments::resolve_cell(record::JsonView(config.at("grid"), origin, "/grid"));
  cell.seed_text = experiments::seed_text_of(cell.json, {});
  return cell;
}

std::unique_ptr<experiments::KeySet> generated_keys(const Json& json, const experiments::Cell& cell,
                                                    std::uint64_t seed, std::uint64_t queries) {
  experiments::Config config;
  config.path = "plan";
  config.json = json;
  config.seed = verify_seed;
  return experiments::make_keys(config, cell, seed, queries);
}

void judge_verification(const VerifyRequest& request, const Json& measured, Verification& result) {
  result.memory_bits = measured.at("memory_bits").get<std::uint64_t>();
  result.false_positives = measured.at("false_positives").get<std::uint64_t>();
  result.false_negatives = measured.at("false_negatives").get<std::uint64_t>();
  result.conditional_rate = measured.at("conditional_rate").get<double>();
  result.rate = static_cast<double>(result.false_positives) / static_cast<double>(result.queries);
  result.interval =
      statistics::clopper_pearson(result.false_positives, result.queries, verify_level);
  result.promised_rate = request.promised_rate;
  result.predicted_rate = request.filter.rate;
  result.rate_holds = result.interval.low <= request.promised_rate;
  // One word more than predicted is rounding, not a broken promise.
  const double allowed = static_cast<double>(request.filter.memory_bits) * result.fraction + 64.0;
  result.memory_holds = static_cast<double>(result.memory_bits) <= 1.001 * allowed;
  result.keys_hold = result.false_negatives == 0;
}

}  // namespace

Json experiment_config(const analysis::planner::Candidate& filter, std::uint64_t n) {
  return config_json(filter, n, queries_for(filter.rate, 1000.0, 1e5, 1e8), 10);
}

Verification verify(const VerifyRequest& request) {
  Verification result;
  std::uint64_t queries = queries_for(request.promised_rate, 1e4, 1e6, 1e8);
  FileKeys files;
  result.n = affordable_keys(request);
  if (!request.keys_file.empty()) {
    files = read_key_files(request, std::min<std::uint64_t>(queries, 10'000'000));
    result.n = std::min<std::uint64_t>(result.n, files.members.size());
    files.members.resize(result.n);
    queries = files.strangers.size();
  }
  result.fraction = static_cast<double>(result.n) / static_cast<double>(request.n);
  result.queries = queries;
  const auto filter = result.n < request.n ? cut(request.filter, result.fraction) : request.filter;
  const Json config = config_json(filter, result.n, queries, 1);
  const experiments::Cell cell = cell_of(config);
  const std::uint64_t seed = experiments::trial_seed(verify_seed, cell, 0);
  const auto subject = experiments::make_subject(cell, seed);
  const auto keys =
      request.keys_file.empty() ? generated_keys(config, cell, seed, queries) : text_keys(files);
  const auto measured = experiments::fill_and_ask(*subject, *keys, 0, result.n);
  result.insert_ns = measured.timing.at("insert_ns").get<double>() / static_cast<double>(result.n);
  result.absent_ns =
      measured.timing.at("strangers_ns").get<double>() / static_cast<double>(queries);
  judge_verification(request, measured.measured, result);
  return result;
}

Json verification_json(const Verification& result) {
  return {{"holds", result.holds()},
          {"n", result.n},
          {"fraction_of_planned_n", result.fraction},
          {"queries", result.queries},
          {"false_positives", result.false_positives},
          {"false_negatives", result.false_negatives},
          {"rate", result.rate},
          {"rate_low", result.interval.low},
          {"rate_high", result.interval.high},
          {"interval_level", verify_level},
          {"conditional_rate", result.conditional_rate},
          {"predicted_rate", result.predicted_rate},
          {"promised_rate", result.promised_rate},
          {"rate_holds", result.rate_holds},
          {"memory_bits", result.memory_bits},
          {"memory_holds", result.memory_holds},
          {"insert_ns", result.insert_ns},
          {"absent_ns", result.absent_ns}};
}

std::string verification_text(const Verification& result) {
  using analysis::significant;
  using analysis::planner::spaced;
  std::string text = "\nVerified with " + spaced(result.n) + " keys";
  if (result.fraction < 1.0) {
    text += ", " + analysis::percent(result.fraction) + " of the planned n";
  }
  text += " and " + spaced(result.queries) + " absent keys\n";
  text += "  rate          " +
          analysis::with_interval(result.rate, result.interval.low, result.interval.high);
  text += " (99 % interval), predicted " + significant(result.predicted_rate, 4);
  text += ", promised at most " + significant(result.promised_rate, 4) + "\n";
  text += "  memory        " + iec_text(result.memory_bits) + "\n";
  text += "  lost keys     " + spaced(result.false_negatives) + "\n";
  text += "  time          " + significant(result.insert_ns, 3) + " ns per insert, ";
  text += significant(result.absent_ns, 3) + " ns per absent key, hash included\n";
  return text + (result.holds() ? "The promise holds.\n" : "The promise does not hold.\n");
}

}  // namespace bloomlab::cli
