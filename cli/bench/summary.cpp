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
  const char* does;
};
constexpr std::array<Duration, 6> durations = {{{"negative", "looks up an absent key"},
                                                {"insert", "inserts a key"},
                                                {"positive", "looks up a present key"},
                                                {"hash", "hashes a key"},
                                                {"build", "builds, by the key,"},
                                                {"deduplicate", "drops repeated keys"}}};

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

/// "n=1000000, keys of 8 bytes": a line is not broken within a number.
std::string conditions_text(const SpeedRow& row) {
  std::string text;
  if (row.cell.contains("n")) text = "n=" + std::to_string(row.cell.at("n").get<std::uint64_t>());
  if (row.cell.contains("key_length")) {
    const std::string length = row.cell.at("key_length");
    text += std::string(text.empty() ? "" : ", ") +
            (length == "mixed" ? "keys of mixed lengths" : "keys of " + length + " bytes");
  }
  return text;
}

std::string sentence(const Duration& duration, const Rows& rows) {
  const auto order = [&](const SpeedRow* a, const SpeedRow* b) {
    return a->time(duration.name) < b->time(duration.name);
  };
  const SpeedRow* fastest = *std::ranges::min_element(rows, order);
  const SpeedRow* base = *std::ranges::max_element(rows, order);
  for (const SpeedRow* row : rows) {
    if (row != fastest && name_of(*row) == "standard") base = row;
  }
  const analysis::SpeedTime ratio = analysis::time_ratio(*base, *fastest, duration.name);
  const bool is_faster = ratio.interval.low > 1.0;
  std::string text = name_of(*fastest) + " " + duration.does + " in " +
                     significant(fastest->time(duration.name), 3) + " ns, ";
  if (!is_faster) text += "not distinguished from " + name_of(*base) + ": ";
  text += significant(ratio.value, 3) + " times as fast";
  if (is_faster) text += " as " + name_of(*base);
  text +=
      " [" + significant(ratio.interval.low, 3) + ", " + significant(ratio.interval.high, 3) + "]";
  const std::string conditions = conditions_text(*fastest);
  return conditions.empty() ? text : text + ", " + conditions;
}

}  // namespace

std::vector<std::string> speed_sentences(const analysis::SpeedRun& run, std::size_t most) {
  std::vector<std::string> sentences;
  for (const Duration& duration : durations) {
    if (sentences.size() == most) break;
    const Rows rows = rows_to_compare(run, duration.name);
    if (!rows.empty()) sentences.push_back(sentence(duration, rows));
  }
  return sentences;
}

}  // namespace bloomlab::cli
