// The checks that need formulas alone: arithmetic, closed_form and table.

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "analysis/claims/checks.hpp"
#include "analysis/claims/comparison.hpp"

namespace bloomlab::analysis::claims {
namespace {

using record::JsonView;
using record::ObjectReader;

/// Judges every row.
Check comparison_check(Comparison comparison) {
  return [comparison = std::move(comparison)](const Results&) {
    std::vector<JudgedPart> parts;
    for (std::size_t row = 0; row < comparison.rows(); ++row) {
      Scope scope;
      comparison.fill(scope, row);
      const auto judged = comparison.judge_row(scope, row);
      parts.insert(parts.end(), judged.begin(), judged.end());
    }
    return summarised(parts, comparison.range());
  };
}

}  // namespace

Check Arithmetic::read(const JsonView& check, const ClaimText& claim) {
  Comparison comparison(ObjectReader(check, "a check", Comparison::plain_keys), claim);
  if (comparison.asks_theory()) {
    check.refuse("the formula asks a closed form; this check's kind is \"closed_form\"");
  }
  return comparison_check(std::move(comparison));
}

Check ClosedForm::read(const JsonView& check, const ClaimText& claim) {
  Comparison comparison(ObjectReader(check, "a check", Comparison::plain_keys), claim);
  if (!comparison.asks_theory()) {
    check.refuse("no formula asks a closed form; this check's kind is \"arithmetic\"");
  }
  return comparison_check(std::move(comparison));
}

Check PrintedTable::read(const JsonView& check, const ClaimText& claim) {
  std::vector<std::string_view> keys(std::begin(Comparison::plain_keys),
                                     std::end(Comparison::plain_keys));
  keys.insert(keys.end(), std::begin(Comparison::table_keys), std::end(Comparison::table_keys));
  const ObjectReader reader(check, "a check", keys);
  (void)reader.at("rows", "rows of the table");
  return comparison_check(Comparison(reader, claim));
}

}  // namespace bloomlab::analysis::claims
