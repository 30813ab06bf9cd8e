#include "analysis/claims/expression.hpp"

#include <cmath>
#include <utility>

namespace bloomlab::analysis::claims {

Scope Scope::within(const Scope& outer) {
  Scope scope;
  scope.outer_ = &outer;
  return scope;
}

void Scope::set(std::string_view name, double value) {
  values_.insert_or_assign(std::string(name), value);
}

std::optional<double> Scope::find(std::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto found = scope->values_.find(name);
    if (found != scope->values_.end()) return found->second;
  }
  return std::nullopt;
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> all;
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    for (const auto& [name, value] : scope->values_) all.push_back(name);
  }
  return all;
}

double Expression::evaluate(const Scope& scope) const {
  std::uint64_t steps = most_loop_steps;
  const double value = part_(scope, steps);
  if (!std::isfinite(value)) throw ExpressionError("\"" + text_ + "\" has no value");
  return value;
}

}  // namespace bloomlab::analysis::claims
