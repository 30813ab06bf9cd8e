#include "experiments/kinds/judge_confusion.hpp"

#include <string>

#include "audit/observed.hpp"

namespace bloomlab::experiments {
namespace {

const JudgedDefect& judged_defect(const JudgeConfusion::Point::Parameters& at) {
  return judged_defects()[static_cast<std::size_t>(at.defect)];
}

audit::Layout said_layout(const SaidFilter& said) {
  using Kind = audit::Layout::Kind;
  audit::Layout layout{
      .kind = Kind::standard, .bits = static_cast<double>(said.m), .k = static_cast<int>(said.k)};
  if (said.kind == "partitioned") layout.kind = Kind::partitioned;
  if (said.kind == "split_block") layout.kind = Kind::split_block;
  if (said.kind == "blocked") {
    layout.kind = Kind::blocked;
    layout.block_bits = static_cast<double>(said.block_bits);
  }
  return layout;
}

/// What was counted as the judge takes it.
audit::Observation counted(std::uint64_t n, std::uint64_t queries, std::uint64_t hits) {
  return {.n = n,
          .queries = queries,
          .share = static_cast<double>(hits) / static_cast<double>(queries)};
}

void write_judgement(const audit::ObservedJudgement& judged, std::string_view truth,
                     const std::string& prefix, record::Json& json) {
  const bool off = judged.verdict == audit::Verdict::off;
  std::string named;
  std::size_t size = 0;
  std::size_t place = 0;
  for (const audit::PossibleCause& cause : judged.causes) {
    named.append(named.empty() ? "" : " ").append(audit::name(cause.kind));
    ++size;
    if (audit::name(cause.kind) == truth) place = size;
  }
  json[prefix + "off"] = off ? 1 : 0;
  json[prefix + "size"] = size;
  json[prefix + "place"] = place;
  json[prefix + "named"] = named;
}

}  // namespace

std::uint64_t JudgeConfusion::memory_bytes(const Point::Parameters& /*at*/) {
  return std::uint64_t{64} << 20;
}

double JudgeConfusion::seconds(const Parameters& p, const Point::Parameters& /*at*/) {
  return 0.15 + 5e-9 * static_cast<double>(p.most_queries);
}

std::vector<Measurement> JudgeConfusion::measure(const Parameters& p, const Point::Parameters& at,
                                                 std::uint64_t seed) {
  const JudgedDefect& defect = judged_defect(at);
  KeyedDraws draws(seed);
  const JudgedFilter filter = defect.draw(draws);
  const SaidFilter& said = filter.said;
  audit::Observed observed{
      .layout = said_layout(said), .planned = said.planned, .requested_rate = said.requested_rate};
  const auto count = [&](std::uint64_t n, std::uint64_t queries) {
    const std::uint64_t hits = count_reported(filter, n, queries, draws.number());
    observed.seen.push_back(counted(n, queries, hits));
    return hits;
  };
  record::Json json = {{"class", defect.cause}, {"layout", said.kind}, {"n", filter.n},
                       {"m", said.m},           {"k", said.k},         {"queries", filter.queries}};
  json["hits"] = count(filter.n, filter.queries);
  const audit::ObservedJudgement first = audit::judge(observed);
  write_judgement(first, defect.cause, "", json);
  const audit::Proposal next = first.proposal.value_or(audit::Proposal{});
  const bool is_counted = next.queries > 0 && next.queries <= p.most_queries;
  json["second_n"] = next.n;
  json["second_queries"] = next.queries;
  json["second_counted"] = is_counted ? 1 : 0;
  json["second_hits"] = is_counted ? count(next.n, next.queries) : 0;
  write_judgement(is_counted ? audit::judge(observed) : audit::ObservedJudgement{}, defect.cause,
                  "second_", json);
  return {{std::nullopt, std::move(json), record::Json::object()}};
}

}  // namespace bloomlab::experiments
