// For programs, and for the page of the laboratory.

#include <vector>

#include "cli/judge/observations.hpp"
#include "record/fields_json.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::cli {

using record::Json;

namespace {

Json seen_json(const std::vector<audit::JudgedObservation>& seen, const Observations& given) {
  Json list = Json::array();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const audit::JudgedObservation& one = seen[i];
    list.push_back(record::object("n", one.seen.n, "queries", one.seen.queries, "share",
                                  one.seen.share, "expected", one.expected, "usual_from", one.low,
                                  "usual_to", one.high, "at_least", one.at_least, "p_value",
                                  one.p_value));
    if (!given.places[i].empty()) list.back()["place"] = record::made_visible(given.places[i]);
  }
  return list;
}

}  // namespace

Json observations_json(const audit::ObservedJudgement& judged, const Observations& seen) {
  Json causes = Json::array();
  for (const audit::PossibleCause& cause : judged.causes) {
    causes.push_back(record::object("class", audit::name(cause.kind), "cause", cause.text, "rates",
                                    cause.rates, "p_value", cause.p_value, "mend", cause.mend));
  }
  Json json =
      record::object("observations", seen_json(judged.seen, seen), "verdict",
                     audit::name(judged.verdict), "p_value", judged.p_value, "causes", causes);
  if (const auto& all = judged.together) {
    json["together"] = record::object("false_positives", all->hits, "queries", all->queries,
                                      "expected", all->expected, "p_value", all->p_value);
  }
  if (!judged.compared.empty()) {
    Json compared = Json::array();
    for (const audit::Observation& one : judged.compared) {
      compared.push_back(record::object("n", one.n, "queries", one.queries, "share", one.share));
    }
    json["compared"] = compared;
  }
  if (const auto& proposal = judged.proposal) {
    json["count_next"] =
        record::object("n", proposal->n, "queries", proposal->queries, "by_first_cause",
                       proposal->first, "by_second_cause", proposal->second);
  }
  return json;
}

}  // namespace bloomlab::cli
