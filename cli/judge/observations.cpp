#include "cli/judge/observations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/judge/quantities.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/strict_json.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::cli {
namespace {

using record::InputError;

constexpr std::uint64_t most_queries = std::uint64_t{1} << 50;

/// Share of the absent keys that were reported. `name` opens messages; `text` is what was found.
audit::Observation counted(const std::string& name, const std::string& text,
                           const std::string& hits, const std::string& queries, std::uint64_t n) {
  audit::Observation seen{.n = n};
  seen.queries = planner::parse_count(name, queries, "absent keys", most_queries);
  const std::uint64_t reported =
      planner::parse_count(name, hits, "false positives", most_queries, 0);
  if (reported > seen.queries) {
    throw InputError(name + ": found " + text + "; no more than all absent keys can be reported");
  }
  seen.share = static_cast<double>(reported) / static_cast<double>(seen.queries);
  return seen;
}

/// One observation: 115/5000 or 25%, and behind @ after how many keys, if not n.
audit::Observation observation_of(const std::string& text, std::uint64_t n) {
  const auto refuse = [&]() -> InputError {
    return InputError("seen: found \"" + text +
                      "\"; write false positives and absent keys, such as seen=115/5000, a share, "
                      "seen=2.3%, and behind @ the keys that were inserted, seen=115/5000@60k");
  };
  const std::size_t at = text.find('@');
  const std::string what = text.substr(0, at);
  if (what.empty()) throw refuse();
  if (at != std::string::npos) n = planner::parse_count("seen", text.substr(at + 1), "keys");
  const std::size_t slash = what.find('/');
  if (slash == std::string::npos) {
    return {.n = n, .share = planner::parse_share("seen", what)};
  }
  const std::string hits = what.substr(0, slash);
  if (hits.empty() || slash + 1 == what.size()) throw refuse();
  return counted("seen", what, hits, what.substr(slash + 1), n);
}

/// The text without spaces at its ends.
std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (;;) {
    const std::size_t comma = line.find(',');
    fields.emplace_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

/// Reads a file of counts line by line.
class CountsFile {
 public:
  explicit CountsFile(std::string path) : path_(std::move(path)) {}

  void read(Observations& into) {
    constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 20;
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    const std::string text = record::read_text(path_, most_bytes);
    std::string_view rest = text;
    if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      ++line_;
      read_line(rest.substr(0, end), into);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (rows_ == 0) throw InputError(path_ + ": holds no count; " + std::string(columns));
  }

 private:
  static constexpr std::string_view columns =
      "write lines keys,false_positives,queries or keys,share, such as 100000,115,5000";

  [[nodiscard]] std::string place() const { return path_ + ": line " + std::to_string(line_); }

  void read_line(std::string_view line, Observations& into) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto hidden = line.find('\r') == std::string_view::npos
                            ? record::first_hidden(line)
                            : std::optional<std::string>("a carriage return");
    if (hidden) throw InputError(place() + ": holds " + *hidden + "; write plain text");
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    const std::vector<std::string> fields = fields_of(line);
    if (columns_ == 0 && take_columns(line, fields)) return;
    if (fields.size() != columns_) {
      throw InputError(place() + ": found " + std::to_string(fields.size()) +
                       (fields.size() == 1 ? " column" : " columns") + "; the lines before have " +
                       std::to_string(columns_));
    }
    constexpr std::size_t most_rows = 10'000;
    if (++rows_ > most_rows) {
      throw InputError(place() + ": more than " + std::to_string(most_rows) +
                       " counts; give a file for each filter");
    }
    into.all.push_back(observation(fields));
    into.places.push_back(place());
  }

  /// Learns from the first line how many columns there are.
  /// @return whether the line is no more than their names
  bool take_columns(std::string_view line, const std::vector<std::string>& fields) {
    columns_ = fields.size();
    const bool is_row =
        std::string_view("+-.0123456789").find(line.front()) != std::string_view::npos;
    if (is_row && (columns_ == 2 || columns_ == 3)) return false;
    const bool is_header =
        fields == std::vector<std::string>{"keys", "false_positives", "queries"} ||
        fields == std::vector<std::string>{"keys", "share"};
    if (is_header) return true;
    throw InputError(place() + ": found \"" + std::string(line) + "\"; " + std::string(columns));
  }

  [[nodiscard]] audit::Observation observation(const std::vector<std::string>& fields) const {
    const std::uint64_t n = planner::parse_count(place() + ": keys", fields[0], "keys");
    if (columns_ == 2) {
      return {.n = n, .share = planner::parse_share(place() + ": share", fields[1])};
    }
    return counted(place(), fields[1] + " of " + fields[2], fields[1], fields[2], n);
  }

  std::string path_;
  std::uint64_t line_ = 0;
  std::size_t columns_ = 0;  // 0: not known yet
  std::size_t rows_ = 0;
};

/// Hits of a count whose queries are told.
std::uint64_t hits_of(const audit::Observation& seen) {
  return static_cast<std::uint64_t>(std::llround(seen.share * static_cast<double>(seen.queries)));
}

/// "115 of 5000, ", where they are told, and the share.
std::string count_text(const audit::Observation& seen) {
  std::string text;
  if (seen.queries > 0) {
    text += planner::spaced(hits_of(seen)) + " of " + planner::spaced(seen.queries) + ", ";
  }
  return text + significant(seen.share, 3) + ", after " + planner::spaced(seen.n) + " keys";
}

std::string observation_text(const audit::JudgedObservation& one) {
  std::string text = "  seen        " + count_text(one.seen) + "\n";
  text += "  expected    " + significant(one.expected, 3);
  if (one.low && one.high) {
    text += "; 95 of 100 filters show " + planner::spaced(static_cast<std::uint64_t>(*one.low)) +
            " to " + planner::spaced(static_cast<std::uint64_t>(std::max(0.0, *one.high)));
  }
  return text + "\n";
}

std::string p_text(double p_value) {
  constexpr double least = 1e-300;
  return p_value < least ? "p < 1e-300" : "p = " + significant(p_value, 2);
}

/// How far a count is off, the farthest first: by p-values those that have one, by shares others.
double nearness(const audit::JudgedObservation& one) {
  if (one.p_value) return *one.p_value;
  const double ratio = one.seen.share / std::max(one.expected, 1e-300);
  return std::min(ratio, 1.0 / std::max(ratio, 1e-300));
}

/// Many counts: all together, and the worst.
std::string many_text(const audit::ObservedJudgement& judged, const Observations& seen,
                      std::size_t shown) {
  std::string text = "  seen        " + planner::spaced(judged.seen.size()) + " counts";
  if (const auto& all = judged.together) {
    text += ", " + planner::spaced(all->hits) + " of " + planner::spaced(all->queries) +
            " together; expected " +
            planner::spaced(static_cast<std::uint64_t>(std::llround(all->expected))) + " (" +
            p_text(all->p_value) + ")";
  }
  text += "\n";
  std::vector<std::size_t> order(judged.seen.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return nearness(judged.seen[i]); });
  order.resize(std::min(order.size(), shown));
  for (const std::size_t i : order) {
    const audit::JudgedObservation& one = judged.seen[i];
    // One is shown in any case, others where they are unusual by themselves.
    constexpr double usual = 0.05;
    if (i != order.front() && one.p_value.value_or(0.0) > usual) break;
    text += "  worst       " + count_text(one.seen) + "; expected " + significant(one.expected, 3);
    if (one.p_value) text += ", " + p_text(*one.p_value);
    const std::string& place = seen.places[i];
    if (!place.empty()) text += " (" + place.substr(place.rfind("line ")) + ")";
    text += "\n";
  }
  return text;
}

/// "35 in 100", and of rarer ones "5 in 1000".
std::string in_hundred(double share) {
  if (share > 0.995) return "more than 99 in 100";
  if (share >= 0.0095) return std::to_string(std::llround(100.0 * share)) + " in 100";
  return std::to_string(std::max(1LL, std::llround(1000.0 * share))) + " in 1000";
}

/// How often right filters show as many as the only count.
std::string at_least_text(const audit::ObservedJudgement& judged) {
  const audit::JudgedObservation& one = judged.seen.front();
  if (judged.seen.size() > 1 || !one.at_least) return {};
  return " At least " + planner::spaced(hits_of(one.seen)) + " of " +
         planner::spaced(one.seen.queries) + ": " + in_hundred(*one.at_least) + " right filters.";
}

std::string causes_text(const audit::ObservedJudgement& judged) {
  if (judged.causes.empty()) return "No cause that is known fits.\n";
  std::string text = "What fits, the likeliest first:\n";
  std::size_t number = 0;
  for (const audit::PossibleCause& cause : judged.causes) {
    text += "  " + std::to_string(++number) + ". " + cause.text + ": " +
            significant(cause.rates.front(), 3) + "\n";
    if (!cause.mend.empty()) text += "     " + cause.mend + "\n";
  }
  if (const auto& proposal = judged.proposal) {
    text += "To tell 1 from 2: after " + planner::spaced(proposal->n) + " keys look up " +
            planner::spaced(proposal->queries) +
            " absent ones: " + significant(proposal->first, 3) + " by 1, " +
            significant(proposal->second, 3) + " by 2.\n";
  } else if (judged.causes.size() > 1) {
    text += "Rates do not tell 1 from 2.\n";
  }
  return text;
}

std::string verdict_text(const audit::ObservedJudgement& judged) {
  using audit::Verdict;
  switch (judged.verdict) {
    case Verdict::as_expected:
      return "As it should be (" + p_text(judged.p_value) + ")." + at_least_text(judged) + "\n";
    case Verdict::near:
      return "About as it should be; with the number of absent keys this could be tested.\n";
    case Verdict::off:
      // Nothing was compared with causes.
      if (judged.together && judged.compared.empty()) {
        return "Not as it should be (" + p_text(judged.p_value) +
               "): some are off, all together are not. No cause is sought.\n";
      }
      return "Not as it should be (" + p_text(judged.p_value) + "). " + causes_text(judged);

    case Verdict::far:
      break;
  }
  return "Not near what is expected. " + causes_text(judged);
}

}  // namespace

std::vector<std::string> take_seen(std::vector<std::string>& assignments) {
  constexpr std::string_view name = "seen=";
  std::vector<std::string> seen;
  std::erase_if(assignments, [&](const std::string& text) {
    if (!text.starts_with(name)) return false;
    seen.push_back(text.substr(name.size()));
    return true;
  });
  return seen;
}

Observations read_observations(const std::vector<std::string>& texts, std::uint64_t n) {
  Observations seen;
  for (const std::string& text : texts) {
    if (text.size() > 1 && text.starts_with('@')) {
      CountsFile(text.substr(1)).read(seen);
    } else {
      seen.all.push_back(observation_of(text, n));
      seen.places.emplace_back();
    }
  }
  double queries = 0.0;
  for (const audit::Observation& one : seen.all) queries += static_cast<double>(one.queries);
  if (queries > 0x1p53) {
    throw InputError("seen: more than 2^53 absent keys in all; give fewer counts");
  }
  return seen;
}

std::string observations_text(const audit::ObservedJudgement& judged, const Observations& seen,
                              std::size_t lines) {
  const std::string verdict = verdict_text(judged);
  constexpr std::size_t most_lines = 20;
  constexpr std::size_t few = 3;
  constexpr std::size_t most_worst = 5;
  if (judged.seen.size() > few) {
    const std::size_t taken =
        lines + 1 + static_cast<std::size_t>(std::ranges::count(verdict, '\n'));
    const std::size_t room = most_lines > taken ? most_lines - taken : 1;
    return many_text(judged, seen, std::min(room, most_worst)) + verdict;
  }
  std::string text;
  for (const audit::JudgedObservation& one : judged.seen) text += observation_text(one);
  return text + verdict;
}

}  // namespace bloomlab::cli
