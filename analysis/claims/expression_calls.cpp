// What a name with parentheses behind it means: a function, a loop or a closed form.

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/claims/expression_parser.hpp"
#include "record/suggest.hpp"

namespace bloomlab::analysis::claims {
namespace {

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

/// A number as the argument that the model wants.
theory::ArgumentValue argument_of(const theory::ArgumentInfo& info, double value) {
  if (info.kind != theory::ArgumentInfo::Kind::integer) return value;
  if (!(value >= 0) || value >= 0x1p63 || value != std::floor(value)) {
    throw ExpressionError("argument " + std::string(info.name) + " is " + std::to_string(value) +
                          "; it must be a whole number from 0; ceil(), floor() or round() it");
  }
  return static_cast<std::uint64_t>(value);
}

}  // namespace

ExpressionParser::Part ExpressionParser::call() {
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

ExpressionParser::Part ExpressionParser::function_call(const ClaimFunction& function,
                                                       const Token& called) {
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

ExpressionParser::Part ExpressionParser::loop_call(const Loop& loop) {
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

ExpressionParser::ModelArgument ExpressionParser::model_argument(const theory::Model& model) {
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

ExpressionParser::Part ExpressionParser::model_call(const theory::Model& model) {
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

std::string ExpressionParser::column_of(const theory::Model& model) {
  const Token& at = token();
  const std::string column = member_name();
  if (std::find(model.columns.begin(), model.columns.end(), column) == model.columns.end()) {
    refuse_formula(at, std::string(model.name) + " has no column \"" + column + "\"; " +
                           record::suggestion(column, model.columns));
  }
  return column;
}

}  // namespace bloomlab::analysis::claims
