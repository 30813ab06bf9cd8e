#include "analysis/report/bibliography.hpp"

#include <algorithm>
#include <type_traits>

#include "analysis/exhibits/helpers.hpp"
#include "core/catalogue.hpp"

namespace bloomlab::analysis {
namespace {

bool in_catalogue(const std::string& filter) {
  bool found = false;
  for_each_type<Filters>(
      [&]<class Filter>(std::type_identity<Filter>) { found = found || Filter::name == filter; });
  return found;
}

bool was_measured(const std::vector<Experiment>& experiments, const std::string& stem) {
  return std::any_of(experiments.begin(), experiments.end(),
                     [&](const Experiment& experiment) { return experiment.stem == stem; });
}

/// "built as counting", "simulated", "out of scope".
std::string reference_verdict(const Json& entry, const std::vector<Experiment>& experiments,
                              const Words& words) {
  const auto filters = entry.at("filters").get<std::vector<std::string>>();
  if (!filters.empty() && std::all_of(filters.begin(), filters.end(), in_catalogue)) {
    return words("bibliography.built", {{"filters", joined(filters)}});
  }
  const auto configs = entry.at("configs").get<std::vector<std::string>>();
  const bool all = std::all_of(configs.begin(), configs.end(), [&](const std::string& stem) {
    return was_measured(experiments, stem);
  });
  return words(!configs.empty() && all ? "bibliography.simulated" : "bibliography.out_of_scope");
}

std::string links_to(const Json& entry, const std::vector<Experiment>& experiments) {
  std::vector<std::string> links;
  for (const auto& config : entry.at("configs")) {
    const auto stem = config.get<std::string>();
    if (was_measured(experiments, stem)) links.push_back(stem);
  }
  return joined(links);
}

}  // namespace

Table bibliography_table(const std::vector<Experiment>& experiments, const Words& words) {
  Table table{.name = "bibliography",
              .caption = words("table.bibliography.caption"),
              .columns = {{"number", words("column.reference_number")},
                          {"reference", words("column.reference")},
                          {"verdict", words("column.verdict")},
                          {"why", words("column.why")},
                          {"experiments", words("column.experiments")}},
              .rows = {}};
  const Json source = printed_source("bibliography");
  for (const Json& entry : source.at("entries")) {
    std::string reference = entry.at("authors").get<std::string>();
    reference.append(" ").append(entry.at("year").dump());
    reference.append(", ").append(entry.at("title").get<std::string>());
    reference.append(", ").append(entry.at("where").get<std::string>());
    table.rows.push_back({count_entry(entry.at("number").get<std::uint64_t>()),
                          word_entry(std::move(reference)),
                          word_entry(reference_verdict(entry, experiments, words)),
                          word_entry(words("bibliography." + entry.at("key").get<std::string>())),
                          word_entry(links_to(entry, experiments))});
  }
  return table;
}

}  // namespace bloomlab::analysis
