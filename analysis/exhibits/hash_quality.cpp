// The quality of hashes: a chi-square test of their positions for every source of keys, and what a
// hash costs.
#include <algorithm>
#include <array>
#include <utility>

#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/counted_points.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/format/number.hpp"
#include "statistics/durations.hpp"
#include "statistics/multiplicity.hpp"
#include "statistics/thresholds.hpp"
#include "statistics/uniformity.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

/// What is counted: a sum of squares, its bins, and its name as a key of words.
struct Part {
  const char* squares;
  const char* bins;
  const char* name;
};
constexpr std::array<Part, 3> parts = {{{"high_squares", "bins", "column.high_bits"},
                                        {"low_squares", "bins", "column.low_bits"},
                                        {"pair_squares", "pair_bins", "column.pairs"}}};

struct QualityVerdict {
  statistics::UniformityTest test;
  double adjusted_p = 1;

  [[nodiscard]] bool is_flagged() const { return adjusted_p <= thresholds::family_alpha; }
};

/// A hash on keys from one source.
struct Quality {
  const CountedPoint* point;
  std::string hash;
  std::string source;
  std::array<QualityVerdict, parts.size()> verdicts;

  [[nodiscard]] bool is_flagged() const {
    return std::any_of(verdicts.begin(), verdicts.end(),
                       [](const QualityVerdict& verdict) { return verdict.is_flagged(); });
  }
};

QualityVerdict verdict_of(const CountedPoint& point, const Part& part) {
  std::vector<std::uint64_t> squares;
  for (std::size_t trial = 0; trial < point.trials(); ++trial) {
    squares.push_back(point.count(trial, part.squares));
  }
  return {.test = statistics::test_uniformity(squares, point.count(0, "keys"),
                                              point.count(0, part.bins))};
}

std::vector<Quality> judged_hashes(const std::vector<CountedPoint>& points) {
  std::vector<Quality> all;
  std::vector<double> p_values;
  for (const CountedPoint& point : points) {
    Quality quality{&point, point.word("hash"), point.word("source"), {}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      quality.verdicts[i] = verdict_of(point, parts[i]);
      p_values.push_back(quality.verdicts[i].test.p_value);
    }
    all.push_back(std::move(quality));
  }
  const std::vector<double> adjusted = statistics::holm(p_values);
  auto next = adjusted.begin();
  for (Quality& quality : all) {
    for (QualityVerdict& verdict : quality.verdicts) verdict.adjusted_p = *next++;
  }
  return all;
}

/// "high bits ×12, pairs ×3.1": what is uneven, as chi-square over its expectation.
std::string uneven_text(const Quality& quality, const Words& words) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!quality.verdicts[i].is_flagged()) continue;
    const statistics::UniformityTest& test = quality.verdicts[i].test;
    text.append(text.empty() ? "" : ", ")
        .append(words(parts[i].name))
        .append(" ×")
        .append(significant(test.statistic / test.degrees, 2));
  }
  return text;
}

/// The median over trials of nanoseconds a key, with its bootstrap interval.
Entry cost_entry(const Quality& quality) {
  std::vector<double> costs = quality.point->durations("hash_ns");
  for (double& cost : costs) cost /= static_cast<double>(quality.point->count(0, "keys"));
  if (costs.size() < 2) return number_entry(costs.front(), 2);
  const auto interval =
      statistics::bootstrap_median(costs, thresholds::interval_level, costs.size());
  return interval_entry(statistics::median(costs), interval.low, interval.high);
}

template <class Names>
void remember(Names& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// A line a hash: what is uneven on each source of keys, and its cost on the first.
Table quality_table(const std::vector<Quality>& all, const Words& words) {
  std::vector<std::string> hashes;
  std::vector<std::string> sources;
  for (const Quality& quality : all) {
    remember(hashes, quality.hash);
    remember(sources, quality.source);
  }
  Table table{.name = "quality",
              .caption = words("table.quality.caption"),
              .columns = {{"hash", "hash"}},
              .rows = {}};
  for (const std::string& source : sources) table.columns.push_back({"uneven " + source, source});
  table.columns.push_back({"cost", words("column.hash_cost"), "ns"});
  for (const std::string& hash : hashes) {
    auto& row = table.rows.emplace_back();
    row = {word_entry(hash)};
    Entry cost = no_entry();
    for (const std::string& source : sources) {
      const auto found = std::find_if(all.begin(), all.end(), [&](const Quality& quality) {
        return quality.hash == hash && quality.source == source;
      });
      if (found == all.end()) {
        row.push_back(no_entry());
        continue;
      }
      const std::string text = uneven_text(*found, words);
      row.push_back(text.empty() ? word_entry(words("quality.even"))
                                 : Entry{.text = text, .value = text, .marked = true});
      if (source == sources.front()) cost = cost_entry(*found);
    }
    row.push_back(std::move(cost));
  }
  return table;
}

Table tests_table(const std::vector<Quality>& all, const Words& words) {
  Table table{.name = "uniformity",
              .caption = words("table.uniformity.caption"),
              .columns = {{"hash", "hash"},
                          {"keys", "keys"},
                          {"part", words("column.part")},
                          {"chi_square", words("column.chi_square")},
                          {"degrees", words("column.degrees")},
                          {"z", words("column.z")},
                          {"p", words("column.p_value")},
                          {"holm", words("column.holm")}},
              .rows = {},
              .fold_label =
                  words("table.uniformity.fold", {{"count", grouped(all.size() * parts.size())}})};
  for (const Quality& quality : all) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const QualityVerdict& verdict = quality.verdicts[i];
      auto& row = table.rows.emplace_back();
      row = {word_entry(quality.hash),
             word_entry(quality.source),
             word_entry(words(parts[i].name)),
             number_entry(verdict.test.statistic, 6),
             count_entry(static_cast<std::uint64_t>(verdict.test.degrees)),
             number_entry(verdict.test.z),
             p_value_entry(verdict.test.p_value),
             p_value_entry(verdict.adjusted_p)};
      row.back().marked = verdict.is_flagged();
    }
  }
  return table;
}

/// "fnv1a_64 on sequential": every combination that is uneven anywhere, by hash.
std::string uneven_list(const std::vector<Quality>& all, const Words& words) {
  std::vector<std::pair<std::string, std::string>> by_hash;
  for (const Quality& quality : all) {
    if (!quality.is_flagged()) continue;
    auto found = std::find_if(by_hash.begin(), by_hash.end(),
                              [&](const auto& entry) { return entry.first == quality.hash; });
    if (found == by_hash.end()) {
      by_hash.emplace_back(quality.hash, quality.source);
    } else {
      found->second.append(", ").append(quality.source);
    }
  }
  std::vector<std::string> texts;
  for (const auto& [hash, sources] : by_hash) {
    texts.push_back(
        words("quality.uneven", {{"hash", markdown_escaped(hash)}, {"sources", sources}}));
  }
  return first_of(texts, 3, words);
}

}  // namespace

Content hash_quality_exhibit(const Experiment& experiment, const Words& words) {
  const std::vector<CountedPoint> points = counted_points(experiment, "hash_quality");
  const std::vector<Quality> all = judged_hashes(points);
  std::uint64_t uneven = 0;
  for (const Quality& quality : all) uneven += quality.is_flagged() ? 1 : 0;
  return {.values = {{"combinations", grouped(all.size())},
                     {"uneven", grouped(uneven)},
                     {"uneven_list", uneven_list(all, words)},
                     {"uniformity_tests", grouped(all.size() * parts.size())},
                     {"alpha", parameter_text(thresholds::family_alpha)}},
          .tables = {quality_table(all, words), tests_table(all, words)}};
}

}  // namespace bloomlab::analysis
