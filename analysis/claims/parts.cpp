#include "analysis/claims/parts.hpp"

#include <algorithm>
#include <cmath>

#include "record/number_text.hpp"

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

}  // namespace

std::string shown_number(double number, const std::string& printed) {
  constexpr double largest_whole = 1e15;
  constexpr int usual_digits = 6;
  constexpr int most_digits = 16;
  if (number == std::floor(number) && std::abs(number) <= largest_whole) {
    return std::to_string(static_cast<std::int64_t>(number));
  }
  const int digits = std::min(digits_of(printed), most_digits);
  return digits > usual_digits ? significant(number, digits) : parameter_text(number);
}

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

}  // namespace bloomlab::analysis::claims
