// Reads formulas by recursive descent; every part becomes a function of the scope.

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/claims/expression.hpp"
#include "analysis/claims/loops.hpp"
#include "analysis/claims/tokens.hpp"
#include "core/theory/models.hpp"
#include "record/suggest.hpp"

namespace bloomlab::analysis::claims {
namespace {

constexpr int deepest_formula = 100;

template <class Entries>
auto entry_called(const Entries& entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

std::vector<std::string_view> callable_names() {
  std::vector<std::string_view> names;
  for (const ClaimFunction& function : claim_functions()) names.push_back(function.name);
  for (const Loop& loop : claim_loops()) names.push_back(loop.name);
  for (const theory::Model& model : theory::models()) names.push_back(model.name);
  return names;
}

double value_of_name(const std::string& name, const Scope& scope) {
  if (const auto value = scope.find(name)) return *value;
  const std::vector<std::string> names = scope.names();
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw ExpressionError("the name \"" + name + "\" has no value" +
                        (known.empty() ? "" : "; " + record::suggestion(name, known)));
}

/// A number as the argument that the model wants.
theory::ArgumentValue argument_of(const theory::ArgumentInfo& info, double value) {
  if (info.kind != theory::ArgumentInfo::Kind::integer) return value;
  if (!(value >= 0) || value >= 0x1p63 || value != std::floor(value)) {
    throw ExpressionError("argument " + std::string(info.name) + " is " + std::to_string(value) +
                          "; it must be a whole number from 0; ceil(), floor() or round() it");
  }
  return static_cast<std::uint64_t>(value);
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
    return token().kind == Token::Kind::end      ? "the end"
           : token().kind == Token::Kind::number ? "a number"
                                                 : "\"" + token().text + "\"";
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

  Part disjunction() {
    Part left = conjunction();
    while (at_word("or")) {
      ++next_;
      left = [left, right = conjunction()](const Scope& scope, std::uint64_t& steps) {
        return left(scope, steps) != 0 || right(scope, steps) != 0 ? 1.0 : 0.0;
      };
    }
    return left;
  }

  Part conjunction() {
    Part left = comparison();
    while (at_word("and")) {
      ++next_;
      left = [left, right = comparison()](const Scope& scope, std::uint64_t& steps) {
        return left(scope, steps) != 0 && right(scope, steps) != 0 ? 1.0 : 0.0;
      };
    }
    return left;
  }

  Part comparison() {
    Part left = sum();
    for (const char* sign : {"<=", ">=", "==", "!=", "<", ">"}) {
      if (!accept(sign)) continue;
      return [left, right = sum(), sign = std::string(sign)](const Scope& scope,
                                                             std::uint64_t& steps) {
        return compare(sign, left(scope, steps), right(scope, steps));
      };
    }
    return left;
  }

  Part sum() {
    Part left = term();
    while (token().is("+") || token().is("-")) {
      const double factor = accept("+") ? 1 : (++next_, -1);
      left = [left, right = term(), factor](const Scope& scope, std::uint64_t& steps) {
        return left(scope, steps) + factor * right(scope, steps);
      };
    }
    return left;
  }

  Part term() {
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
  Part factor() {
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

  Part primary() {
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

  Part name() {
    std::string name = tokens_[next_++].text;
    if (accept(".")) name += "." + member_name();
    return [name](const Scope& scope, std::uint64_t&) { return value_of_name(name, scope); };
  }

  std::string member_name() {
    if (token().kind != Token::Kind::name) {
      refuse_formula(token(), "found " + shown_token() + "; expected a name behind the point");
    }
    return tokens_[next_++].text;
  }

  Part call() {
    const Token& called = token();
    next_ += 2;
    if (const auto* function = entry_called(claim_functions(), called.text)) {
      return function_call(*function, called);
    }
    if (const auto* loop = entry_called(claim_loops(), called.text)) return loop_call(*loop);
    if (const auto* model = entry_called(theory::models(), called.text)) return model_call(*model);
    refuse_formula(called, "unknown function or closed form \"" + called.text + "\"; " +
                               record::suggestion(called.text, callable_names()));
  }

  Part function_call(const ClaimFunction& function, const Token& called) {
    std::vector<Part> parts;
    do parts.push_back(disjunction());
    while (accept(","));
    expect(")");
    if (parts.size() != function.arguments) {
      refuse_formula(called, called.text + " takes " + std::to_string(function.arguments) +
                                 " values, found " + std::to_string(parts.size()));
    }
    return [parts, value = function.value](const Scope& scope, std::uint64_t& steps) {
      std::vector<double> values;
      for (const Part& part : parts) values.push_back(part(scope, steps));
      return value(values);
    };
  }

  Part loop_call(const Loop& loop) {
    if (token().kind != Token::Kind::name) {
      refuse_formula(token(), "found " + shown_token() + "; expected the name that counts");
    }
    const std::string counter = tokens_[next_++].text;
    expect(",");
    Part from = disjunction();
    expect(",");
    Part to = disjunction();
    expect(",");
    Part body = disjunction();
    expect(")");
    return [loop, counter, from, to, body](const Scope& scope, std::uint64_t& steps) {
      LoopState state{.value = loop.start};
      Scope inner = Scope::within(scope);
      const double last = to(scope, steps);
      for (double i = from(scope, steps); i <= last; ++i) {
        if (steps-- == 0) {
          steps = 0;
          throw ExpressionError("the loops take more than " +
                                std::to_string(Expression::most_loop_steps) + " steps");
        }
        inner.set(counter, i);
        loop.take(state, i, body(inner, steps));
      }
      return state.value;
    };
  }

  ModelArgument model_argument(const theory::Model& model) {
    if (token().kind != Token::Kind::name || !token(1).is("=")) {
      refuse_formula(token(), "found " + shown_token() + "; a closed form takes name=value");
    }
    std::vector<std::string_view> known;
    for (const theory::ArgumentInfo& info : model.arguments) known.push_back(info.name);
    const auto* info = entry_called(model.arguments, token().text);
    if (info == nullptr) {
      refuse_formula(token(), "unknown argument \"" + token().text + "\"; " +
                                  record::suggestion(token().text, known));
    }
    next_ += 2;
    if (info->kind != theory::ArgumentInfo::Kind::word) return {info, disjunction(), {}};
    if (token().kind != Token::Kind::text) {
      refuse_formula(token(), "found " + shown_token() + "; expected a word in quotes");
    }
    return {info, {}, tokens_[next_++].text};
  }

  Part model_call(const theory::Model& model) {
    expression_.asks_theory_ = true;
    std::vector<ModelArgument> arguments;
    do arguments.push_back(model_argument(model));
    while (accept(","));
    expect(")");
    const std::string column = accept(".") ? column_of(model) : "";
    return [&model, arguments, column](const Scope& scope, std::uint64_t& steps) {
      theory::Query query{std::string(model.name), {}};
      for (const ModelArgument& argument : arguments) {
        query.arguments.push_back({std::string(argument.info->name),
                                   argument.value
                                       ? argument_of(*argument.info, argument.value(scope, steps))
                                       : theory::ArgumentValue(argument.word)});
      }
      const theory::Evaluation result = theory::evaluate(query);
      return column.empty() ? result.number() : result.number(column);
    };
  }

  std::string column_of(const theory::Model& model) {
    const Token& at = token();
    const std::string column = member_name();
    if (std::find(model.columns.begin(), model.columns.end(), column) == model.columns.end()) {
      refuse_formula(at, std::string(model.name) + " has no column \"" + column + "\"; " +
                             record::suggestion(column, model.columns));
    }
    return column;
  }

  Expression expression_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  int depth_ = 0;
};

Expression Expression::parse(std::string_view text) { return ExpressionParser(text).read(); }

}  // namespace bloomlab::analysis::claims
