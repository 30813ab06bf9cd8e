#include "analysis/claims/printed_table.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "core/theory/standard.hpp"
#include "planner/units.hpp"
#include "record/grid.hpp"
#include "record/input_error.hpp"
#include "record/suggest.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::analysis::claims {
namespace {

constexpr std::array<std::string_view, 6> table_columns = {"m_over_n", "n",       "m",
                                                           "k",        "printed", "label"};
constexpr std::string_view allowed_columns =
    "write m_over_n,k,printed or n,m,k,printed in the first line that is no comment";
constexpr double largest_ratio = 1e6;
constexpr std::size_t most_read_digits = 18;
constexpr std::uint64_t most_digits = 1'000'000'000'000'000;  // 15 digits
constexpr int least_power = -300;
std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The fields of a line: separated by commas, in double quotes where they hold commas.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (;;) {
    line = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    std::string field;
    if (line.starts_with('"')) {
      std::size_t at = 1;
      for (; at < line.size() && (line[at] != '"' || line.substr(at, 2) == "\"\""); ++at) {
        field += line[at];
        if (line[at] == '"') ++at;
      }
      if (at >= line.size()) {
        throw record::InputError("found a quote that is not closed; write \" on both sides");
      }
      line.remove_prefix(at + 1);
      if (!trimmed(line.substr(0, line.find(','))).empty()) {
        throw record::InputError("found text behind a closing quote; end the field there");
      }
    } else {
      field = trimmed(line.substr(0, line.find(',')));
    }
    fields.push_back(std::move(field));
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

std::string found(const std::string& text) {
  return "found \"" + record::made_visible(text) + "\"; ";
}

/// Where the columns stand in a line.
using Columns = std::map<std::string_view, std::size_t>;

Columns columns_of(std::string_view line) {
  Columns columns;
  const std::vector<std::string> names = fields_of(line);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto known = std::ranges::find(table_columns, names[i]);
    if (known == table_columns.end()) {
      // A ratio as it is printed: m/n.
      std::string near = names[i];
      if (const auto slash = near.find('/'); slash != near.npos) near.replace(slash, 1, "_over_");
      throw record::InputError("unknown column \"" + names[i] + "\"; " +
                               record::suggestion(near, table_columns) + "; " +
                               std::string(allowed_columns));
    }
    if (!columns.emplace(*known, i).second) {
      throw record::InputError("the column \"" + names[i] + "\" stands twice; keep one");
    }
  }
  const bool has_ratios = columns.contains("m_over_n");
  if (has_ratios && columns.contains("m")) {
    throw record::InputError("the columns m_over_n and m say the same; keep one of them");
  }
  using Names = std::span<const std::string_view>;
  constexpr std::array<std::string_view, 3> by_ratio = {"m_over_n", "k", "printed"};
  constexpr std::array<std::string_view, 4> by_size = {"n", "m", "k", "printed"};
  for (const std::string_view name : has_ratios ? Names(by_ratio) : Names(by_size)) {
    if (columns.contains(name)) continue;
    throw record::InputError("the column \"" + std::string(name) + "\" is missing; " +
                             std::string(allowed_columns));
  }
  return columns;
}

double read_ratio(const std::string& text) {
  const auto number = planner::read_decimal(text);
  const double ratio = number && number->rest.empty() ? number->value() : 0.0;
  if (ratio > 0.0 && ratio <= largest_ratio) return ratio;
  throw record::InputError("m_over_n: " + found(text) +
                           "a number above 0 and at most 10^6 is allowed, such as 8 or 9.6");
}

PrintedDigits read_printed(const std::string& text) {
  const auto refuse = [&](const char* allowed) {
    throw record::InputError("printed: " + found(text) + allowed);
  };
  constexpr const char* too_many = "at most 15 digits are judged; leave out the last";
  const auto number = planner::read_decimal(text);
  if (!number && text.find_first_not_of("0123456789.") == std::string::npos &&
      text.size() > most_read_digits) {
    refuse(too_many);
  }
  const bool percent = number && trimmed(number->rest) == "%";
  if (!number || number->digits == 0 || (!number->rest.empty() && !percent)) {
    refuse("a rate above 0 is allowed, such as 0.0216, 2.16e-2 or 2.16%");
  }
  if (number->digits >= most_digits) refuse(too_many);
  const PrintedDigits printed{number->digits, number->exponent - (percent ? 2 : 0)};
  if (printed.exponent < least_power) refuse("the last digit may stand for 1e-300 or more");
  if (static_cast<double>(printed.digits) * std::pow(10.0, printed.exponent) > 1.0 + DBL_EPSILON) {
    refuse("a rate is at most 1; write a percentage with its sign, such as 2.16%");
  }
  return printed;
}

PrintedRow read_row(const Columns& columns, std::string_view line) {
  const std::vector<std::string> fields = fields_of(line);
  if (fields.size() != columns.size()) {
    throw record::InputError(
        "found " + std::to_string(fields.size()) +
        (fields.size() == 1 ? " field; the header has " : " fields; the header has ") +
        std::to_string(columns.size()) +
        ", separated by commas; write a decimal point, and quotes around a comma");
  }
  const auto field = [&](std::string_view name) { return fields[columns.at(name)]; };
  PrintedRow row;
  if (columns.contains("label")) row.label = field("label");
  row.text = field("printed");
  row.printed = read_printed(row.text);
  row.k = planner::parse_count("k", field("k"), "probes", theory::max_exact_probes);
  if (columns.contains("n")) row.n = planner::parse_count("n", field("n"), "keys");
  if (columns.contains("m")) {
    row.m = planner::parse_bits("m", field("m"));
    row.m_over_n = static_cast<double>(row.m) / static_cast<double>(row.n);
  } else {
    row.m_over_n = read_ratio(field("m_over_n"));
    row.m = record::ceil_per_n(row.m_over_n, row.n);
    if (row.m > planner::largest_quantity) {
      throw record::InputError("m_over_n: " + found(field("m_over_n")) +
                               "m may be at most 2^63 bits; give a smaller n");
    }
  }
  return row;
}

/// Throws for a line that is no text.
void require_text(std::string_view line) {
  if (trimmed(line).find('\r') != std::string_view::npos) {
    throw record::InputError(
        "found U+000D, a carriage return, inside a line; end each line with a line feed");
  }
  if (line.size() > longest_table_line) {
    throw record::InputError("found a line of " + std::to_string(line.size()) + " bytes; at most " +
                             std::to_string(longest_table_line) +
                             " are allowed; write one row a line");
  }
  if (const auto hidden = record::first_hidden(line)) {
    throw record::InputError("found " + *hidden +
                             "; plain text in UTF-8 is allowed; save the table as CSV");
  }
}

}  // namespace

ReadTable read_printed_table(std::string_view text, const std::string& file) {
  ReadTable read{{.file = file}, {}};
  std::optional<Columns> columns;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    try {
      require_text(line);
      std::string content(trimmed(line));
      std::ranges::replace(content, '\t', ' ');
      if (content.starts_with('#')) {
        if (read.table.source.empty()) {
          read.table.source = trimmed(std::string_view(content).substr(1));
        }
      } else if (!content.empty() && !columns) {
        columns = columns_of(content);
        read.table.has_ratios = columns->contains("m_over_n");
        read.table.states_n = columns->contains("n");
      } else if (!content.empty()) {
        if (read.table.rows.size() == largest_printed_table) {
          throw record::InputError("more than " + std::to_string(largest_printed_table) +
                                   " rows; split the table");
        }
        read.table.rows.push_back(read_row(*columns, content));
        read.table.rows.back().line = number;
      }
    } catch (const record::InputError& fault) {
      read.faults.push_back(file + ":" + std::to_string(number) + ": " + fault.what());
      // Without columns no row can be read, and with too many none needs to be.
      if (!columns || read.table.rows.size() == largest_printed_table) return read;
    }
  }
  if (!columns) {
    read.faults.push_back(file + ": holds no table; " + std::string(allowed_columns));
  } else if (read.table.rows.empty() && read.faults.empty()) {
    read.faults.push_back(file + ": holds a header alone; write a row a line below it");
  }
  return read;
}

Json table_config(const PrintedTable& table) {
  std::set<std::uint64_t> keys;
  std::map<double, std::set<std::uint64_t>> by_ratio;
  std::map<std::uint64_t, std::set<std::uint64_t>> by_size;
  for (const PrintedRow& row : table.rows) {
    keys.insert(row.n);
    if (table.has_ratios) by_ratio[row.m_over_n].insert(row.k);
    if (!table.has_ratios) by_size[row.m].insert(row.k);
  }
  Json filters = Json::array();
  const auto add = [&](Json m, const std::set<std::uint64_t>& probes) {
    filters.push_back({{"kind", "standard"}, {"m", std::move(m)}, {"k", probes}});
  };
  for (const auto& [ratio, probes] : by_ratio) add({{"per_n", ratio}}, probes);
  for (const auto& [m, probes] : by_size) add(m, probes);
  const std::string source = table.source.empty() ? table.file : table.source;
  return {
      {"$schema", "bloomlab-config-1"},
      {"kind", "false_positive_rate"},
      {"title", "A printed table of false-positive rates"},
      {"question", "Do filters show the rates that are printed in: " + source + "?"},
      {"seed", 20261126},
      {"trials", 10},
      {"queries", 1'000'000},
      {"expected_flags", Json::array()},
      {"grid",
       {{"keys", {{"source", "uniform"}}},
        {"n", keys},
        {"filter", filters},
        {"hash",
         {{"name", "xxhash3_64"}, {"probe", "independent"}, {"reduction", "multiply_shift"}}}}}};
}

}  // namespace bloomlab::analysis::claims
