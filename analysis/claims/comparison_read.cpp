// Reading a comparison: everything that can be refused is refused here, before anything is judged.

#include <algorithm>
#include <array>

#include "analysis/claims/comparison.hpp"

namespace bloomlab::analysis::claims {
namespace {

using record::JsonView;
using record::ObjectReader;

constexpr std::array<std::string_view, 3> relation_words = {"equal", "at_most", "at_least"};
constexpr std::array<std::string_view, 4> correction_keys = {"what", "printed", "claimed", "holds"};
constexpr std::array<std::string_view, 2> entry_keys_of_rows = {"printed", "truth"};

std::optional<Expression> formula_at(const ObjectReader& object, std::string_view key) {
  if (!object.has(key)) return std::nullopt;
  return read_formula(object.at(key, "a formula"));
}

std::string text_at(const ObjectReader& object, std::string_view key) {
  return object.at(key, "a text").text({key, "a text"});
}

}  // namespace

Expression read_formula(const JsonView& view) {
  const record::Json& json = view.json();
  if (json.is_number()) return Expression::parse(json.dump());
  if (!json.is_string()) view.refuse("found " + record::shown(json) + "; expected a formula");
  try {
    return Expression::parse(json.get_ref<const std::string&>());
  } catch (const ExpressionError& error) {
    view.refuse(error.what());
  }
}

Comparison::Comparison(const ObjectReader& check, const ClaimText& claim)
    : place_(claim.place), printed_(claim.printed) {
  read_formulas(check);
  read_correction(check);
  read_entries(check);
  read_rows(check);
  require_numbers(check, claim);
}

void Comparison::read_formulas(const ObjectReader& check) {
  if (check.has("where")) {
    const JsonView where = check.at("where", "");
    if (!where.json().is_object()) where.refuse("where must be an object: name to formula");
    for (const auto& [name, view] : where.members()) where_.emplace_back(name, read_formula(view));
  }
  claimed_ = formula_at(check, "claimed");
  truth_ = formula_at(check, "truth");
  holds_ = formula_at(check, "holds");
  shows_ = formula_at(check, "shows");
  if (check.has("relation")) {
    const auto word = check.at("relation", "").word("relation", relation_words);
    const auto at = std::find(relation_words.begin(), relation_words.end(), word);
    tolerance_.relation = static_cast<Relation>(at - relation_words.begin());
  }
  const auto share = [&](std::string_view key) {
    return check.at(key, "").real({key, "", "share of the truth", 0, 1, true});
  };
  if (check.has("right_within")) tolerance_.right_within = share("right_within");
  if (check.has("rough_within")) tolerance_.rough_within = share("rough_within");
}

void Comparison::read_correction(const ObjectReader& check) {
  if (!check.has("correction")) return;
  const ObjectReader object(check.at("correction", ""), "a correction", correction_keys);
  Correction correction{text_at(object, "what"), std::nullopt,
                        formula_at(object, holds_ ? "holds" : "claimed")};
  if (!holds_ && object.has("printed")) correction.printed = text_at(object, "printed");
  if (correction.printed && !parse_printed(*correction.printed)) {
    object.at("printed", "")
        .refuse("found " + record::shown(*correction.printed) +
                "; a printed number is allowed, such as \"0.0609\"");
  }
  if (!correction.printed && !correction.formula) {
    object.view().refuse(holds_ ? "missing key \"holds\": the corrected statement, a formula"
                                : "missing key \"printed\" or \"claimed\": the corrected number");
  }
  correction_ = std::move(correction);
}

void Comparison::read_entries(const ObjectReader& check) {
  if (check.has("entries")) {
    for (const JsonView& view : check.at("entries", "").elements("entries")) {
      const ObjectReader entry(view, "an entry", entry_keys_of_rows);
      entries_.push_back({text_at(entry, "printed"), read_formula(entry.at("truth", "a formula"))});
    }
  } else if (check.has("rows")) {
    entries_.push_back({"printed", std::nullopt});
  } else {
    entries_.push_back({"", std::nullopt});
  }
}

bool Comparison::is_printed(const std::string& column) const {
  return column == "correction" || std::any_of(entries_.begin(), entries_.end(),
                                               [&](const auto& e) { return e.column == column; });
}

void Comparison::read_value(Row& row, const std::string& column, const JsonView& view) const {
  if (column == "name") {
    row.texts[column] = view.text({"name", "what the row is called"});
  } else if (column == "truth") {
    row.truth = read_formula(view);
  } else if (is_printed(column)) {
    if (view.json().is_null()) return;
    row.texts[column] = view.text({column, "a printed number"});
    if (!parse_printed(row.texts[column])) {
      view.refuse("found " + record::shown(view.json()) +
                  "; a printed number is allowed, such as \"0.0609\"");
    }
  } else {
    constexpr double largest = std::numeric_limits<double>::max();
    row.numbers[column] = view.real({column, "", "a value of the row", -largest, largest});
  }
}

Comparison::Row Comparison::read_row(const JsonView& view) const {
  const std::vector<JsonView> values = view.elements("a row");
  if (values.size() != columns_.size()) {
    view.refuse("found " + std::to_string(values.size()) + " values; a row has " +
                std::to_string(columns_.size()) + ", one a column");
  }
  Row row;
  for (std::size_t i = 0; i < values.size(); ++i) read_value(row, columns_[i], values[i]);
  return row;
}

void Comparison::read_rows(const ObjectReader& check) {
  if (check.has("range")) range_ = text_at(check, "range");
  if (!check.has("rows") && !check.has("columns")) return;
  for (const JsonView& view : check.at("columns", "names of the columns").elements("columns")) {
    columns_.push_back(view.text({"a column", "its name"}));
  }
  const JsonView rows = check.at("rows", "rows of the table");
  for (const JsonView& view : rows.elements("rows")) rows_.push_back(read_row(view));
  if (rows_.empty()) rows.refuse("there is no row; give one or more");
  for (std::size_t row = 0; !range_.empty() && row < rows_.size(); ++row) {
    if (row_name(row).empty()) rows.refuse("rows of a \"range\" need a column \"name\"");
  }
}

void Comparison::require_numbers(const ObjectReader& check, const ClaimText& claim) const {
  if (holds_) {
    if (truth_ || claimed_) check.view().refuse("give either \"holds\" or \"truth\", not both");
    return;
  }
  if (shows_) check.view().refuse("\"shows\" belongs to \"holds\"; \"truth\" is shown anyway");
  for (const PrintedColumn& entry : entries_) {
    const auto lacks_truth = [&](const Row& row) { return !row.truth; };
    const bool every_row = !rows_.empty() && std::none_of(rows_.begin(), rows_.end(), lacks_truth);
    if (!entry.truth && !truth_ && !every_row) {
      check.view().refuse("missing key \"truth\": a formula of what is true, or \"holds\"");
    }
    if (claimed_) continue;
    if (entry.column.empty() && !parse_printed(claim.printed)) {
      check.view().refuse("the claim's \"printed\" is " + record::shown(claim.printed) +
                          ", no number; write one, or give \"claimed\" or \"holds\"");
    }
    const auto lacks_number = [&](const Row& row) { return !row.texts.contains(entry.column); };
    if (!entry.column.empty() && std::any_of(rows_.begin(), rows_.end(), lacks_number)) {
      check.view().refuse("a row has no column \"" + entry.column + "\"");
    }
  }
}

}  // namespace bloomlab::analysis::claims
