// Parameters as JSON: visitors over a type's describe() (core/parameters.hpp) that read them
// strictly, write them, resolve their paths, and list them. Nothing about a parameter is said
// twice.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/parameters.hpp"
#include "record/json_view.hpp"

namespace bloomlab::record {

namespace detail {

/// Collects the names of fields.
struct FieldNames {
  std::vector<std::string_view> names = {};

  template <class Field, class Value>
  void operator()(const Field& field, Value& /*value*/) {
    names.push_back(field.name);
  }
};

/// Reads every field from an object.
class FieldReader {
 public:
  explicit FieldReader(const ObjectReader& object) : object_(object) {}

  template <std::unsigned_integral Value>
  void operator()(IntegerField field, Value& value) {
    field.max = std::min<std::uint64_t>(field.max, std::numeric_limits<Value>::max());
    if (field.fallback && !object_.has(field.name)) {
      value = static_cast<Value>(*field.fallback);
    } else {
      value = static_cast<Value>(object_.at(field.name, expected(field)).integer(field));
    }
  }

  void operator()(const IntegerField& field, std::optional<std::uint64_t>& value) {
    value = std::nullopt;
    if (object_.has(field.name)) value = object_.at(field.name, "").integer(field);
  }

  void operator()(const RealField& field, std::optional<double>& value) {
    value = std::nullopt;
    if (object_.has(field.name)) value = object_.at(field.name, "").real(field);
  }

  template <class T>
  void operator()(const ObjectField<T>& field, std::optional<typename T::Parameters>& value);

  void operator()(const RealField& field, double& value) {
    value = field.fallback && !object_.has(field.name)
                ? *field.fallback
                : object_.at(field.name, expected(field)).real(field);
  }

  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const ChoiceField& field, Enum& value) {
    value = static_cast<Enum>(field.fallback && !object_.has(field.name)
                                  ? *field.fallback
                                  : object_.at(field.name, expected(field)).choice(field));
  }

  void operator()(const TextField& field, std::string& value) {
    value = object_.at(field.name, std::string(field.meaning) + "; a text").text(field);
  }

  void operator()(const TextField& field, std::optional<std::string>& value) {
    value = std::nullopt;
    if (object_.has(field.name)) value = object_.at(field.name, "").text(field);
  }

 private:
  template <class Field>
  static std::string expected(const Field& field) {
    return std::string(field.meaning) + "; " + allowed(field);
  }

  const ObjectReader& object_;
};

/// Writes every field into an object.
class FieldWriter {
 public:
  explicit FieldWriter(Json& object) : object_(object) {}

  template <std::unsigned_integral Value>
  void operator()(const IntegerField& field, Value& value) {
    object_[std::string(field.name)] = value;
  }
  void operator()(const IntegerField& field, std::optional<std::uint64_t>& value) {
    if (value) object_[std::string(field.name)] = *value;
  }
  void operator()(const RealField& field, double& value) {
    object_[std::string(field.name)] = value;
  }
  void operator()(const RealField& field, std::optional<double>& value) {
    if (value) object_[std::string(field.name)] = *value;
  }
  template <class T>
  void operator()(const ObjectField<T>& field, std::optional<typename T::Parameters>& value) {
    if (!value) return;
    Json object = Json::object();
    FieldWriter write(object);
    T::describe(write, *value);
    object_[std::string(field.name)] = std::move(object);
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const ChoiceField& field, Enum& value) {
    object_[std::string(field.name)] = field.words[static_cast<std::size_t>(value)];
  }
  void operator()(const TextField& field, std::string& value) {
    object_[std::string(field.name)] = value;
  }
  void operator()(const TextField& field, std::optional<std::string>& value) {
    if (value) object_[std::string(field.name)] = *value;
  }

 private:
  Json& object_;
};

/// Makes relative paths start from a folder.
struct PathResolver {
  const std::filesystem::path& folder;

  template <class Field, class Value>
  void operator()(const Field& /*field*/, Value& /*value*/) {}
  void operator()(const TextField& field, std::string& value) {
    if (field.is_path) value = (folder / value).lexically_normal().string();
  }
  void operator()(const TextField& field, std::optional<std::string>& value) {
    if (value) (*this)(field, *value);
  }
};

}  // namespace detail

/// A field of a type's Parameters as plain data, for lists and for the published schema.
struct FieldFacts {
  Json listed;  ///< {"name", "type", "unit", "meaning", bounds or words, "default"}
  Json schema;  ///< JSON Schema of one value of it
  std::string name;
  bool required = true;
};

namespace detail {

[[nodiscard]] FieldFacts facts(const IntegerField& field, bool optional);
[[nodiscard]] FieldFacts facts(const RealField& field, bool optional);
/// An object with these fields.
[[nodiscard]] FieldFacts facts(std::string_view name, std::string_view meaning,
                               const std::vector<FieldFacts>& fields);
[[nodiscard]] FieldFacts facts(const ChoiceField& field);
[[nodiscard]] FieldFacts facts(const TextField& field, bool optional);

/// Collects facts about fields.
struct FieldLister {
  std::vector<FieldFacts> fields = {};

  template <class Value>
  void operator()(const IntegerField& field, Value& /*value*/) {
    fields.push_back(facts(field, std::is_same_v<Value, std::optional<std::uint64_t>>));
  }
  template <class Value>
  void operator()(const RealField& field, Value& /*value*/) {
    fields.push_back(facts(field, std::is_same_v<Value, std::optional<double>>));
  }
  template <class Value>
  void operator()(const TextField& field, Value& /*value*/) {
    fields.push_back(facts(field, std::is_same_v<Value, std::optional<std::string>>));
  }
  template <class T, class Value>
  void operator()(const ObjectField<T>& field, Value& /*value*/) {
    typename T::Parameters parameters{};
    FieldLister list;
    T::describe(list, parameters);
    fields.push_back(facts(field.name, field.meaning, list.fields));
  }
  template <class Field, class Value>
  void operator()(const Field& field, Value& /*value*/) {
    fields.push_back(facts(field));
  }
};

}  // namespace detail

/// The names of T's fields, in order.
template <class T>
[[nodiscard]] std::vector<std::string_view> field_names() {
  typename T::Parameters parameters{};
  detail::FieldNames visit;
  T::describe(visit, parameters);
  return std::move(visit.names);
}

/// T's fields as plain data, in order.
template <class T>
[[nodiscard]] std::vector<FieldFacts> field_facts() {
  typename T::Parameters parameters{};
  detail::FieldLister visit;
  T::describe(visit, parameters);
  return std::move(visit.fields);
}

/// Reads T's parameters; fields with a fallback may be missing. The object's other keys are not
/// looked at: its ObjectReader has done that. Throws InputError.
template <class T>
[[nodiscard]] typename T::Parameters read_parameters(const ObjectReader& object) {
  typename T::Parameters parameters{};
  detail::FieldReader visit(object);
  T::describe(visit, parameters);
  return parameters;
}

template <class T>
void detail::FieldReader::operator()(const ObjectField<T>& field,
                                     std::optional<typename T::Parameters>& value) {
  value = std::nullopt;
  if (!object_.has(field.name)) return;
  const auto known = field_names<T>();
  value = read_parameters<T>(ObjectReader(object_.at(field.name, ""), field.name, known));
}

/// Reads T's parameters from an object with the keys `selector` (whose value names T) and T's
/// fields, and no others. `what` names the object. Throws InputError.
template <class T>
[[nodiscard]] typename T::Parameters read_selected(const JsonView& view, std::string_view what,
                                                   std::string_view selector) {
  auto known = field_names<T>();
  known.insert(known.begin(), selector);
  return read_parameters<T>(ObjectReader(view, what, known));
}

/// Appends T's parameters to an object, in the order of describe(), defaults resolved.
template <class T>
void write_parameters(typename T::Parameters parameters, Json& object) {
  detail::FieldWriter visit(object);
  T::describe(visit, parameters);
}

/// Makes T's relative paths start from `folder`.
template <class T>
void resolve_paths(typename T::Parameters& parameters, const std::filesystem::path& folder) {
  detail::PathResolver visit{folder};
  T::describe(visit, parameters);
}

/// read_selected from a cell that was resolved before.
template <class T>
[[nodiscard]] typename T::Parameters parameters_of(const Json& json, std::string_view selector) {
  const Origin origin{"cell"};
  return read_selected<T>(JsonView(json, origin), T::name, selector);
}

/// T's own fields of an object that has others too.
template <class T>
[[nodiscard]] typename T::Parameters own_parameters_of(const Json& json) {
  const Origin origin{"config"};
  Json own = Json::object();
  for (const std::string_view name : field_names<T>()) {
    if (const auto member = json.find(name); member != json.end()) own[std::string(name)] = *member;
  }
  const auto known = field_names<T>();
  return read_parameters<T>(ObjectReader(JsonView(own, origin), T::name, known));
}

}  // namespace bloomlab::record
