#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "analysis/claims/checks.hpp"
#include "analysis/claims/parts.hpp"
#include "analysis/claims/results.hpp"
#include "record/input_error.hpp"
#include "record/suggest.hpp"

namespace bloomlab::analysis::claims {
namespace {

using pages::Value;
using record::JsonView;
using record::ObjectReader;

constexpr std::array<std::string_view, 6> check_keys = {
    "sql", "range", "relation", "right_within", "rough_within", "correction"};
constexpr std::array<std::string_view, 3> relation_words = {"equal", "at_most", "at_least"};
constexpr std::array<std::string_view, 6> known_columns = {"name",  "printed", "truth",
                                                           "holds", "shows",   "corrected"};

/// A text, or the lines of one.
std::string lines_of(const JsonView& view) {
  if (!view.json().is_array()) return view.text({"sql", "a query, or its lines"});
  std::string text;
  for (const JsonView& line : view.elements("the lines of a query")) {
    text.append(line.text({"a line", "a text"})).append("\n");
  }
  return text;
}

bool is_null(const Value& value) { return std::holds_alternative<std::monostate>(value); }

std::string text_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return is_null(value) ? "" : shown_number(pages::number_of(value));
}

/// A query and how its rows are judged.
struct Query {
  std::string sql = {};
  std::vector<std::string> stems = {};  ///< of the results that it asks
  std::string place = {};               ///< for complaints
  std::string printed = {};             ///< of the claim
  std::string range = {};
  std::string correction = {};
  Tolerance tolerance = {};

  [[noreturn]] void refuse(const std::string& fault) const {
    throw record::InputError(place + ": " + fault);
  }
};

using Row = std::map<std::string, Value, std::less<>>;

Query query_in(const JsonView& view, const ClaimText& claim) {
  const ObjectReader check(view, "a check", check_keys);
  Query query{
      .sql = lines_of(check.at("sql", "a query")), .place = claim.place, .printed = claim.printed};
  query.stems = stems_named(query.sql);
  if (check.has("range")) query.range = check.at("range", "").text({"range", "what is left open"});
  if (check.has("correction"))
    query.correction = check.at("correction", "").text({"correction", ""});
  if (check.has("relation")) {
    const auto word = check.at("relation", "").word("relation", relation_words);
    const auto at = std::find(relation_words.begin(), relation_words.end(), word);
    query.tolerance.relation = static_cast<Relation>(at - relation_words.begin());
  }
  const auto share = [&](std::string_view key) {
    return check.at(key, "").real({key, "", "share of the truth", 0, 1, true});
  };
  if (check.has("right_within")) query.tolerance.right_within = share("right_within");
  if (check.has("rough_within")) query.tolerance.rough_within = share("rough_within");
  return query;
}

/// The column that is judged: "truth" or "holds".
std::string judged_column(const Query& query, const std::vector<std::string>& columns) {
  const auto has = [&](std::string_view column) {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  };
  for (const std::string& column : columns) {
    if (std::find(known_columns.begin(), known_columns.end(), column) != known_columns.end())
      continue;
    query.refuse("unknown column \"" + column + "\"; " + record::suggestion(column, known_columns));
  }
  if (has("truth") == has("holds")) {
    query.refuse("the query must give one column \"truth\" or one column \"holds\"");
  }
  if (!query.range.empty() && !has("name")) {
    query.refuse("the rows of a \"range\" need a column \"name\"");
  }
  return has("truth") ? "truth" : "holds";
}

/// A number as it is printed, or that a formula gives; none for null.
std::optional<PrintedNumber> number_in(const Query& query, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (is_null(value)) return std::nullopt;
  if (text == nullptr) return PrintedNumber{pages::number_of(value), 0};
  const auto number = parse_printed(*text);
  if (number) return number;
  query.refuse("found \"" + *text + "\"; a printed number is allowed, such as \"0.0609\"");
}

/// Holds what the source prints against what is true, which `part` has.
void judge_number(const Query& query, const Value& printed, JudgedPart& part) {
  const auto claimed = is_null(printed) ? parse_printed(query.printed) : number_in(query, printed);
  if (!claimed) {
    query.refuse("the claim's \"printed\" is \"" + query.printed +
                 "\", no number; write one, or give a column \"printed\" or \"holds\"");
  }
  const bool own = std::holds_alternative<std::string>(printed) || query.printed.empty();
  if (own) part.printed = text_of(printed);
  const double truth = *part.computed;
  part.verdict = judge(*claimed, truth, query.tolerance);
  if (query.tolerance.right_within && truth != 0) {
    part.why = distance_text(claimed->value, truth, *query.tolerance.right_within);
  }
}

JudgedPart judge_row(const Query& query, Row& row, const std::string& judged) {
  const double found = pages::number_of(row[judged]);
  if (!std::isfinite(found)) {
    query.refuse("the column \"" + judged + "\" has a row without a number");
  }
  JudgedPart part{.name = text_of(row["name"]), .printed = query.printed};
  const auto meant = number_in(query, row["corrected"]);
  bool is_meant = meant && meant->value != 0;
  if (judged == "holds") {
    if (!is_null(row["shows"])) part.computed = pages::number_of(row["shows"]);
    part.verdict = found != 0 ? Verdict::right : Verdict::wrong;
  } else {
    part.computed = found;
    judge_number(query, row["printed"], part);
    is_meant = meant && judge(*meant, found, query.tolerance) == Verdict::right;
  }
  if (part.verdict != Verdict::right && is_meant) {
    part.verdict = Verdict::misprint;
    if (!query.correction.empty()) part.why = query.correction;
  }
  return part;
}

Finding judge_query(const Query& query, const Results& results) {
  const std::string stem = query.stems.empty() ? "" : query.stems.front();
  const auto not_measured = [&](const std::string& what) {
    return Finding{.verdict = Verdict::not_measured, .note = what, .evidence = stem, .entries = 0};
  };
  for (const std::string& asked : query.stems) {
    if (!results.find(asked)) return not_measured("no results of " + asked + " in the folder");
  }
  const pages::Relation found = results.query(query.sql, query.place);
  const std::string judged = judged_column(query, found.columns);
  std::vector<JudgedPart> parts;
  for (const auto& values : found.rows) {
    Row row;
    for (std::size_t i = 0; i < values.size(); ++i) row[found.columns[i]] = values[i];
    if (!stem.empty() && is_null(row[judged])) {
      return not_measured(stem + ".json has nothing for " + text_of(row["name"]));
    }
    parts.push_back(judge_row(query, row, judged));
  }
  if (parts.empty() && !stem.empty()) return not_measured(stem + ".json has no such cells");
  if (parts.empty()) query.refuse("the query gives no row; one or more are wanted");
  Finding finding = summarised(parts, query.range);
  finding.evidence = stem;
  return finding;
}

}  // namespace

ReadCheck read_query(const JsonView& view, const ClaimText& claim) {
  const Query query = query_in(view, claim);
  return {query.stems.empty() ? "formula" : "experiment",
          [query](const Results& results) { return judge_query(query, results); }};
}

}  // namespace bloomlab::analysis::claims
