#include "audit/page.hpp"

namespace bloomlab::audit {
namespace {

using record::Json;

Json json_of(const RateCell& cell) {
  return {{"keys", cell.keys},
          {"size", cell.size},
          {"inserted", cell.inserted},
          {"filters", cell.filters},
          {"memory_bits", cell.memory_bits},
          {"absent_keys", cell.queries},
          {"false_positives", cell.hits},
          {"inserted_keys_queried", cell.inserted_queries},
          {"false_negatives", cell.lost}};
}

Json json_of(const Fit& fit) {
  return {{"class", name(fit.kind)},
          {"cause", fit.text},
          {"deviance", fit.deviance},
          {"degrees", fit.degrees},
          {"p_value", fit.p_value}};
}

Json json_of(const Finding& finding) {
  Json json{{"class", name(finding.kind)},
            {"certainty", name(finding.certainty)},
            {"breaks_promise", finding.breaks_promise},
            {"text", finding.text},
            {"cause", finding.cause},
            {"not_excluded", finding.rivals},
            {"fits", Json::array()}};
  for (const Fit& fit : finding.fits) json["fits"].push_back(json_of(fit));
  return json;
}

}  // namespace

Json json(const Report& report) {
  const Evidence& seen = report.evidence;
  Json json{{"$schema", "bloomlab-audit-1"},
            {"name", seen.name},
            {"version", seen.version},
            {"requested", report.requested},
            {"layout_declared", report.layout_is_declared},
            {"holds", report.holds()},
            {"alpha", report.alpha},
            {"failure", seen.failure},
            {"not_measured", Json::array()},
            {"findings", Json::array()},
            {"rates", Json::array()},
            {"rates_of_all_sizes", Json::array()},
            {"bits_reached", Json::array()},
            {"false_negative_checks", Json::array()},
            {"twins", Json::array()},
            {"memory", Json::array()}};
  for (const FailedPart& failed : seen.failed) {
    json["not_measured"].push_back({{"part", failed.part}, {"error", failed.error}});
  }
  for (const std::string& part : seen.untried) {
    json["not_measured"].push_back({{"part", part}, {"error", "not tried after other failures"}});
  }
  for (const Finding& finding : report.findings) json["findings"].push_back(json_of(finding));
  for (const Judged& judged : report.rates) {
    Json cell = json_of(judged.cell);
    cell["fpr"] = judged.cell.rate();
    cell["fpr_low"] = judged.low;
    cell["fpr_high"] = judged.high;
    cell["expected"] = judged.expected;
    cell["p_value"] = judged.p_value;
    cell["p_holm"] = judged.adjusted;
    cell["off"] = judged.off;
    cell["p_holm_as_random_integers"] = judged.as_random;
    cell["minimum_detectable_increase"] = judged.detectable;
    json["rates"].push_back(std::move(cell));
  }
  for (const Together& load : report.together) {
    json["rates_of_all_sizes"].push_back({{"load", load.load},
                                          {"sizes", load.sizes},
                                          {"excess", load.excess},
                                          {"p_value", load.p_value},
                                          {"p_holm", load.adjusted},
                                          {"off", load.off}});
  }
  for (const BitCount& count : seen.bits) {
    json["bits_reached"].push_back({{"size", count.size},
                                    {"memory_bits", count.memory_bits},
                                    {"inserted", count.keys},
                                    {"set", count.reached}});
  }
  for (const LossCheck& check : seen.checks) {
    json["false_negative_checks"].push_back({{"situation", check.situation},
                                             {"inserted", check.inserted},
                                             {"lost", check.lost},
                                             {"first", check.first},
                                             {"skipped", check.skipped},
                                             {"refused", check.refused},
                                             {"first_refused", check.first_refused},
                                             {"error", check.error}});
  }
  for (const Twins& twins : seen.twins) {
    json["twins"].push_back({{"difference", twins.difference},
                             {"pairs", twins.pairs},
                             {"reported", twins.reported},
                             {"absent_keys", twins.absent},
                             {"false_positives", twins.hits}});
  }
  json["seeds"] = {{"queries", seen.seeds.queries},
                   {"first", seen.seeds.first},
                   {"second", seen.seeds.second},
                   {"both", seen.seeds.both}};
  json["repeats"] = {{"answers", seen.repeats.answers},
                     {"changed", seen.repeats.changed},
                     {"empty_hits", seen.repeats.empty_hits},
                     {"batch_changed", seen.repeats.batch_changed},
                     {"remade_changed", seen.repeats.remade_changed}};
  for (const Memory& memory : report.memory) {
    json["memory"].push_back({{"keys", memory.keys},
                              {"bits", memory.bits},
                              {"promised_bits", memory.promised_bits},
                              {"lower_bound_bits", memory.lower_bound_bits}});
  }
  const Attack& attack = report.attack;
  json["attack"] = {{"keys", attack.keys},
                    {"tries", attack.tries},
                    {"found_under_one_seed", attack.found},
                    {"hold_under_another", attack.hold},
                    {"hold_by_chance", attack.hold_by_chance},
                    {"rate_of_chosen_keys", attack.chosen_rate}};
  json["speed"] = {
      {"processor", report.processor}, {"keys", seen.speed_keys}, {"ns_per_key", Json::array()}};
  for (const Speed& speed : seen.speeds) {
    json["speed"]["ns_per_key"].push_back({{"name", speed.name},
                                           {"insert", speed.insert_ns},
                                           {"absent", speed.absent_ns},
                                           {"inserted", speed.inserted_ns},
                                           {"failure", speed.failure}});
  }
  return json;
}

}  // namespace bloomlab::audit
