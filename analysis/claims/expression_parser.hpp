// The parser of formulas, inside of Expression::parse: recursive descent; every part becomes a
// function of the scope.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/claims/expression.hpp"
#include "analysis/claims/loops.hpp"
#include "analysis/claims/tokens.hpp"
#include "core/theory/models.hpp"

namespace bloomlab::analysis::claims {

/// The parser; one for a formula.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : tokens_(tokens_of(text)) {
    expression_.text_ = std::string(text);
  }

  Expression read() {
    expression_.part_ = disjunction();
    if (token().kind != Token::Kind::end) {
      refuse_formula(token(), "found " + shown_token() + " behind the end of the formula");
    }
    return std::move(expression_);
  }

 private:
  using Part = Expression::Part;

  /// An argument of a closed form: a formula, or a word.
  struct ModelArgument {
    const theory::ArgumentInfo* info;
    Part value;
    std::string word;
  };

  [[nodiscard]] const Token& token(std::size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] std::string shown_token() const {
    if (token().kind == Token::Kind::end) return "the end";
    if (token().kind == Token::Kind::number) return "a number";
    std::string shown = "\"";
    return shown.append(token().text).append("\"");
  }
  [[nodiscard]] bool at_word(std::string_view word) const {
    return token().kind == Token::Kind::name && token().text == word;
  }
  bool accept(std::string_view sign) {
    if (!token().is(sign)) return false;
    ++next_;
    return true;
  }
  void expect(std::string_view sign) {
    if (accept(sign)) return;
    std::string fault = "found " + shown_token();
    refuse_formula(token(), fault.append("; expected \"").append(sign).append("\""));
  }

  // From the loosest binding to the tightest (expression_parser.cpp).
  Part disjunction();
  Part conjunction();
  Part comparison();
  Part sum();
  Part term();
  Part factor();
  Part primary();
  Part name();
  std::string member_name();

  // Of calls (expression_calls.cpp).
  Part call();
  Part function_call(const ClaimFunction& function, const Token& called);
  Part loop_call(const Loop& loop);
  ModelArgument model_argument(const theory::Model& model);
  Part model_call(const theory::Model& model);
  std::string column_of(const theory::Model& model);

  Expression expression_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  int depth_ = 0;
};

}  // namespace bloomlab::analysis::claims
