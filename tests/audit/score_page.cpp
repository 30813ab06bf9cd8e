#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "record/number_text.hpp"
#include "tests/audit/score.hpp"

namespace bloomlab::tests {
namespace {

using record::Json;
using ScoreRows = std::vector<Json>;

std::string joined(const Json& words) {
  std::string text;
  for (const Json& word : words) {
    text += (text.empty() ? "`" : ", `") + word.get<std::string>() + "`";
  }
  return text;
}

ScoreRows of_set(const ScoreRows& all, const std::string& set) {
  ScoreRows rows;
  std::ranges::copy_if(all, std::back_inserter(rows),
                       [&](const Json& row) { return row.at("set") == set; });
  return rows;
}

std::size_t count(const ScoreRows& rows, const char* what) {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [&](const Json& row) { return row.at(what).get<bool>(); }));
}

/// The class that belongs to a defect, down, and the one that was named, across.
std::string matrix(const ScoreRows& rows) {
  std::map<std::string, std::map<std::string, int>> counts;
  std::set<std::string> columns;
  for (const Json& row : rows) {
    ++counts[row.at("expected").front()][row.at("found")];
    columns.insert(row.at("found").get<std::string>());
  }
  std::string text = "| class \\ named |";
  std::string rule = "| --- |";
  for (const std::string& column : columns) {
    text += " `" + column + "` |";
    rule += " ---: |";
  }
  text += "\n" + rule + "\n";
  for (const auto& [expected, row] : counts) {
    text += "| `" + expected + "` |";
    for (const std::string& column : columns) {
      const auto found = row.find(column);
      text += found == row.end() ? " |" : " " + std::to_string(found->second) + " |";
    }
    text += "\n";
  }
  return text;
}

std::string table(const ScoreRows& rows) {
  std::string text = "| defect | class | named | | cause |\n| --- | --- | --- | --- | --- |\n";
  for (const Json& row : rows) {
    text += "| " + row.at("name").get<std::string>() + " | " + joined(row.at("expected")) + " | `" +
            row.at("found").get<std::string>() + "` " + row.at("certainty").get<std::string>() +
            " | " + (row.at("right").get<bool>() ? "right" : "not right") +
            (row.at("false_and_certain").get<bool>() ? ", false and certain" : "") +
            (row.at("counts").get<bool>() ? "" : " (not caught by the matrix)") + " | " +
            row.at("cause").get<std::string>() + " |\n";
  }
  return text;
}

std::string summary(const ScoreRows& rows) {
  return std::to_string(count(rows, "right")) + " of " + std::to_string(rows.size()) + " right, " +
         std::to_string(count(rows, "false_and_certain")) +
         " with something false that is stated as certain";
}

}  // namespace

std::string score_page(const std::vector<Json>& rows) {
  const ScoreRows all = of_set(rows, "defects");
  ScoreRows caught;
  std::ranges::copy_if(all, std::back_inserter(caught),
                       [](const Json& row) { return row.at("counts").get<bool>(); });
  std::string text = "**Defects that the matrix catches:** " + summary(caught) +
                     ". All of them: " + summary(all) + ".\n\n" + matrix(all) + "\n" + table(all);
  for (const char* const set : {"other sizes", "pairs"}) {
    const ScoreRows others = of_set(rows, set);
    if (others.empty()) continue;
    text += std::string("\n**") + (set[0] == 'p' ? "Pairs of defects" : "Defects of other sizes") +
            ":** " + summary(others) + ".\n\n" + table(others);
  }
  const ScoreRows controls = of_set(rows, "controls");
  if (controls.empty()) return text;
  text +=
      "\n**Filters without a defect:**\n\n| control | clean | least p by Holm |\n"
      "| --- | ---: | ---: |\n";
  for (const Json& row : controls) {
    text += "| " + row.at("name").get<std::string>() + " | " + row.at("clean").dump() + " of " +
            row.at("audits").dump() + " | " + significant(row.at("least_p").get<double>(), 2) +
            " |\n";
  }
  return text + "\nStated probability of a flag per audit: at most " +
         significant(controls.front().at("alpha").get<double>(), 1) + ".\n";
}

}  // namespace bloomlab::tests
