// The check over measured cells.

#include <iterator>
#include <vector>

#include "analysis/claims/checks.hpp"
#include "analysis/claims/comparison.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis::claims {
namespace {

using record::JsonView;
using record::ObjectReader;

/// What of the results an experiment check looks at.
struct CellsOfClaim {
  std::string config;
  std::vector<std::pair<std::string, Json>> named;  ///< name to part of a cell
  std::optional<Json> each;
  std::string place;
};

/// `part` with every text "$column" replaced by the row's number of that name, "$name" by what the
/// row is called.
Json with_values(const Json& part, const Scope& scope, const std::string& row) {
  if (part.is_object()) {
    Json filled = Json::object();
    for (const auto& [key, value] : part.items()) filled[key] = with_values(value, scope, row);
    return filled;
  }
  if (!part.is_string()) return part;
  const auto& text = part.get_ref<const std::string&>();
  if (!text.starts_with('$')) return part;
  if (text == "$name" && !row.empty()) return row;
  const auto number = scope.find(text.substr(1));
  return number ? Json(*number) : part;
}

void bind(Scope& scope, const std::string& name, const MeasuredCell& cell) {
  for (const auto& [quantity, value] : cell.quantities) scope.set(name + "." + quantity, value);
}

Finding missing_results(const std::string& config, const std::string& what) {
  Finding finding;
  finding.verdict = Verdict::not_measured;
  finding.entries = 0;
  finding.note = what;
  finding.evidence = config;
  return finding;
}

/// Gives the quantities of the named cells to the scope; a text where one is not in the results.
std::optional<std::string> bind_named(const CellsOfClaim& claim, const Experiment& experiment,
                                      Scope& scope, const std::string& row = "") {
  for (const auto& [name, part] : claim.named) {
    const Json wanted = with_values(part, scope, row);
    const std::vector<MeasuredCell> cells = cells_like(experiment, wanted);
    if (cells.empty()) return claim.config + ".json has no cell " + wanted.dump();
    if (cells.size() > 1) {
      throw record::InputError(claim.place + "/check/cells/" + name + ": " +
                               std::to_string(cells.size()) + " cells of " + claim.config +
                               " contain " + wanted.dump() + "; say more, or use \"each\"");
    }
    bind(scope, name, cells.front());
  }
  return std::nullopt;
}

Finding judge_each(const CellsOfClaim& claim, const Comparison& comparison,
                   const Experiment& experiment) {
  std::vector<JudgedPart> parts;
  for (const MeasuredCell& cell : cells_like(experiment, *claim.each)) {
    Scope scope;
    bind(scope, "cell", cell);
    if (const auto missing = bind_named(claim, experiment, scope)) {
      return missing_results(claim.config, *missing);
    }
    comparison.fill(scope, 0);
    for (JudgedPart part : comparison.judge_row(scope, 0)) {
      const auto m = cell.quantities.find("m");
      if (m != cell.quantities.end()) {
        part.name = "m = " + std::to_string(static_cast<std::uint64_t>(m->second));
      }
      parts.push_back(std::move(part));
    }
  }
  if (parts.empty()) {
    return missing_results(claim.config, claim.config + ".json has no cell " + claim.each->dump());
  }
  return summarised(parts, comparison.range());
}

Finding judge_cells(const CellsOfClaim& claim, const Comparison& comparison,
                    const Results& results) {
  const Experiment* experiment = results.find(claim.config);
  if (experiment == nullptr) {
    return missing_results(claim.config, "no results of " + claim.config + " in the folder");
  }
  Finding finding;
  if (claim.each) {
    finding = judge_each(claim, comparison, *experiment);
  } else {
    std::vector<JudgedPart> parts;
    for (std::size_t row = 0; row < comparison.rows(); ++row) {
      Scope numbers;
      comparison.fill(numbers, row);
      if (const auto missing = bind_named(claim, *experiment, numbers, comparison.row_name(row))) {
        return missing_results(claim.config, *missing);
      }
      const auto judged = comparison.judge_row(numbers, row);
      parts.insert(parts.end(), judged.begin(), judged.end());
    }
    finding = summarised(parts, comparison.range());
  }
  finding.evidence = claim.config;
  return finding;
}

JsonView object_at(const ObjectReader& reader, std::string_view key) {
  const JsonView view = reader.at(key, "parts of cells");
  if (!view.json().is_object())
    view.refuse("found " + record::shown(view.json()) + "; an object is allowed");
  return view;
}

CellsOfClaim read_cells(const ObjectReader& reader) {
  CellsOfClaim cells;
  const JsonView config = reader.at("config", "the config whose results are asked, without .json");
  cells.config = config.text({"config", "the config whose results are asked"});
  if (cells.config.find_first_of("/\\") != std::string::npos) {
    config.refuse("found " + record::shown(cells.config) + "; a name without folder is allowed");
  }
  if (reader.has("cells")) {
    for (const auto& [name, view] : object_at(reader, "cells").members()) {
      if (!view.json().is_object()) view.refuse("a part of a cell must be an object");
      cells.named.emplace_back(name, view.json());
    }
  }
  if (reader.has("each")) cells.each = object_at(reader, "each").json();
  if (cells.named.empty() && !cells.each) {
    reader.view().refuse("missing key \"cells\" or \"each\": which cells are asked");
  }
  return cells;
}

}  // namespace

Check ExperimentCheck::read(const JsonView& check, const ClaimText& claim) {
  std::vector<std::string_view> keys = {"config", "cells", "each"};
  keys.insert(keys.end(), std::begin(Comparison::plain_keys), std::end(Comparison::plain_keys));
  keys.insert(keys.end(), std::begin(Comparison::table_keys), std::end(Comparison::table_keys));
  const ObjectReader reader(check, "a check", keys);
  CellsOfClaim cells = read_cells(reader);
  cells.place = claim.place;
  if (cells.each && reader.has("rows")) check.refuse("give either \"each\" or \"rows\", not both");
  return [cells, comparison = Comparison(reader, claim)](const Results& results) {
    return judge_cells(cells, comparison, results);
  };
}

}  // namespace bloomlab::analysis::claims
