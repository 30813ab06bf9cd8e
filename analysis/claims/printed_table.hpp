// A printed table of false-positive rates, typed as CSV, and what is true of every row.
//
// The printed digits are held against (1 - e^(-kn/m))^k and, for the n of the table, against
// (1 - (1 - 1/m)^(kn))^k and the exact rate (core/theory/standard.hpp). Digits that are none of
// them are tried on the slips that printed tables have; what reproduces them is named.
// docs/claims.md has an example.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "analysis/plot/figure.hpp"
#include "record/json.hpp"

namespace bloomlab::analysis::claims {

/// Most rows of a table, and most bytes of one of its lines.
inline constexpr std::size_t largest_printed_table = 10'000;
inline constexpr std::size_t longest_table_line = 1000;

/// The n that exact rates are computed for where a table states only m/n.
inline constexpr std::uint64_t n_of_ratios = 10'000;

/// A printed number: digits * 10^exponent, with as many digits as are printed.
struct PrintedDigits {
  std::uint64_t digits = 0;
  int exponent = 0;
};

/// A row as it was typed.
struct PrintedRow {
  std::size_t line = 0;    ///< in the file, from 1
  std::string label = {};  ///< may be empty
  double m_over_n = 0;
  std::uint64_t n = n_of_ratios;
  std::uint64_t m = 0;  ///< ceil(m_over_n * n) where the table states m/n
  std::uint64_t k = 0;
  std::string text = {};  ///< the printed number
  PrintedDigits printed = {};
};

/// A table as it was typed.
struct PrintedTable {
  std::string file;
  std::string source = {};  ///< its first line that begins with #
  bool has_ratios = false;  ///< it states m/n, not m
  bool states_n = false;    ///< it has a column n
  std::vector<PrintedRow> rows = {};
};

/// A table, or what is wrong with it: `FILE:LINE: fault`, a bad line each.
struct ReadTable {
  PrintedTable table;
  std::vector<std::string> faults = {};
};

/// The table that `text` is; `file` names it in messages. Columns, in any order: m_over_n (with or
/// without n) or n and m; k; printed; label if wanted.
[[nodiscard]] ReadTable read_printed_table(std::string_view text, const std::string& file);

/// What printed digits are of a number.
enum class Match {
  none,
  truncated,  ///< its digits, cut off
  rounded,    ///< its digits, rounded
  unknown,    ///< more digits are printed than are known of it
};

/// What is said of a row.
enum class RowVerdict {
  right,      ///< rounded digits of the closed form or, where the table states n, of another rate
  truncated,  ///< their digits, cut off
  misprint,   ///< a slip reproduces the printed digits
  wrong,      ///< no explanation is known
};

/// A measured rate with its interval, at 95 % confidence.
struct MeasuredRate {
  double rate = 0;
  double low = 0;
  double high = 0;
  std::uint64_t n = 0;  ///< keys inserted
};

/// A row and what is true of it.
struct JudgedRow {
  PrintedRow row;
  double closed_form = 0;
  double exact = 0;
  Match closed_match = Match::none;
  Match exact_match = Match::none;
  RowVerdict verdict = RowVerdict::wrong;
  /// For a misprint what reproduces the digits, each in a few words; for a right row what it is
  /// right of, where that is not the closed form.
  std::vector<std::string> notes = {};
  std::optional<MeasuredRate> measured = std::nullopt;
};

/// Every row, in order. @param results of a run of the table's config; null: none
[[nodiscard]] std::vector<JudgedRow> judge_table(const PrintedTable& table,
                                                 const Experiment* results = nullptr);

/// (1 - e^(-k/x))^k of x bits per key.
[[nodiscard]] long double closed_rate(long double x, long double k);
/// The number that is printed.
[[nodiscard]] double value_of(const PrintedDigits& printed);

/// "RIGHT", "TRUNCATED", "MISPRINT" or "WRONG".
[[nodiscard]] std::string_view name_of(RowVerdict verdict);

/// The table for people: a heading, then a row a row, of equally many texts.
[[nodiscard]] std::vector<std::vector<std::string>> table_rows(const PrintedTable& table,
                                                               const std::vector<JudgedRow>& rows);

/// "49 rows: 48 right, 1 misprint; none truncated, none wrong without explanation": one line.
[[nodiscard]] std::string table_counts(const std::vector<JudgedRow>& rows);

/// {"table", "source", "exact_for_n", "rows": [...], "counts": {"right": 48, ...}}.
[[nodiscard]] Json table_json(const PrintedTable& table, const std::vector<JudgedRow>& rows);

/// A config of kind false_positive_rate with a cell for every row. Where rows have several n, it
/// has cells for each of them.
[[nodiscard]] Json table_config(const PrintedTable& table);

/// Printed numbers, closed form, exact and measured rates against m/n.
/// @param name of the figure's file, without its ending
[[nodiscard]] plot::Figure table_figure(const PrintedTable& table,
                                        const std::vector<JudgedRow>& rows, std::string name);

}  // namespace bloomlab::analysis::claims
