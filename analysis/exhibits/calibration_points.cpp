#include "analysis/exhibits/calibration_points.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/format/number.hpp"
#include "core/theory/standard.hpp"
#include "record/input_error.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

std::uint64_t whole(const Json& json, const std::string& key) {
  return json.at(key).get<std::uint64_t>();
}

CalibrationPoint point_of(const Json& cell) {
  return {.m = whole(cell, "m"),
          .bits_per_key = whole(cell, "bits_per_key"),
          .k = whole(cell, "k"),
          .trials = whole(cell, "trials"),
          .design = cell.at("design").get<std::string>(),
          .expected_hits = cell.at("expected_hits").get<double>(),
          .effect = cell.at("effect").get<double>(),
          .family = whole(cell, "family"),
          .counts = {}};
}

void add_counts(CalibrationPoint& point, const Json& measured) {
  for (const auto& [key, count] : measured.items()) {
    point.counts[key] += count.get<std::uint64_t>();
  }
  point.counts.at("simulations");
}

/// A test whose rejections are counted.
struct CountedTest {
  std::string_view count;
  std::string_view heading;  // key of its name among the words
};

constexpr std::array<CountedTest, 3> tests = {{
    {"rate_rejections", "column.alarms_rate"},
    {"own_rates_rejections", "column.alarms_own_rates"},
    {"set_bits_rejections", "column.alarms_set_bits"},
}};

bool is_right(const CalibrationPoint& point) { return !(point.effect < 0 || point.effect > 0); }

/// The tests that some point without an effect counted.
std::vector<CountedTest> tests_made(const std::vector<CalibrationPoint>& points) {
  std::vector<CountedTest> made;
  for (const CountedTest& test : tests) {
    const bool counted = std::any_of(points.begin(), points.end(), [&](const auto& point) {
      return is_right(point) && point.counts.contains(test.count);
    });
    if (counted) made.push_back(test);
  }
  return made;
}

std::vector<Entry> alarm_row(const CalibrationPoint& point, const std::vector<CountedTest>& made,
                             Tally& tally) {
  std::vector<Entry> row = {
      count_entry(point.m), count_entry(point.trials),
      point.expected_hits > 0 ? setting_entry(point.expected_hits) : no_entry(),
      setting_entry(point.queries()), setting_entry(point.alpha())};
  for (const CountedTest& test : made) {
    const Share share = point.share(test.count);
    const bool kept = !share.is_known() || keeps_alpha(share, point.alpha());
    row.push_back(share_entry(share, !kept));
    if (share.is_known()) tally.add(kept, std::string(test.count) + " (" + point.label() + ")");
  }
  return row;
}

}  // namespace

Share CalibrationPoint::share(std::string_view key) const {
  const auto found = counts.find(key);
  return found == counts.end() ? Share{} : counted_share(found->second, simulations());
}

double CalibrationPoint::queries() const {
  const auto found = counts.find("queries");
  if (found == counts.end()) return unknown;
  return static_cast<double>(found->second) / static_cast<double>(simulations() * trials);
}

double CalibrationPoint::rate() const { return theory::exact_fpr(m, m / bits_per_key, k); }

double CalibrationPoint::alpha() const {
  return thresholds::calibration_alpha / static_cast<double>(family);
}

std::string CalibrationPoint::label() const {
  std::string text = "m = " + grouped(m);
  text.append(", trials = ").append(grouped(trials));
  if (expected_hits > 0) text.append(", expected_hits = ").append(parameter_text(expected_hits));
  if (effect < 0 || effect > 0) text.append(", effect = ").append(parameter_text(effect));
  if (family > 1) text.append(", family = ").append(grouped(family));
  return text;
}

std::vector<CalibrationPoint> calibration_points(
    const std::vector<record::Observation>& observations, const std::string& where) {
  std::vector<CalibrationPoint> points;
  std::map<std::string, std::size_t> place_of;
  for (const record::Observation& observation : observations) {
    try {
      const auto [place, is_new] = place_of.try_emplace(observation.cell.dump(), points.size());
      if (is_new) points.push_back(point_of(observation.cell));
      add_counts(points[place->second], observation.measured);
    } catch (const std::exception& fault) {
      throw record::InputError(where + ": " + observation.cell.dump() +
                               " is no observation of a calibration (" + fault.what() +
                               "); measure again with `bloomlab run --force`");
    }
  }
  return points;
}

Alarms alarms_of(const std::vector<CalibrationPoint>& points, const Words& words) {
  Alarms alarms{.table = {.name = "alarms",
                          .caption = words("table.alarms.caption"),
                          .columns = {{"m", "m", "bits"},
                                      {"trials", words("column.trials")},
                                      {"expected_hits", words("column.expected_hits")},
                                      {"queries", words("column.queries_of_each")},
                                      {"alpha", words("column.alpha")}},
                          .rows = {},
                          .fold_label = words("table.alarms.fold")},
                .tally = {}};
  const std::vector<CountedTest> made = tests_made(points);
  for (const CountedTest& test : made) {
    alarms.table.columns.push_back({std::string(test.count), words(test.heading)});
  }
  for (const CalibrationPoint& point : points) {
    if (is_right(point)) alarms.table.rows.push_back(alarm_row(point, made, alarms.tally));
  }
  return alarms;
}

Tags alarm_values(const Tally& tally) {
  return {{"alarm_tests", grouped(tally.promises)},
          {"alarms_kept", grouped(tally.kept())},
          {"alarms_broken", grouped(tally.broken.size())},
          {"alpha", parameter_text(thresholds::calibration_alpha)},
          {"alarm_chance", percent((1 - thresholds::simulation_level) / 2, 2)}};
}

}  // namespace bloomlab::analysis
