#include "docs/lab/source/own.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "audit/observed.hpp"
#include "cli/judge/observations.hpp"
#include "docs/lab/source/answers.hpp"
#include "record/input_error.hpp"

namespace bloomlab::page {
namespace {

using record::Json;

/// Causes that are simulated are sought up to four times the keys that a filter is made for, and a
/// filter that is overfull tells them apart no better.
constexpr std::uint64_t most_load = 4;

Json filter_of(const Json& counted) {
  return {
      {"kind", "command"},
      {"expected", {{"model", "standard_exact"}, {"m", counted.at("m")}, {"k", counted.at("k")}}}};
}

/// The counts of a trial, as the engine has them of a filter from outside.
Json measured_of(const Json& counted, const Json& cell, std::size_t trial) {
  const auto n = cell.at("n").get<std::uint64_t>();
  const auto queries = counted.at("queries").get<std::uint64_t>();
  const auto reported = cell.at("reported").at(trial).get<std::uint64_t>();
  const auto denied = cell.at("denied").at(trial).get<std::uint64_t>();
  if (reported > queries || denied > n) {
    throw record::InputError("the page: more keys were reported or denied than were looked up");
  }
  return {{"true_positives", n - denied},
          {"false_positives", reported},
          {"true_negatives", queries - reported},
          {"false_negatives", denied},
          {"inserted", n},
          {"memory_bits", counted.at("m")},
          {"implementation", "MyFilter"}};
}

void add_observations(const Json& counted, record::ResultFile& file) {
  for (const Json& cell : counted.at("cells")) {
    record::Observation observation;
    observation.cell = {
        {"keys", {{"source", "page"}}}, {"n", cell.at("n")}, {"filter", filter_of(counted)}};
    observation.group = "page " + cell.at("n").dump();
    observation.redrawn = {"keys", "hash_seed"};
    for (std::size_t trial = 0; trial < cell.at("reported").size(); ++trial) {
      observation.trial = trial;
      observation.seed = trial;
      observation.measured = measured_of(counted, cell, trial);
      observation.timing = Json::object();
      file.observations.push_back(observation);
    }
  }
}

/// @param most keys inserted
cli::Observations seen_in(const Json& counted, std::uint64_t most) {
  cli::Observations seen;
  const auto queries = counted.at("queries").get<std::uint64_t>();
  for (const Json& cell : counted.at("cells")) {
    const auto n = cell.at("n").get<std::uint64_t>();
    if (n > most) continue;
    for (const Json& reported : cell.at("reported")) {
      const double share = reported.get<double>() / static_cast<double>(queries);
      seen.all.push_back({.n = n, .queries = queries, .share = share});
      seen.places.emplace_back();
    }
  }
  return seen;
}

/// Where nothing is off up to four times the keys, all are judged.
Json judged_json(const Json& counted) {
  const auto planned = counted.at("n").get<std::uint64_t>();
  audit::Observed observed{.planned = planned};
  observed.layout.kind = audit::Layout::Kind::standard;
  observed.layout.bits = counted.at("m").get<double>();
  observed.layout.k = counted.at("k").get<int>();
  for (const std::uint64_t most : {most_load * planned, ~std::uint64_t{0}}) {
    const cli::Observations seen = seen_in(counted, most);
    observed.seen = seen.all;
    const audit::ObservedJudgement judged = audit::judge(observed);
    const bool is_right = judged.verdict == audit::Verdict::as_expected;
    if (is_right && most < ~std::uint64_t{0}) continue;
    return cli::observations_json(judged, seen);
  }
  return {};
}

}  // namespace

Json own_report(record::ResultFile standard, const Json& counted) {
  Json judged = judged_json(counted);
  add_observations(counted, standard);
  Json report = report_of(
      {.stem = "own", .file_name = "own.json", .file = std::move(standard), .confirmation = {}});
  report["judged"] = std::move(judged);
  return report;
}

}  // namespace bloomlab::page
