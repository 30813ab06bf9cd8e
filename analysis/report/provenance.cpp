#include "analysis/report/provenance.hpp"

#include <algorithm>

#include "analysis/data/axes.hpp"
#include "record/number_text.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

/// One member of a list: a value, or the names and values of an object.
std::string member_text(const Json& member) {
  if (!member.is_object()) return value_text(member);
  std::string text;
  for (const auto& [name, value] : member.items()) {
    text.append(text.empty() ? "" : " ").append(name).append(" ").append(value_text(value));
  }
  return text;
}

/// A list in one entry, so that a table does not get a column for each of its numbers; how many
/// there are where they are too many to read.
Json list_fact(const Json& list) {
  constexpr std::size_t most_shown = 4;
  if (list.empty()) return nullptr;
  if (list.size() > most_shown) return "× " + std::to_string(list.size());
  std::string text;
  for (const Json& member : list) text.append(text.empty() ? "" : "; ").append(member_text(member));
  return text;
}

/// Adds the facts in a value, each under its path.
void add_facts(const Json& value, const std::string& path, Json& facts) {
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) add_facts(member, path + "/" + name, facts);
  } else {
    facts[path] = value.is_array() ? list_fact(value) : value;
  }
}

/// The facts of a run without those of its single shards.
Json facts_of(const Experiment& experiment) {
  Json facts = Json::object();
  for (const auto& [name, value] : experiment.provenance.items()) {
    if (name != "shards") add_facts(value, "/" + name, facts);
  }
  return facts;
}

struct Facts {
  std::vector<std::string> paths;
  std::vector<Json> of_files;  ///< one an experiment

  [[nodiscard]] bool shared(const std::string& path) const {
    return std::all_of(of_files.begin(), of_files.end(), [&](const Json& facts) {
      return facts.value(path, Json()) == of_files.front().value(path, Json());
    });
  }
};

Facts gather(const std::vector<Experiment>& experiments) {
  Facts facts;
  for (const Experiment& experiment : experiments) {
    facts.of_files.push_back(facts_of(experiment));
    for (const auto& [path, value] : facts.of_files.back().items()) {
      if (std::find(facts.paths.begin(), facts.paths.end(), path) == facts.paths.end()) {
        facts.paths.push_back(path);
      }
    }
  }
  return facts;
}

std::string fact_name(const std::string& path) {
  std::string name = path.substr(path.empty() ? 0 : 1);
  std::replace(name.begin(), name.end(), '/', ' ');
  return name;
}

Entry fact_entry(const Json& facts, const std::string& path) {
  const Json value = facts.value(path, Json());
  return value.is_null() ? no_entry() : Entry{markdown_escaped(value_text(value))};
}

}  // namespace

Table provenance_table(const std::vector<Experiment>& experiments, const Words& words) {
  const Facts facts = gather(experiments);
  Table table{.name = "provenance",
              .caption = words("table.provenance.caption"),
              .columns = {{words("column.fact")}, {words("column.value")}},
              .rows = {}};
  for (const std::string& path : facts.paths) {
    if (!facts.shared(path)) continue;
    table.rows.push_back({Entry{fact_name(path)}, fact_entry(facts.of_files.front(), path)});
  }
  return table;
}

Table provenance_files_table(const std::vector<Experiment>& experiments, const Words& words) {
  const Facts facts = gather(experiments);
  Table table{.name = "provenance_files",
              .caption = words("table.provenance_files.caption"),
              .columns = {{words("column.file")}},
              .rows = {}};
  std::vector<std::string> differing;
  for (const std::string& path : facts.paths) {
    if (facts.shared(path)) continue;
    differing.push_back(path);
    table.columns.push_back({fact_name(path)});
  }
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    auto& row = table.rows.emplace_back();
    row.push_back({experiments[i].file_name});
    for (const std::string& path : differing) row.push_back(fact_entry(facts.of_files[i], path));
  }
  table.fold_label = words("table.provenance_files.fold");
  return table;
}

Table thresholds_table(const Words& words) {
  Table table{
      .name = "thresholds",
      .caption = words("table.thresholds.caption"),
      .columns = {{words("column.threshold")}, {words("column.value")}, {words("column.meaning")}},
      .rows = {}};
  for (const statistics::Threshold& threshold : statistics::thresholds::all()) {
    table.rows.push_back({Entry{std::string(threshold.name)},
                          Entry{parameter_text(threshold.value)},
                          Entry{words.of_data(std::string(threshold.meaning))}});
  }
  return table;
}

}  // namespace bloomlab::analysis
