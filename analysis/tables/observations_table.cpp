#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/tables/cells_table.hpp"

namespace bloomlab::analysis {

namespace {

/// Units of what trials count; durations carry theirs in the key.
std::string unit_of_count(const std::string& key) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> units = {{
      {"true_positives", "keys"},
      {"false_positives", "keys"},
      {"true_negatives", "keys"},
      {"false_negatives", "keys"},
      {"inserted", "keys"},
      {"bits", "bits"},
      {"bits_set", "bits"},
      {"memory_bits", "bits"},
  }};
  for (const auto& [name, unit] : units) {
    if (key == name) return std::string(unit);
  }
  return "";
}

/// Keys of one part of all observations, in the order of their first appearance.
template <class Part>
std::vector<std::string> keys_of(const Experiment& experiment, Part&& part) {
  std::vector<std::string> keys;
  for (const record::Observation& observation : experiment.observations) {
    const Json object = part(observation);
    for (const auto& [key, value] : object.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  return keys;
}

Entry entry_of(const Json& value) {
  if (value.is_null()) return no_entry();
  if (const auto count = as_count(value)) return count_entry(*count);
  if (value.is_number()) return number_entry(value.get<double>());
  return word_entry(value.is_string() ? value.get<std::string>() : value.dump());
}

Json member(const Json& object, const std::string& key) {
  const auto found = object.find(key);
  return found == object.end() ? Json() : *found;
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

Table observations_table(const Experiment& experiment) {
  Table table{.name = "observations", .caption = {}, .columns = {}, .rows = {}};
  const auto places = keys_of(experiment, [](const auto& o) { return o.cell.flatten(); });
  const auto counts = keys_of(experiment, [](const auto& o) { return o.measured; });
  const auto durations = keys_of(experiment, [](const auto& o) { return o.timing; });
  const auto add_column = [&](const std::string& key, const std::string& unit) {
    table.columns.push_back({.key = key, .heading = key, .unit = unit});
  };
  for (const std::string& path : places) add_column(path.substr(1), unit_of(path));
  for (const char* key : {"group", "trial", "step", "seed", "redrawn"}) add_column(key, "");
  for (const std::string& key : counts) add_column(key, unit_of_count(key));
  for (const std::string& key : durations) add_column(key, "");
  for (const record::Observation& observation : experiment.observations) {
    auto& row = table.rows.emplace_back();
    for (const std::string& path : places)
      row.push_back(entry_of(value_at(observation.cell, path)));
    row.push_back(word_entry(observation.group));
    row.push_back(count_entry(observation.trial));
    row.push_back(observation.step ? count_entry(*observation.step) : no_entry());
    row.push_back(count_entry(observation.seed));
    row.push_back(word_entry(joined_words(observation.redrawn)));
    for (const std::string& key : counts)
      row.push_back(entry_of(member(observation.measured, key)));
    for (const std::string& key : durations) {
      row.push_back(entry_of(member(observation.timing, key)));
    }
  }
  return table;
}

Table counts_table(const Experiment& experiment, const Words& words) {
  Table table{
      .name = "counts", .caption = words("table.counts.caption"), .columns = {}, .rows = {}};
  const auto places = keys_of(experiment, [](const auto& o) { return o.cell.flatten(); });
  const auto counts = keys_of(experiment, [](const auto& o) { return o.measured; });
  for (const std::string& path : places) {
    table.columns.push_back({path.substr(1), short_name(path), unit_of(path)});
  }
  table.columns.push_back({"step", words("column.step")});
  for (const std::string& key : counts) table.columns.push_back({key, key, unit_of_count(key)});
  std::vector<std::pair<const record::Observation*, Json>> points;  // first trial, sums
  for (const record::Observation& observation : experiment.observations) {
    const auto point = std::find_if(points.begin(), points.end(), [&](const auto& entry) {
      return entry.first->cell == observation.cell && entry.first->step == observation.step;
    });
    if (point == points.end()) {
      points.emplace_back(&observation, observation.measured);
      continue;
    }
    for (auto& [key, sum] : point->second.items()) {
      const auto more = as_count(member(observation.measured, key));
      if (const auto count = as_count(sum); count && more) sum = *count + *more;
    }
  }
  for (const auto& [first, sums] : points) {
    auto& row = table.rows.emplace_back();
    for (const std::string& path : places) row.push_back(entry_of(value_at(first->cell, path)));
    row.push_back(first->step ? count_entry(*first->step) : no_entry());
    for (const std::string& key : counts) row.push_back(entry_of(member(sums, key)));
  }
  return table;
}

}  // namespace bloomlab::analysis
