#include "record/parameters_json.hpp"

#include <cmath>
#include <limits>

namespace bloomlab::record::detail {
namespace {

Json heading(std::string_view name, std::string_view type, std::string_view unit,
             std::string_view meaning) {
  Json listed = {{"name", name}, {"type", type}};
  if (!unit.empty()) listed["unit"] = unit;
  listed["meaning"] = meaning;
  return listed;
}

}  // namespace

FieldFacts facts(const IntegerField& field, bool optional) {
  FieldFacts result;
  result.name = field.name;
  result.required = !optional && !field.fallback;
  result.listed = heading(field.name, "integer", field.unit, field.meaning);
  result.listed["min"] = field.min;
  result.listed["max"] = field.max;
  if (field.fallback) result.listed["default"] = *field.fallback;
  if (optional) result.listed["optional"] = true;
  result.schema = {{"type", "integer"}, {"minimum", field.min}, {"maximum", field.max}};
  // Validators read bounds as double or as signed 64 bits; a double is understood by all.
  constexpr std::uint64_t largest_signed = std::numeric_limits<std::int64_t>::max();
  if (field.max > largest_signed) result.schema["maximum"] = static_cast<double>(field.max);
  return result;
}

FieldFacts facts(const RealField& field, bool optional) {
  FieldFacts result;
  result.name = field.name;
  result.required = !optional && !field.fallback;
  result.listed = heading(field.name, "real", field.unit, field.meaning);
  result.listed["min"] = field.min;
  result.listed["min_excluded"] = field.min_excluded;
  result.schema = {{"type", "number"},
                   {field.min_excluded ? "exclusiveMinimum" : "minimum", field.min}};
  if (std::isfinite(field.max)) {
    result.listed["max"] = field.max;
    result.listed["max_excluded"] = field.max_excluded;
    result.schema[field.max_excluded ? "exclusiveMaximum" : "maximum"] = field.max;
  }
  if (field.fallback) result.listed["default"] = *field.fallback;
  if (optional) result.listed["optional"] = true;
  return result;
}

FieldFacts facts(std::string_view name, std::string_view meaning,
                 const std::vector<FieldFacts>& fields) {
  FieldFacts result;
  result.name = name;
  result.required = false;
  result.listed = heading(name, "object", "", meaning);
  result.listed["optional"] = true;
  result.listed["fields"] = Json::array();
  Json required = Json::array();
  Json properties = Json::object();
  for (const FieldFacts& field : fields) {
    result.listed["fields"].push_back(field.listed);
    properties[field.name] = field.schema;
    properties[field.name]["description"] = field.listed.at("meaning");
    if (field.required) required.push_back(field.name);
  }
  result.schema = {{"type", "object"},
                   {"required", required},
                   {"properties", properties},
                   {"additionalProperties", false}};
  return result;
}

FieldFacts facts(const ChoiceField& field) {
  FieldFacts result;
  result.name = field.name;
  result.required = !field.fallback;
  result.listed = heading(field.name, "word", "", field.meaning);
  result.listed["words"] = field.words;
  if (field.fallback) result.listed["default"] = field.words[*field.fallback];
  result.schema = {{"enum", field.words}};
  return result;
}

FieldFacts facts(const TextField& field, bool optional) {
  FieldFacts result;
  result.name = field.name;
  result.required = !optional;
  result.listed = heading(field.name, field.is_path ? "path" : "text", "", field.meaning);
  if (optional) result.listed["optional"] = true;
  result.schema = {{"type", "string"}, {"minLength", 1}};
  if (field.most_letters != TextField::any_letters) {
    result.listed["most_letters"] = field.most_letters;
    result.schema["maxLength"] = field.most_letters;
  }
  return result;
}

}  // namespace bloomlab::record::detail
