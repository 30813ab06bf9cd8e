#include "cli/bench/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>

#include "record/number_text.hpp"

namespace bloomlab::cli {
namespace {

using analysis::SpeedRow;
using Rows = std::vector<const SpeedRow*>;

struct Duration {
  const char* name;
  const char* title;
  const char* does;
};
constexpr std::array<Duration, 6> durations = {
    {{"negative", "absent key", "looks up an absent key"},
     {"insert", "insert", "inserts a key"},
     {"positive", "present key", "looks up a present key"},
     {"build", "build", "builds, by the key,"},
     {"deduplicate", "deduplicate", "drops repeated keys"},
     {"hash", "hash", "hashes a key"}}};

/// What is compared: the implementation, of the kind that times hashes the hash.
std::string compared_key(const SpeedRow& row) {
  return row.cell.contains("implementation") ? "implementation" : "hash";
}

std::string name_of(const SpeedRow& row) { return row.cell.value(compared_key(row), ""); }

std::string conditions_of(const SpeedRow& row) {
  record::Json cell = row.cell;
  cell.erase(compared_key(row));
  return cell.dump();
}

/// Rows of one set of conditions, the last in the grid with two or more that have this time.
Rows rows_to_compare(const analysis::SpeedRun& run, const std::string& duration) {
  std::map<std::string, Rows> groups;
  std::string last;
  for (const SpeedRow& row : run.rows) {
    const bool is_one = !row.law.empty() || compared_key(row) == "hash";
    if (!row.available || !is_one || std::isnan(row.time(duration))) continue;
    Rows& rows = groups[conditions_of(row)];
    rows.push_back(&row);
    if (rows.size() > 1) last = conditions_of(row);
  }
  return last.empty() ? Rows() : groups.at(last);
}

std::string text_of_field(const record::Json& cell, const char* field) {
  const auto found = cell.find(field);
  if (found == cell.end()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

SpeedAnswer answer_of(const Duration& duration, const Rows& rows) {
  const auto order = [&](const SpeedRow* a, const SpeedRow* b) {
    return a->time(duration.name) < b->time(duration.name);
  };
  const SpeedRow* fastest = *std::ranges::min_element(rows, order);
  const SpeedRow* base = *std::ranges::max_element(rows, order);
  for (const SpeedRow* row : rows) {
    if (row != fastest && name_of(*row) == "standard") base = row;
  }
  return {.fastest = name_of(*fastest),
          .base = name_of(*base),
          .duration = duration.title,
          .does = duration.does,
          .ns = fastest->time(duration.name),
          .ratio = analysis::time_ratio(*base, *fastest, duration.name),
          .n = text_of_field(fastest->cell, "n"),
          .key_length = text_of_field(fastest->cell, "key_length")};
}

bool is_distinguished(const SpeedAnswer& answer) { return answer.ratio.interval.low > 1.0; }

std::string ratio_text(const SpeedAnswer& answer) { return significant(answer.ratio.value, 3); }

std::string brackets_text(const SpeedAnswer& answer) {
  return "[" + significant(answer.ratio.interval.low, 3) + ", " +
         significant(answer.ratio.interval.high, 3) + "]";
}

/// The columns of a line; one too wide moves the rest to the right.
std::string in_columns(const std::array<std::string, 7>& texts) {
  constexpr std::array<std::size_t, 6> widths = {20, 17, 12, 6, 19, 10};
  std::string line;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    line += texts[i];
    line.append(std::max(texts[i].size() + 1, widths[i]) - texts[i].size(), ' ');
  }
  return line + texts.back();
}

}  // namespace

std::vector<SpeedAnswer> speed_answers(const analysis::SpeedRun& run, std::size_t most) {
  std::vector<SpeedAnswer> answers;
  for (const Duration& duration : durations) {
    if (answers.size() == most) break;
    const Rows rows = rows_to_compare(run, duration.name);
    if (!rows.empty()) answers.push_back(answer_of(duration, rows));
  }
  return answers;
}

std::string sentence(const SpeedAnswer& answer) {
  const bool is_faster = is_distinguished(answer);
  std::string text =
      answer.fastest + " " + answer.does + " in " + significant(answer.ns, 3) + " ns, ";
  if (!is_faster) text += "not distinguished from " + answer.base + ": ";
  text += ratio_text(answer) + " times as fast";
  if (is_faster) text += " as " + answer.base;
  text += " " + brackets_text(answer);
  if (!answer.n.empty()) text += ", n=" + answer.n;
  if (answer.key_length == "mixed") return text + ", keys of mixed lengths";
  if (!answer.key_length.empty()) text += ", keys of " + answer.key_length + " bytes";
  return text;
}

std::string speed_line_head() {
  return in_columns({"config", "fastest", "time of", "ns", "times as fast", "as", "keys"});
}

std::string speed_line(const std::string& config, const SpeedAnswer& answer) {
  std::string keys = answer.n;
  if (!answer.key_length.empty()) {
    keys +=
        (keys.empty() ? "" : ", ") + answer.key_length + (answer.key_length == "mixed" ? "" : " B");
  }
  return in_columns({config, answer.fastest, answer.duration, significant(answer.ns, 3),
                     ratio_text(answer) + " " + brackets_text(answer), answer.base, keys});
}

}  // namespace bloomlab::cli
