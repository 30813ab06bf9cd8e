// Tables 4.2 and 4.3 of the lab report: printed values beside ours, digit for digit.
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/format/number.hpp"

namespace bloomlab::analysis {

namespace {

/// Printed values that were compared, and how many of them are ours too.
struct PrintedTally {
  std::uint64_t compared = 0;
  std::uint64_t equal = 0;
  std::uint64_t missing = 0;  ///< printed, but not measured
  std::vector<std::string> differing;
};

const Measurement* find_filter(const Experiment& experiment, const std::string& kind, double m,
                               double fp) {
  return find_measurement(experiment, [&](const Measurement& measurement) {
    return word_at(measurement.cell, "/filter/kind") == kind &&
           number_at(measurement.cell, "/filter/m") == m &&
           (kind == "standard" || number_at(measurement.cell, "/filter/fp") == fp);
  });
}

/// A printed value and ours, side by side.
struct Pair {
  std::string name;
  std::string printed;
  std::optional<std::string> ours;
};

std::vector<Pair> pairs_of(const Json& line, int decimals, const Measurement* plain,
                           const Measurement* growing) {
  const auto rate = [&](const Measurement* measurement) -> std::optional<std::string> {
    if (measurement == nullptr) return std::nullopt;
    return fixed(measurement->estimate->rate.value, decimals);
  };
  const auto count = [&](std::uint64_t Trial::*member,
                         std::uint64_t less) -> std::optional<std::string> {
    if (growing == nullptr) return std::nullopt;
    return std::to_string(growing->trials.front().*member - less);
  };
  return {{"fp1", line.at("fp1"), rate(plain)},
          {"fp2", line.at("fp2"), rate(growing)},
          {"capacity", line.at("capacity").dump(), count(&Trial::bits, 0)},
          {"expansions", line.at("expansions").dump(), count(&Trial::layers, 1)}};
}

void add_pair(std::vector<Entry>& row, PrintedTally& tally, const Pair& pair,
              const std::string& place) {
  row.push_back(word_entry(pair.printed));
  if (!pair.ours) {
    ++tally.missing;
    row.push_back(no_entry());
    return;
  }
  Entry ours = word_entry(*pair.ours);
  ours.marked = *pair.ours != pair.printed;
  ++tally.compared;
  if (ours.marked) {
    tally.differing.push_back(place + " " + pair.name + ": " + pair.printed + " ≠ " + *pair.ours);
  } else {
    ++tally.equal;
  }
  row.push_back(std::move(ours));
}

Entry exact_entry(const Measurement* measurement) {
  return measurement == nullptr ? no_entry() : number_entry(measurement->prediction->rate, 4);
}

Table lab_table(const Experiment& experiment, const Json& source, const Json& printed,
                const Words& words, PrintedTally& tally) {
  const std::string number = printed.at("table");
  Table table{.name = "lab_" + number.substr(0, 1) + "_" + number.substr(2),
              .caption = words("table.lab.caption",
                               {{"number", number}, {"fp", parameter_text(printed.at("fp"))}}),
              .columns = {{"m", "m", "bits"}},
              .rows = {}};
  for (const char* name : {"fp1", "fp2", "capacity", "expansions"}) {
    const std::string key = name;
    const std::string unit = key == "capacity" ? "bits" : "";
    const Tags tags = {{"quantity", words("column." + key)}};
    table.columns.push_back({key + "_printed", words("column.quantity_printed", tags), unit});
    table.columns.push_back({key, words("column.quantity_ours", tags), unit});
    if (key.starts_with("fp")) {
      table.columns.push_back({key + "_exact", words("column.quantity_exact", tags)});
    }
  }
  for (const Json& line : printed.at("rows")) {
    const double m = line.at("m");
    const Measurement* plain = find_filter(experiment, "standard", m, 0);
    const Measurement* growing =
        find_filter(experiment, "scalable_untightened", m, printed.at("fp"));
    auto& row = table.rows.emplace_back();
    row.push_back(count_entry(line.at("m")));
    const std::string place = number + ", m = " + grouped(line.at("m"));
    for (const Pair& pair : pairs_of(line, source.at("decimals"), plain, growing)) {
      add_pair(row, tally, pair, place);
      if (pair.name == "fp1") row.push_back(exact_entry(plain));
      if (pair.name == "fp2") row.push_back(exact_entry(growing));
    }
  }
  return table;
}

}  // namespace

Content lab_report_exhibit(const Experiment& experiment, const Words& words) {
  const Json source = printed_source("lab_report_tables");
  PrintedTally tally;
  Content content;
  for (const Json& printed : source.at("tables")) {
    content.tables.push_back(lab_table(experiment, source, printed, words, tally));
  }
  content.values = {{"compared_count", grouped(tally.compared)},
                    {"equal_count", grouped(tally.equal)},
                    {"printed_count", grouped(tally.compared + tally.missing)},
                    {"differing", joined(tally.differing)}};
  return content;
}

}  // namespace bloomlab::analysis
