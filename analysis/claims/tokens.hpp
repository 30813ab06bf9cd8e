// The words of a formula: numbers, names, texts in quotes and signs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::analysis::claims {

/// A word of a formula.
struct Token {
  enum class Kind { number, name, text, sign, end };
  Kind kind = Kind::end;
  std::string text;        ///< a sign as it stands, a text without its quotes; "" at the end
  double number = 0;       ///< of a number
  std::size_t column = 1;  ///< where it begins, from 1

  [[nodiscard]] bool is(std::string_view sign) const { return kind == Kind::sign && text == sign; }
};

/// The words of a formula, an end behind them. Throws ExpressionError.
[[nodiscard]] std::vector<Token> tokens_of(std::string_view formula);

/// Throws ExpressionError `column C: fault`.
[[noreturn]] void refuse_formula(const Token& at, std::string_view fault);

}  // namespace bloomlab::analysis::claims
