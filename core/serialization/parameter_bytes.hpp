// Parameters as bytes, by a type's describe() (core/parameters.hpp): the name of each, its kind and
// its value.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/parameters.hpp"
#include "core/serialization/bytes.hpp"

namespace bloomlab {

/// What kind of value follows the name of a parameter.
enum class ParameterKind : std::uint8_t { integer = 1, real = 2, choice = 3, none = 4 };

/// Writes every parameter.
class ParameterWriter {
 public:
  explicit ParameterWriter(ByteWriter& out) noexcept : out_(out) {}

  template <std::unsigned_integral Value>
  void operator()(const IntegerField& field, Value& value) {
    begin(field.name, ParameterKind::integer);
    out_.number(value, 8);
  }
  void operator()(const IntegerField& field, std::optional<std::uint64_t>& value) {
    begin(field.name, value ? ParameterKind::integer : ParameterKind::none);
    if (value) out_.number(*value, 8);
  }
  void operator()(const RealField& field, double& value) {
    begin(field.name, ParameterKind::real);
    out_.number(std::bit_cast<std::uint64_t>(value), 8);
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const ChoiceField& field, Enum& value) {
    begin(field.name, ParameterKind::choice);
    out_.text(field.words[static_cast<std::size_t>(value)]);
  }

 private:
  void begin(std::string_view name, ParameterKind kind) {
    out_.text(name);
    out_.number(static_cast<std::uint64_t>(kind), 1);
  }

  ByteWriter& out_;
};

/// Reads every parameter, in the same order. Bounds are checked by the filter's check() afterwards.
/// Throws FormatError.
class ParameterReader {
 public:
  explicit ParameterReader(ByteReader& in) noexcept : in_(in) {}

  template <std::unsigned_integral Value>
  void operator()(const IntegerField& field, Value& value) {
    begin(field.name, {ParameterKind::integer});
    const std::uint64_t number = in_.number(8, field.name);
    if (number > std::numeric_limits<Value>::max()) refuse(field.name, "is out of range");
    value = static_cast<Value>(number);
  }
  void operator()(const IntegerField& field, std::optional<std::uint64_t>& value) {
    value = std::nullopt;
    if (begin(field.name, {ParameterKind::integer, ParameterKind::none}) ==
        ParameterKind::integer) {
      value = in_.number(8, field.name);
    }
  }
  void operator()(const RealField& field, double& value) {
    begin(field.name, {ParameterKind::real});
    value = std::bit_cast<double>(in_.number(8, field.name));
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const ChoiceField& field, Enum& value) {
    begin(field.name, {ParameterKind::choice});
    const std::string word = in_.text(field.name);
    for (std::size_t i = 0; i < field.words.size(); ++i) {
      if (field.words[i] != word) continue;
      value = static_cast<Enum>(i);
      return;
    }
    refuse(field.name, "has an unknown value");
  }

 private:
  ParameterKind begin(std::string_view name, std::initializer_list<ParameterKind> allowed) {
    const std::string found = in_.text("parameter");
    if (found != name) refuse(name, "is missing");
    const auto kind = static_cast<ParameterKind>(in_.number(1, name));
    for (const ParameterKind one : allowed) {
      if (one == kind) return kind;
    }
    refuse(name, "is of another kind");
  }
  [[noreturn]] static void refuse(std::string_view name, std::string_view what) {
    std::string text = "parameter ";
    text += name;
    text += ' ';
    text += what;
    throw FormatError(text);
  }

  ByteReader& in_;
};

}  // namespace bloomlab
