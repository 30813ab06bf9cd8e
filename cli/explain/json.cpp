#include "cli/explain/json.hpp"

#include <cinttypes>
#include <cstdio>
#include <set>

#include "analysis/explain/bottles.hpp"
#include "analysis/explain/rate.hpp"
#include "analysis/explain/trace_text.hpp"

namespace bloomlab::cli {
namespace {

namespace explain = analysis::explain;
using record::Json;

Json reading_json(const explain::Reading& reading) {
  Json words = Json::array();
  for (const std::uint64_t word : reading.words) {
    char text[19];
    std::snprintf(text, sizeof text, "0x%016" PRIx64, word);
    words.push_back(text);
  }
  return {{"key", reading.key},
          {"given", reading.given},
          {"digest", std::move(words)},
          {"positions", reading.positions}};
}

Json insertion_json(const explain::Insertion& insertion) {
  std::set<std::uint64_t> fresh;
  std::set<std::uint64_t> standing;
  for (std::size_t i = 0; i < insertion.touches.size(); ++i) {
    const std::uint64_t position = insertion.reading.positions[i];
    if (insertion.touches[i] == explain::Touch::fresh) fresh.insert(position);
    if (insertion.touches[i] == explain::Touch::standing) standing.insert(position);
  }
  Json json = reading_json(insertion.reading);
  json["newly_set"] = fresh;
  json["already_set"] = standing;
  return json;
}

Json question_json(const explain::Question& question) {
  Json json = reading_json(question.reading);
  const bool absent = question.verdict == explain::Verdict::absent;
  json["answer"] = absent ? "absent" : "maybe";
  json["stopped_by"] = nullptr;
  if (question.stopped_by) json["stopped_by"] = *question.stopped_by;
  json["inserted"] = question.verdict == explain::Verdict::inserted_key;
  json["false_positive"] = question.verdict == explain::Verdict::false_positive;
  return json;
}

Json rate_lines_json(const explain::Trace& trace) {
  Json rate = Json::object();
  for (const explain::RateLine& line : explain::rate_lines(trace)) {
    rate[std::string(line.name)] = line.value;
  }
  return rate;
}

}  // namespace

Json trace_json(const explain::Trace& trace) {
  const explain::Lesson& lesson = trace.lesson;
  Json inserted = Json::array();
  for (const auto& insertion : trace.insertions) inserted.push_back(insertion_json(insertion));
  Json queries = Json::array();
  for (const auto& question : trace.questions) queries.push_back(question_json(question));
  std::string bits;
  for (const bool bit : trace.bits) bits += bit ? '1' : '0';
  return {{"m", lesson.m},
          {"n", trace.n},
          {"k", lesson.k},
          {"hash", lesson.hash},
          {"probe", lesson.probe},
          {"reduction", lesson.reduction},
          {"seed", lesson.seed},
          {"inserted", std::move(inserted)},
          {"bits", bits},
          {"bits_set", trace.bits_set},
          {"queries", std::move(queries)},
          {"rate", rate_lines_json(trace)}};
}

Json bottles_json(const BottlesRequest& request) {
  const int mice = explain::mice_for(request.bottles);
  Json dead = Json::array();
  const std::vector<int> numbers = explain::dead_mice(request.poisoned, mice);
  for (const int mouse : numbers) dead.push_back(mouse + 1);
  Json json{{"example", "bottles"},
            {"bottles", request.bottles},
            {"mice", mice},
            {"poisoned", request.poisoned},
            {"code", explain::code_of(request.poisoned, mice)},
            {"dead_mice", std::move(dead)},
            {"named", explain::named_bottle(numbers, mice)},
            {"rightly_named", nullptr}};
  if (request.bottles <= explain::most_tried_bottles) {
    json["rightly_named"] = explain::rightly_named(request.bottles);
  }
  return json;
}

}  // namespace bloomlab::cli
