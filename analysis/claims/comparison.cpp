#include "analysis/claims/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/format/number.hpp"
#include "core/theory/domain_error.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis::claims {
namespace {

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

/// Whole numbers as they are, others to six digits, or to as many as are printed.
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

/// How far the source is from the truth, where the tolerance is one that we chose.
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

[[noreturn]] void refuse_at(const std::string& place, const Expression& formula,
                            const char* fault) {
  std::string message = place;
  throw record::InputError(
      message.append(": \"").append(formula.text()).append("\": ").append(fault));
}

}  // namespace

std::string Comparison::row_name(std::size_t row) const {
  if (rows_.empty()) return "";
  const auto name = rows_[row].texts.find("name");
  return name == rows_[row].texts.end() ? "" : name->second;
}

bool Comparison::asks_theory() const {
  const auto asks = [](const std::optional<Expression>& formula) {
    return formula && formula->asks_theory();
  };
  return asks(claimed_) || asks(truth_) || asks(holds_) || asks(shows_) ||
         (correction_ && asks(correction_->formula)) ||
         std::any_of(where_.begin(), where_.end(),
                     [](const auto& named) { return named.second.asks_theory(); }) ||
         std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) { return asks(row.truth); }) ||
         std::any_of(entries_.begin(), entries_.end(),
                     [&](const PrintedColumn& entry) { return asks(entry.truth); });
}

double Comparison::value(const Expression& formula, const Scope& scope) const {
  try {
    return formula.evaluate(scope);
  } catch (const ExpressionError& error) {
    refuse_at(place_, formula, error.what());
  } catch (const theory::DomainError& error) {
    refuse_at(place_, formula, error.what());
  }
}

void Comparison::fill(Scope& scope, std::size_t row) const {
  if (!rows_.empty()) {
    for (const auto& [name, number] : rows_[row].numbers) scope.set(name, number);
  }
  for (const auto& [name, formula] : where_) scope.set(name, value(formula, scope));
}

std::vector<JudgedPart> Comparison::judge_row(const Scope& scope, std::size_t row) const {
  static const Row no_row;
  const Row& values = rows_.empty() ? no_row : rows_[row];
  std::vector<JudgedPart> parts;
  if (holds_) {
    parts.push_back(judge_statement(scope));
  } else {
    for (const PrintedColumn& column : entries_) {
      parts.push_back(judge_number(scope, values, column));
      if (entries_.size() > 1) parts.back().name = column.column;
    }
  }
  if (const std::string name = row_name(row); !name.empty()) {
    for (JudgedPart& part : parts) {
      part.name = name + (part.name.empty() ? "" : ", " + part.name);
    }
  }
  return parts;
}

JudgedPart Comparison::judge_statement(const Scope& scope) const {
  JudgedPart part{"", Verdict::wrong, printed_, std::nullopt, ""};
  if (shows_) part.computed = value(*shows_, scope);
  if (value(*holds_, scope) != 0) {
    part.verdict = Verdict::right;
  } else if (correction_ && correction_->formula && value(*correction_->formula, scope) != 0) {
    part.verdict = Verdict::misprint;
    part.why = correction_->what;
  }
  return part;
}

std::pair<PrintedNumber, std::string> Comparison::claimed_number(
    const Scope& scope, const Row& row, const PrintedColumn& column) const {
  if (claimed_) {
    const double number = value(*claimed_, scope);
    return {{number, 0}, printed_.empty() ? shown_number(number) : printed_};
  }
  const std::string& text = column.column.empty() ? printed_ : row.texts.at(column.column);
  return {*parse_printed(text), text};
}

std::optional<PrintedNumber> Comparison::corrected_number(const Scope& scope,
                                                          const Row& row) const {
  if (const auto own = row.texts.find("correction"); own != row.texts.end()) {
    return parse_printed(own->second);
  }
  if (!correction_) return std::nullopt;
  if (correction_->printed) return parse_printed(*correction_->printed);
  return PrintedNumber{value(*correction_->formula, scope), 0};
}

JudgedPart Comparison::judge_number(const Scope& scope, const Row& row,
                                    const PrintedColumn& column) const {
  const Expression& formula = row.truth ? *row.truth : column.truth ? *column.truth : *truth_;
  const double truth = value(formula, scope);
  const auto [claimed, printed] = claimed_number(scope, row, column);
  JudgedPart part{"", judge(claimed, truth, tolerance_), printed, truth, ""};
  if (tolerance_.right_within && truth != 0) {
    part.why = distance_text(claimed.value, truth, *tolerance_.right_within);
  }
  if (part.verdict == Verdict::right) return part;
  const auto corrected = corrected_number(scope, row);
  if (corrected && judge(*corrected, truth, tolerance_) == Verdict::right) {
    part.verdict = Verdict::misprint;
    if (correction_) part.why = correction_->what;
  }
  return part;
}

Finding summarised(const std::vector<JudgedPart>& parts, const std::string& range) {
  Finding finding;
  finding.verdict = parts.front().verdict;
  finding.entries = parts.size();
  finding.entries_right = 0;
  for (const JudgedPart& part : parts) {
    finding.verdict = range.empty() ? graver(finding.verdict, part.verdict)
                                    : lighter(finding.verdict, part.verdict);
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

}  // namespace bloomlab::analysis::claims
