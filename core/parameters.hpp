// How a filter (a key source, an experiment kind) says which parameters it takes.
//
// A type with parameters has a nested `struct Parameters` and
//     template <class Visitor> static void describe(Visitor& visit, Parameters& p) {
//       visit(IntegerField{"m", "bits", "size of the filter", 1, max_filter_bits}, p.m);
//     }
// One description serves the strict reading of configs, the published JSON Schema, `bloomlab list`
// and the writing of cells: nothing is listed twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace bloomlab {

/// Largest filter that is accepted [bits]: 2^48, 32 TiB. Everything below fits 64-bit arithmetic.
inline constexpr std::uint64_t max_filter_bits = std::uint64_t{1} << 48;

/// Largest number of probes per key that is accepted; the exact theory is tested up to it.
inline constexpr std::uint64_t max_probes = 256;

/// An integer parameter; `visit(field, value)` with an integral `value`.
struct IntegerField {
  std::string_view name;
  std::string_view unit;  ///< "bits", "keys", "probes per key", ... ; empty for a pure number
  std::string_view meaning;
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  std::optional<std::uint64_t> fallback = std::nullopt;  ///< value when left out; required if none
};

/// A real parameter in an interval whose ends may be excluded; `visit(field, double&)`.
struct RealField {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
  double min = 0.0;
  double max = 1.0;
  bool min_excluded = false;
  bool max_excluded = false;
  std::optional<double> fallback = std::nullopt;
};

/// A choice among words; `visit(field, value)` with an enum whose values are the words' indices.
struct ChoiceField {
  std::string_view name;
  std::string_view meaning;
  std::span<const std::string_view> words;
  std::optional<std::size_t> fallback = std::nullopt;  ///< index into words
};

/// A parameter that is an object with T's fields; `visit(field, std::optional<T::Parameters>&)`. It
/// may be left out.
template <class T>
struct ObjectField {
  std::string_view name;
  std::string_view meaning;
};

/// A text parameter, such as a path; `visit(field, std::string&)`.
struct TextField {
  std::string_view name;
  std::string_view meaning;
  bool is_path = false;                    ///< a path, relative to the config that names it
  std::size_t most_letters = any_letters;  ///< it may have so many
  static constexpr std::size_t any_letters = ~std::size_t{0};
};

}  // namespace bloomlab
