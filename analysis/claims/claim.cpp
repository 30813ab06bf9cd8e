#include "analysis/claims/claim.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "analysis/data/load.hpp"
#include "analysis/pages/tables.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/suggest.hpp"

namespace bloomlab::analysis::claims {

namespace {

/// What rounding may make of a formula of a few dozen operations.
constexpr double rounding_of_formulas = 1e-9;

constexpr std::array<std::string_view, 8> verdict_names = {
    "RIGHT", "DEFINITION", "MISPRINT", "ROUGH", "WRONG", "NOT MEASURED", "OPEN", "-"};

using record::JsonView;
using record::ObjectReader;
using Keys = std::vector<std::string_view>;

std::string text_at(const ObjectReader& check, std::string_view key) {
  return check.has(key) ? check.at(key, "").text({key, "a text"}) : "";
}

ReadCheck read_property(const JsonView& view, const ClaimText& claim) {
  static constexpr std::array<std::string_view, 2> readings = {"definition", "behaviour"};
  const ObjectReader check(view, "a check", Keys{"property", "as"});
  Keys names;
  for (const Property& known : properties()) names.push_back(known.name);
  const std::string_view name = check.at("property", "").word("property", names);
  const auto at = std::find(names.begin(), names.end(), name) - names.begin();
  const bool behaviour =
      check.has("as") && check.at("as", "").word("reading", readings) == readings.back();
  return {"property", [&property = properties()[static_cast<std::size_t>(at)], behaviour,
                       printed = claim.printed](const Results&) {
            const Observed observed = property.observe();
            const Verdict kept = behaviour ? Verdict::right : Verdict::definition;
            return Finding{.verdict = observed.holds ? kept : Verdict::wrong,
                           .printed = printed,
                           .computed_text = observed.seen,
                           .note = std::string(property.name),
                           .entries_right = observed.holds ? 1U : 0U};
          }};
}

/// What stands in the code or the documents of others: each part has its place.
ReadCheck read_cited(const JsonView& view, const ClaimText& claim) {
  const ObjectReader check(view, "a check", Keys{"cited"});
  const std::vector<JsonView> places = check.at("cited", "").elements("places");
  if (places.empty()) view.refuse("\"cited\" names no place; a place is {name, holds, where}");
  Finding finding{.verdict = Verdict::right, .printed = claim.printed, .entries = places.size()};
  for (const JsonView& place : places) {
    const ObjectReader part(place, "a place", Keys{"name", "holds", "where"});
    const JsonView holds = part.at("holds", "true or false");
    if (!holds.json().is_boolean()) {
      holds.refuse("found " + record::shown(holds.json()) + "; allowed: true or false");
    }
    if (holds.json().get<bool>()) {
      ++finding.entries_right;
    } else {
      finding.verdict = Verdict::wrong;
    }
    finding.note.append(finding.note.empty() ? "" : "; ")
        .append(part.at("name", "who").text({"name", "a text"}))
        .append(": ")
        .append(part.at("where", "the place").text({"where", "a text"}));
  }
  return {"cited", [finding](const Results&) { return finding; }};
}

ReadCheck read_open(const JsonView& view, const ClaimText& claim) {
  const ObjectReader check(view, "a check", Keys{"open", "config"});
  return {"open", [needs = "needs " + text_at(check, "open"), config = text_at(check, "config"),
                   printed = claim.printed](const Results& results) {
            Finding finding{.verdict = Verdict::open, .printed = printed, .note = needs};
            finding.entries = 0;
            if (!config.empty() && results.find(config) != nullptr) {
              finding.verdict = Verdict::not_measured;
              finding.note += "; results of " + config + " exist: write its check";
            }
            return finding;
          }};
}

ReadCheck read_listed(const JsonView& view, const ClaimText& claim) {
  const ObjectReader check(view, "a check", Keys{"listed"});
  return {"listed", [why = text_at(check, "listed"), printed = claim.printed](const Results&) {
            return Finding{.printed = printed, .note = why, .entries = 0};
          }};
}

// A claim may have many parts: the rows of its query. What they say together is one finding.

/// One part of a claim, judged.
struct JudgedPart {
  std::string name;  ///< what distinguishes it from the other parts; may be empty
  Verdict verdict = Verdict::listed;
  std::string printed;  ///< may be empty
  std::optional<double> computed = std::nullopt;
  std::string why = {};  ///< what the correction is, or how far off the source is
};

/// Parts that are named in a note before "and so on".
constexpr std::size_t parts_in_a_note = 3;

/// Significant digits of a printed number.
int digits_of(const std::string& printed) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto end =
      std::find_if(printed.begin(), printed.end(), [](char c) { return c == 'e' || c == 'E'; });
  const auto first =
      std::find_if(printed.begin(), end, [](char c) { return c >= '1' && c <= '9'; });
  return static_cast<int>(std::count_if(first, end, is_digit));
}

/// A number for people: whole ones as they are, others to six digits, or to as many as are printed.
std::string shown_number(double number, const std::string& printed = "") {
  constexpr double largest_whole = 1e15;
  constexpr int usual_digits = 6;
  constexpr int most_digits = 16;
  if (number == std::floor(number) && std::abs(number) <= largest_whole) {
    return std::to_string(static_cast<std::int64_t>(number));
  }
  const int digits = std::min(digits_of(printed), most_digits);
  return digits > usual_digits ? significant(number, digits) : parameter_text(number);
}

std::string tally_of(const std::vector<JudgedPart>& parts, std::uint64_t right) {
  std::string text = std::to_string(right);
  return text.append(" of ").append(std::to_string(parts.size())).append(" right");
}

/// "m/n = 5: 3.46, computed 3.46574".
std::string described(const JudgedPart& part) {
  std::string text = part.name;
  if (!part.printed.empty()) text.append(text.empty() ? "" : ": ").append(part.printed);
  if (part.computed) text.append(text.empty() ? "" : ", ").append("computed ");
  if (part.computed) text.append(shown_number(*part.computed));
  if (!part.why.empty()) text.append(text.empty() ? "" : "; ").append(part.why);
  return text;
}

std::string note_of(const std::vector<JudgedPart>& parts, std::uint64_t right) {
  if (parts.size() == 1) return parts.front().why;
  std::string note = tally_of(parts, right);
  std::size_t named = 0;
  for (const JudgedPart& part : parts) {
    if (part.verdict == Verdict::right) continue;
    if (named++ == parts_in_a_note) return note.append("; ...");
    note.append("; ").append(name_of(part.verdict)).append(" ").append(described(part));
  }
  return note;
}

/// Least and greatest of what was computed for the parts of one statement or one printed number;
/// nothing where parts have no number, or numbers of their own.
std::string span_of(const std::vector<JudgedPart>& parts) {
  const JudgedPart& first = parts.front();
  std::vector<double> numbers;
  for (const JudgedPart& part : parts) {
    if (!part.computed || part.printed != first.printed) return "";
    numbers.push_back(*part.computed);
  }
  const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
  const std::string low = shown_number(*least);
  const std::string high = shown_number(*greatest);
  return low == high ? low : low + " – " + high;
}

/// "8 (63.6), 16 (39.4)": the parts that are right, or those that are not, with what was computed.
std::string names_of(const std::vector<JudgedPart>& parts, bool right) {
  const bool with_numbers = !span_of(parts).empty();
  std::string names;
  for (const JudgedPart& part : parts) {
    if ((part.verdict == Verdict::right) != right) continue;
    names.append(names.empty() ? "" : ", ").append(part.name);
    if (with_numbers) names.append(" (").append(significant(*part.computed)).append(")");
  }
  return names;
}

/// "by length of the key; 3 of 4 right; holds at: 8 (63.6), 16 (39.4); not at: mixed (13.1)".
std::string note_of_range(const std::vector<JudgedPart>& parts, std::uint64_t right,
                          const std::string& range) {
  std::string note = "by " + range;
  note.append("; ").append(tally_of(parts, right));
  const std::string where = names_of(parts, true);
  const std::string elsewhere = names_of(parts, false);
  if (!where.empty() && !elsewhere.empty()) {
    note.append("; holds at: ").append(where).append("; not at: ").append(elsewhere);
  }
  return note;
}

/// "off by 1.0 %, 2.0 % allowed", for a tolerance that we chose.
std::string distance_text(double claimed, double truth, double allowed) {
  const double distance = std::abs(claimed - truth) / std::abs(truth);
  std::string text = "off by ";
  if (distance < allowed / 10) {
    text.append("less than a tenth of the ");
  } else {
    text.append(percent(distance, 2)).append(", ");
  }
  return text.append(percent(allowed, 2)).append(" allowed");
}

/// What the parts, at least one, say together: the gravest verdict, how many are right, which are
/// not. Over a `range`, which the source leaves open, the lightest verdict, and where it holds.
Finding summarised(const std::vector<JudgedPart>& parts, const std::string& range) {
  Finding finding;
  finding.verdict = parts.front().verdict;
  finding.entries = parts.size();
  finding.entries_right = 0;
  for (const JudgedPart& part : parts) {
    finding.verdict = range.empty() ? std::max(finding.verdict, part.verdict)
                                    : std::min(finding.verdict, part.verdict);
    finding.entries_right += part.verdict == Verdict::right ? 1 : 0;
  }
  finding.note = range.empty() ? note_of(parts, finding.entries_right)
                               : note_of_range(parts, finding.entries_right, range);
  if (parts.size() != 1) {
    finding.computed_text = span_of(parts);
    return finding;
  }
  finding.printed = parts.front().printed;
  finding.computed = parts.front().computed;
  if (finding.computed) finding.computed_text = shown_number(*finding.computed, finding.printed);
  return finding;
}

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

std::string_view name_of(Verdict verdict) {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

std::optional<PrintedNumber> parse_printed(std::string_view printed) {
  std::string text(printed);
  double unit = 1;
  if (text.ends_with('%')) {
    text.pop_back();
    unit = 0.01;
  }
  std::erase(text, ' ');
  PrintedNumber number;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, number.value);
  if (fault != std::errc() || stop != end || !std::isfinite(number.value)) return std::nullopt;
  const std::size_t exponent = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = text.find('.');
  const auto decimals = point == std::string::npos ? 0 : static_cast<int>(exponent - point - 1);
  int power = 0;
  if (exponent < text.size()) {
    const std::size_t digits = exponent + (text[exponent + 1] == '+' ? 2 : 1);
    std::from_chars(text.data() + digits, end, power);
  }
  number.value *= unit;
  number.half_unit = 0.5 * std::pow(10.0, power - decimals) * unit;
  return number;
}

Verdict judge(const PrintedNumber& claimed, double truth, const Tolerance& tolerance) {
  if (tolerance.relation == Relation::at_most && truth <= claimed.value) return Verdict::right;
  if (tolerance.relation == Relation::at_least && truth >= claimed.value) return Verdict::right;
  const double distance = std::abs(claimed.value - truth);
  const double rounding = rounding_of_formulas * std::abs(truth);
  const double allowed =
      tolerance.right_within ? *tolerance.right_within * std::abs(truth) : claimed.half_unit;
  if (distance <= allowed + rounding) return Verdict::right;
  return distance <= tolerance.rough_within * std::abs(truth) ? Verdict::rough : Verdict::wrong;
}

ReadCheck read_check(const JsonView& view, const ClaimText& claim) {
  using Read = ReadCheck (*)(const JsonView&, const ClaimText&);
  static constexpr std::pair<const char*, Read> readers[] = {{"sql", read_query},
                                                             {"property", read_property},
                                                             {"cited", read_cited},
                                                             {"open", read_open},
                                                             {"listed", read_listed}};
  for (const auto& [key, read] : readers) {
    if (view.json().is_object() && view.json().contains(key)) return read(view, claim);
  }
  view.refuse(
      "found " + record::shown(view.json()) +
      "; a check is an object with \"sql\", \"property\", \"cited\", \"open\" or \"listed\"");
}

ReadCheck read_query(const JsonView& view, const ClaimText& claim) {
  const Query query = query_in(view, claim);
  return {query.stems.empty() ? "formula" : "experiment",
          [query](const Results& results) { return judge_query(query, results); }};
}

}  // namespace bloomlab::analysis::claims
