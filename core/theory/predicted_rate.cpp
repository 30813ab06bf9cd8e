#include "core/theory/predicted_rate.hpp"

#include <string_view>

#include "core/theory/models.hpp"
#include "core/theory/scalable.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {
namespace {

const ArgumentValue& argument(const Query& query, std::string_view name) {
  for (const Argument& one : query.arguments) {
    if (one.name == name) return one.value;
  }
  throw DomainError(query.model + ": argument \"" + std::string(name) + "\" is missing");
}

std::uint64_t integer(const Query& query, std::string_view name) {
  return std::get<std::uint64_t>(argument(query, name));
}

}  // namespace

double predicted_rate(const Query& query) {
  if (query.model == "standard_exact") {
    return exact_fpr(integer(query, "m"), integer(query, "n"), integer(query, "k"));
  }
  if (query.model == "scalable_untightened") {
    return compound_exact_fpr(untightened_layers(integer(query, "m"), integer(query, "k"),
                                                 std::get<double>(argument(query, "fp")),
                                                 integer(query, "n")));
  }
  return evaluate(query).number();
}

}  // namespace bloomlab::theory
