#include "planner/predicted.hpp"

#include <string_view>

#include "core/theory/models.hpp"
#include "core/theory/scalable.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::planner {
namespace {

const theory::ArgumentValue& argument(const theory::Query& query, std::string_view name) {
  for (const theory::Argument& one : query.arguments) {
    if (one.name == name) return one.value;
  }
  throw theory::DomainError(query.model + ": argument \"" + std::string(name) + "\" is missing");
}

std::uint64_t integer(const theory::Query& query, std::string_view name) {
  return std::get<std::uint64_t>(argument(query, name));
}

}  // namespace

double predicted_rate(const theory::Query& query) {
  if (query.model == "standard_exact") {
    return theory::exact_fpr(integer(query, "m"), integer(query, "n"), integer(query, "k"));
  }
  if (query.model == "scalable_untightened") {
    return theory::compound_exact_fpr(
        theory::untightened_layers(integer(query, "m"), integer(query, "k"),
                                   std::get<double>(argument(query, "fp")), integer(query, "n")));
  }
  return theory::evaluate(query).number();
}

}  // namespace bloomlab::planner
