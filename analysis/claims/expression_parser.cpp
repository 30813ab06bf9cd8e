#include "analysis/claims/expression_parser.hpp"

#include <cmath>
#include <utility>

#include "record/suggest.hpp"

namespace bloomlab::analysis::claims {
namespace {

constexpr int deepest_formula = 100;

double value_of_name(const std::string& name, const Scope& scope) {
  if (const auto value = scope.find(name)) return *value;
  const std::vector<std::string> names = scope.names();
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw ExpressionError("the name \"" + name + "\" has no value" +
                        (known.empty() ? "" : "; " + record::suggestion(name, known)));
}

double compare(const std::string& sign, double a, double b) {
  const bool holds = sign == "<"    ? a < b
                     : sign == "<=" ? a <= b
                     : sign == ">"  ? a > b
                     : sign == ">=" ? a >= b
                     : sign == "==" ? a == b
                                    : a != b;
  return holds ? 1 : 0;
}

}  // namespace

ExpressionParser::Part ExpressionParser::disjunction() {
  Part left = conjunction();
  while (at_word("or")) {
    ++next_;
    left = [left, right = conjunction()](const Scope& scope, std::uint64_t& steps) {
      return left(scope, steps) != 0 || right(scope, steps) != 0 ? 1.0 : 0.0;
    };
  }
  return left;
}

ExpressionParser::Part ExpressionParser::conjunction() {
  Part left = comparison();
  while (at_word("and")) {
    ++next_;
    left = [left, right = comparison()](const Scope& scope, std::uint64_t& steps) {
      return left(scope, steps) != 0 && right(scope, steps) != 0 ? 1.0 : 0.0;
    };
  }
  return left;
}

ExpressionParser::Part ExpressionParser::comparison() {
  Part left = sum();
  for (const char* sign : {"<=", ">=", "==", "!=", "<", ">"}) {
    if (!accept(sign)) continue;
    return
        [left, right = sum(), sign = std::string(sign)](const Scope& scope, std::uint64_t& steps) {
          return compare(sign, left(scope, steps), right(scope, steps));
        };
  }
  return left;
}

ExpressionParser::Part ExpressionParser::sum() {
  Part left = term();
  while (token().is("+") || token().is("-")) {
    const double factor = accept("+") ? 1 : (++next_, -1);
    left = [left, right = term(), factor](const Scope& scope, std::uint64_t& steps) {
      return left(scope, steps) + factor * right(scope, steps);
    };
  }
  return left;
}

ExpressionParser::Part ExpressionParser::term() {
  Part left = factor();
  while (token().is("*") || token().is("/")) {
    const bool times = accept("*");
    if (!times) ++next_;
    left = [left, right = factor(), times](const Scope& scope, std::uint64_t& steps) {
      const double a = left(scope, steps);
      const double b = right(scope, steps);
      return times ? a * b : a / b;
    };
  }
  return left;
}

// Every nesting passes through here, so this is where its depth is bounded.
ExpressionParser::Part ExpressionParser::factor() {
  if (++depth_ > deepest_formula) {
    refuse_formula(token(), "the formula is nested too deeply; simplify it");
  }
  Part part;
  if (accept("-")) {
    part = [operand = factor()](const Scope& scope, std::uint64_t& steps) {
      return -operand(scope, steps);
    };
  } else {
    part = primary();
    if (accept("^")) {
      part = [base = part, exponent = factor()](const Scope& scope, std::uint64_t& steps) {
        return std::pow(base(scope, steps), exponent(scope, steps));
      };
    }
  }
  --depth_;
  return part;
}

ExpressionParser::Part ExpressionParser::primary() {
  if (token().kind == Token::Kind::number) {
    return [value = tokens_[next_++].number](const Scope&, std::uint64_t&) { return value; };
  }
  if (accept("(")) {
    Part inner = disjunction();
    expect(")");
    return inner;
  }
  if (token().kind != Token::Kind::name) {
    refuse_formula(token(), "found " + shown_token() + "; expected a number, a name or \"(\"");
  }
  return token(1).is("(") ? call() : name();
}

ExpressionParser::Part ExpressionParser::name() {
  std::string name = tokens_[next_++].text;
  if (accept(".")) name.append(".").append(member_name());
  return [name](const Scope& scope, std::uint64_t&) { return value_of_name(name, scope); };
}

std::string ExpressionParser::member_name() {
  if (token().kind != Token::Kind::name) {
    refuse_formula(token(), "found " + shown_token() + "; expected a name behind the point");
  }
  return tokens_[next_++].text;
}

Expression Expression::parse(std::string_view text) { return ExpressionParser(text).read(); }

}  // namespace bloomlab::analysis::claims
