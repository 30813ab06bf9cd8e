#include "experiments/config/schema.hpp"

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/catalogue.hpp"
#include "experiments/cells/cell_hash.hpp"
#include "experiments/cells/cell_names.hpp"
#include "experiments/cells/cell_resolve.hpp"
#include "experiments/cells/foreign_cell.hpp"
#include "experiments/cells/schema_axis.hpp"
#include "experiments/config/config.hpp"
#include "experiments/config/keys.hpp"
#include "experiments/kinds/catalogue.hpp"
#include "experiments/kinds/own_grid.hpp"
#include "experiments/sources/catalogue.hpp"
#include "record/expected_flag.hpp"
#include "record/hashes.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {
namespace {

using record::FieldFacts;
using record::Json;

/// The schema of an object and what it requires.
struct Shape {
  Json properties = Json::object();
  Json required = Json::array();

  void add(const FieldFacts& field, Json schema) {
    schema["description"] = field.listed.at("meaning");
    properties[field.name] = std::move(schema);
    if (field.required) required.push_back(field.name);
  }
  [[nodiscard]] Json closed() const {
    return {{"required", required}, {"properties", properties}, {"additionalProperties", false}};
  }
};

Json axis_of(const FieldFacts& field, bool is_filter) {
  const std::string type = field.schema.value("type", "");
  if (type == "string" || !field.schema.contains("type")) return axis({field.schema});
  std::vector<Json> values = {field.schema, range_of(field.schema)};
  if (is_filter && field.name == "m") values.push_back(per_n());
  return axis(values);
}

/// That a member is `name`, or an axis with `name` on it.
Json chooses(std::string_view selector, std::string_view name) {
  return {
      {"properties",
       {{selector,
         {{"anyOf", {{{"const", name}}, {{"type", "array"}, {"contains", {{"const", name}}}}}}}}}}};
}

/// A filter, or all that a list does not name, by the rate that it is to keep.
Json filter_for_rate() {
  std::vector<std::string_view> names = catalogue_names<Filters>();
  names.emplace_back("others");
  const Json rate = {{"type", "number"}, {"exclusiveMinimum", 0}, {"exclusiveMaximum", 1}};
  return {{"required", {"kind", "for_rate"}},
          {"properties", {{"kind", axis({word_of(names)})}, {"for_rate", axis({rate})}}},
          {"additionalProperties", false}};
}

/// An object whose member `selector` names a type of the list and which has that type's fields.
template <class List>
Json selected_object(std::string_view selector) {
  constexpr bool is_filter = std::is_same_v<List, Filters>;
  Json cases = Json::array();
  for_each_type<List>([&]<class T>(std::type_identity<T>) {
    Shape shape;
    shape.properties[std::string(selector)] = Json::object();
    shape.required.push_back(selector);
    for (const FieldFacts& field : record::field_facts<T>()) {
      shape.add(field, axis_of(field, is_filter));
    }
    cases.push_back({{"if", chooses(selector, T::name)}, {"then", shape.closed()}});
  });
  Json written = {{"type", "object"},
                  {"required", {selector}},
                  {"properties", {{selector, axis({word_of(catalogue_names<List>())})}}},
                  {"allOf", cases}};
  if (!is_filter) return written;
  const Json of_catalogue = {{"if", {{"type", "object"}, {"required", {"for_rate"}}}},
                             {"then", filter_for_rate()},
                             {"else", written}};
  const Json is_foreign = {{"properties", {{"kind", word_of(foreign_kinds())}}}};
  return {{"if", is_foreign}, {"then", foreign_filter_schema()}, {"else", of_catalogue}};
}

Json hash_object() {
  const Json texts = {{"type", "array"}, {"minItems", 1}, {"items", {{"type", "string"}}}};
  return {{"type", "object"},
          {"required", {"name"}},
          {"properties",
           {{"name", axis({word_of(names_in_configs())})},
            {"command", texts},
            {"files", texts},
            {"limits", {{"type", "object"}}},
            {"probe", axis({word_of(catalogue_names<HashingSchemes>())})},
            {"reduction", axis({word_of(catalogue_names<Reductions>())})}}},
          {"additionalProperties", false}};
}

Json defined(const std::string& name) { return Json::object({{"$ref", "#/definitions/" + name}}); }

Json grid() {
  const Json n = record::detail::facts(keys_field, false).schema;
  Shape shape;
  shape.required = {"keys", "n", "filter"};  // a filter from outside alone needs no hash
  shape.properties = {{"keys", axis({defined("keys")})},
                      {"n", axis({n, range_of(n)})},
                      {"filter", axis({defined("filter")})},
                      {"hash", axis({defined("hash")})}};
  Json schema = shape.closed();
  schema["type"] = "object";
  schema["description"] = "an array at any depth is an axis; the first axis varies slowest";
  return schema;
}

/// The grid of a kind with fields of its own.
template <OwnGrid Kind>
Json own_grid() {
  Shape shape;
  for (const FieldFacts& field : record::field_facts<typename Kind::Point>()) {
    shape.add(field, axis_of(field, false));
  }
  Json schema = shape.closed();
  schema["type"] = "object";
  return schema;
}

Json shared_across() {
  return {
      {"type", "array"},
      {"items", {{"type", "string"}, {"pattern", "^/"}}},
      {"uniqueItems", true},
      {"description", "pointers into a cell; cells that differ only there share keys and seeds"}};
}

/// What every kind has, with the kinds' own keys left out.
Shape common_shape() {
  Shape shape;
  shape.properties = {{"$schema", {{"const", config_schema_name}}},
                      {"kind", word_of(catalogue_names<Kinds>())}};
  shape.required = {"$schema", "kind"};
  for (const FieldFacts& field : record::field_facts<CommonKeys>()) shape.add(field, field.schema);
  shape.properties["shared_across"] = shared_across();
  shape.properties["expected_flags"] = record::expected_flags_schema();
  shape.properties["page"] = {{"type", "string"},
                              {"pattern", "^[^/].*\\.md$"},
                              {"description", "file of the page, beside the config"}};
  shape.properties["grid"] = {{"type", "object"}};
  shape.required.push_back("grid");
  return shape;
}

Json kind_cases() {
  Json cases = Json::array();
  for_each_type<Kinds>([&]<class Kind>(std::type_identity<Kind>) {
    Shape shape;
    const Shape common = common_shape();
    for (const auto& member : common.properties.items()) {
      shape.properties[member.key()] = Json::object();
    }
    for (const FieldFacts& field : record::field_facts<Kind>()) shape.add(field, field.schema);
    if constexpr (OwnGrid<Kind>) {
      shape.properties["grid"] = own_grid<Kind>();
    } else {
      shape.properties["grid"] = defined("grid");
    }
    cases.push_back(
        {{"if", {{"properties", {{"kind", {{"const", Kind::name}}}}}}}, {"then", shape.closed()}});
  });
  return cases;
}

}  // namespace

record::Json config_schema() {
  const Shape common = common_shape();
  return {
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"title", config_schema_name},
      {"description", "A config of bloomlab: what to measure. Made from the program's catalogues."},
      {"type", "object"},
      {"required", common.required},
      {"properties", common.properties},
      {"allOf", kind_cases()},
      {"definitions",
       {{"grid", grid()},
        {"keys", selected_object<Sources>("source")},
        {"filter", selected_object<Filters>("kind")},
        {"hash", hash_object()}}}};
}

}  // namespace bloomlab::experiments
