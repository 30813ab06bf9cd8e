// What the checks share: numbers or statements, one or a table of them, held against formulas.
//
//   "where":   {"m": 1024, "k": "ceil(ln(2) * m)"}   names for the formulas, in order
//   "claimed": formula      the number that the source gives; left out: the claim's "printed"
//   "truth":   formula      what is true
//   "holds":   formula      or a statement: true where it is not 0; "shows": a number to show for
//   it "relation", "right_within", "rough_within": how claimed and truth are compared (verdict.hpp)
//   "correction": {"what": ..., and "printed", "claimed" or "holds"}: what the source meant
//   "range": text       what the source leaves open and the rows, or cells, go through: the verdict
//   is
//                 that of the most favourable one, and the note says where it holds
//   "columns", "rows": a table; a row gives each column a number, or a text for the columns "name",
//                 "correction", "truth" and those of "entries"
//   "entries": [{"printed": column, "truth": formula}]: the printed columns of a row
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/claims/claim.hpp"
#include "analysis/claims/expression.hpp"
#include "record/json_view.hpp"

namespace bloomlab::analysis::claims {

/// One part of a claim, judged.
struct JudgedPart {
  std::string name;  ///< what tells it from the other parts; may be empty
  Verdict verdict = Verdict::listed;
  std::string printed;  ///< may be empty
  std::optional<double> computed;
  std::string why;  ///< what the correction is, where it made the verdict
};

/// The comparisons of one claim, read and checked.
class Comparison {
 public:
  /// Keys that every comparison takes, and those of tables.
  static constexpr std::string_view plain_keys[] = {
      "kind",  "where",    "claimed",      "truth",        "holds",
      "shows", "relation", "right_within", "rough_within", "correction"};
  static constexpr std::string_view table_keys[] = {"columns", "rows", "entries", "range"};

  /// Reads it from the members of a check. Throws record::InputError.
  Comparison(const record::ObjectReader& check, const ClaimText& claim);

  /// Rows to judge: at least 1, the single one of a comparison without a table.
  [[nodiscard]] std::size_t rows() const { return rows_.empty() ? 1 : rows_.size(); }
  /// What a row is called; empty where it has no name.
  [[nodiscard]] std::string row_name(std::size_t row) const;
  /// What the parts go through that the source leaves open; empty where it leaves nothing open.
  [[nodiscard]] const std::string& range() const { return range_; }
  /// Whether some formula asks a closed form.
  [[nodiscard]] bool asks_theory() const;
  /// Gives the names of a row and of "where" their values. Throws record::InputError.
  void fill(Scope& scope, std::size_t row) const;
  /// Judges a row, all its names in `scope`. Throws record::InputError.
  [[nodiscard]] std::vector<JudgedPart> judge_row(const Scope& scope, std::size_t row) const;

 private:
  /// A printed column and its true value.
  struct PrintedColumn {
    std::string column;  ///< empty: the claim's own number
    std::optional<Expression> truth;
  };
  struct Correction {
    std::string what;
    std::optional<std::string> printed;
    std::optional<Expression> formula;  ///< of the claimed number, or of the statement
  };
  struct Row {
    std::map<std::string, double> numbers;
    std::map<std::string, std::string> texts;
    std::optional<Expression> truth;
  };

  void read_formulas(const record::ObjectReader& check);
  void read_correction(const record::ObjectReader& check);
  void read_rows(const record::ObjectReader& check);
  [[nodiscard]] Row read_row(const record::JsonView& view) const;
  void read_entries(const record::ObjectReader& check);
  void read_value(Row& row, const std::string& column, const record::JsonView& view) const;
  [[nodiscard]] bool is_printed(const std::string& column) const;
  void require_numbers(const record::ObjectReader& check, const ClaimText& claim) const;

  [[nodiscard]] double value(const Expression& formula, const Scope& scope) const;
  [[nodiscard]] JudgedPart judge_statement(const Scope& scope) const;
  [[nodiscard]] JudgedPart judge_number(const Scope& scope, const Row& row,
                                        const PrintedColumn& column) const;
  [[nodiscard]] std::pair<PrintedNumber, std::string> claimed_number(
      const Scope& scope, const Row& row, const PrintedColumn& column) const;
  [[nodiscard]] std::optional<PrintedNumber> corrected_number(const Scope& scope,
                                                              const Row& row) const;

  std::string place_;  ///< of the claim, for complaints
  std::string printed_;
  std::vector<std::pair<std::string, Expression>> where_;
  std::optional<Expression> claimed_;
  std::optional<Expression> truth_;
  std::optional<Expression> holds_;
  std::optional<Expression> shows_;
  Tolerance tolerance_;
  std::optional<Correction> correction_;
  std::string range_;
  std::vector<std::string> columns_;
  std::vector<Row> rows_;
  std::vector<PrintedColumn> entries_;
};

/// What the parts say together: the gravest verdict, how many are right, which are not. Over a
/// range the lightest verdict, and where it holds.
[[nodiscard]] Finding summarised(const std::vector<JudgedPart>& parts,
                                 const std::string& range = "");

/// A member of a check that is a formula, read. Throws record::InputError.
[[nodiscard]] Expression read_formula(const record::JsonView& view);

}  // namespace bloomlab::analysis::claims
