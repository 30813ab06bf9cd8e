#include "record/expected_model.hpp"

#include <algorithm>

#include "core/theory/models.hpp"

namespace bloomlab::record {

theory::Query expected_query(const Json& expected, std::uint64_t n) {
  theory::Query query{.model = expected.value("model", ""), .arguments = {}};
  for (const auto& [name, value] : expected.items()) {
    if (name == "model" || name == "n") continue;
    if (value.is_number_unsigned()) {
      query.arguments.push_back({name, value.get<std::uint64_t>()});
    } else if (value.is_number()) {
      query.arguments.push_back({name, value.get<double>()});
    } else if (value.is_string()) {
      query.arguments.push_back({name, value.get<std::string>()});
    }
  }
  const auto models = theory::models();
  const auto model = std::ranges::find(models, query.model, &theory::Model::name);
  const bool takes_n = model != models.end() &&
                       std::ranges::find(model->arguments, "n", &theory::ArgumentInfo::name) !=
                           model->arguments.end();
  if (takes_n) query.arguments.push_back({"n", n});
  return query;
}

std::string expected_fault(const Json& expected, std::uint64_t n) {
  if (!expected.is_object() || !expected.contains("model") || !expected.at("model").is_string()) {
    return "expected an object with \"model\", the name of a closed form, and its numbers, such as "
           "{\"model\": \"standard_exact\", \"m\": 10000, \"k\": 7}";
  }
  if (expected.contains("n")) {
    return "found \"n\": " + expected.at("n").dump() +
           "; the number of keys inserted is added to every closed form that takes it; leave it "
           "out";
  }
  for (const auto& [name, value] : expected.items()) {
    if (!value.is_number() && !value.is_string()) {
      return "\"" + name + "\" is " + value.dump() + "; allowed: a number or a word";
    }
  }
  try {
    static_cast<void>(theory::evaluate_value(expected_query(expected, n)));
    return "";
  } catch (const theory::DomainError& fault) {
    return fault.what();
  }
}

}  // namespace bloomlab::record
