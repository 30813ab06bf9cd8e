#include "experiments/cells/schema_axis.hpp"

#include "core/parameters.hpp"

namespace bloomlab::experiments {

using record::Json;

Json axis(const std::vector<Json>& values) {
  Json one = values.front();
  if (values.size() > 1) one = Json::object({{"anyOf", values}});
  const Json several = {{"type", "array"}, {"minItems", 1}, {"items", one}};
  return {{"anyOf", {one, several}}};
}

Json range_of(const Json& number) {
  const Json step = {{"type", number.at("type")}, {"exclusiveMinimum", 0}};
  return {{"type", "object"},
          {"required", {"range"}},
          {"properties",
           {{"range", {{"type", "array"}, {"items", number}, {"minItems", 2}, {"maxItems", 2}}},
            {"step", step}}},
          {"additionalProperties", false}};
}

Json per_n() {
  const Json positive = {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", max_filter_bits}};
  return {{"type", "object"},
          {"required", {"per_n"}},
          {"properties", {{"per_n", axis({positive, range_of(positive)})}}},
          {"additionalProperties", false}};
}

Json word_of(const std::vector<std::string_view>& names) { return {{"enum", names}}; }

}  // namespace bloomlab::experiments
