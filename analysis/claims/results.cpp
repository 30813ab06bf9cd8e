#include "analysis/claims/results.hpp"

#include <regex>
#include <utility>

#include "analysis/data/load.hpp"
#include "analysis/pages/tables.hpp"

namespace bloomlab::analysis::claims {

std::vector<std::string> stems_named(const std::string& sql) {
  static const std::regex table(R"j("([^".]+)\.[a-z_]+")j");
  std::vector<std::string> stems;
  for (std::sregex_iterator found(sql.begin(), sql.end(), table), end; found != end; ++found) {
    stems.push_back((*found)[1]);
  }
  return stems;
}

const Experiment* Results::find(const std::string& stem) const& {
  for (const Experiment& experiment : given_) {
    if (experiment.stem == stem) return &experiment;
  }
  const auto [entry, is_new] = read_.try_emplace(stem);
  const std::filesystem::path file = folder_ / (stem + ".json");
  if (is_new && !folder_.empty() && std::filesystem::exists(file)) {
    entry->second = analyse({stem, stem + ".json", record::read_result_file(file), std::nullopt});
  }
  return entry->second ? &*entry->second : nullptr;
}

pages::Relation Results::query(const std::string& sql, const std::string& where) const {
  std::vector<const Experiment*> named;
  for (const std::string& stem : stems_named(sql)) {
    if (const Experiment* experiment = find(stem)) named.push_back(experiment);
  }
  return pages::Numbers(std::move(named), sql).query(sql, where);
}

}  // namespace bloomlab::analysis::claims
