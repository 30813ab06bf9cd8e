// What the files of the catalogue share: descriptions of common arguments, and their reading.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/theory/models.hpp"
#include "core/theory/standard.hpp"

namespace bloomlab::theory {

/// Largest integer argument: 2^63, exact as a double.
inline constexpr double largest_integer = 0x1p63;

inline ArgumentInfo integer_argument(std::string_view name, std::string_view unit,
                                     std::string_view meaning, double min,
                                     double max = largest_integer) {
  return {name, ArgumentInfo::Kind::integer, unit, meaning, min, max, false, false, {}, false};
}

/// A real number strictly between min and max.
inline ArgumentInfo open_argument(std::string_view name, std::string_view unit,
                                  std::string_view meaning, double min = 0.0, double max = 1.0) {
  return {name, ArgumentInfo::Kind::real, unit, meaning, min, max, true, true, {}, false};
}

/// A real number from min to max.
inline ArgumentInfo closed_argument(std::string_view name, std::string_view unit,
                                    std::string_view meaning, double min, double max) {
  return {name, ArgumentInfo::Kind::real, unit, meaning, min, max, false, false, {}, false};
}

inline ArgumentInfo word_argument(std::string_view name, std::string_view meaning,
                                  std::vector<std::string_view> words) {
  return {name,  ArgumentInfo::Kind::word, "",   meaning, 0.0, 0.0, false,
          false, std::move(words),         false};
}

inline ArgumentInfo m_argument() { return integer_argument("m", "bits", "size of the filter", 1); }

inline ArgumentInfo n_argument(double min = 0) {
  return integer_argument("n", "keys", "distinct keys inserted", min);
}

inline ArgumentInfo k_argument(double max = static_cast<double>(max_exact_probes)) {
  return integer_argument("k", "probes per key", "positions set for a key", 1, max);
}

/// The checked arguments of a model, read by their place in its list.
class ArgumentReader {
 public:
  explicit ArgumentReader(std::span<const ArgumentValue> values) : values_(values) {}
  [[nodiscard]] std::uint64_t integer(std::size_t i) const {
    return std::get<std::uint64_t>(values_[i]);
  }
  [[nodiscard]] double real(std::size_t i) const { return std::get<double>(values_[i]); }
  [[nodiscard]] const std::string& word(std::size_t i) const {
    return std::get<std::string>(values_[i]);
  }

 private:
  std::span<const ArgumentValue> values_;
};

/// The first Count arguments, integers all of them.
template <std::size_t Count>
[[nodiscard]] std::array<std::uint64_t, Count> integers(std::span<const ArgumentValue> values) {
  std::array<std::uint64_t, Count> all;
  for (std::size_t i = 0; i < Count; ++i) all[i] = std::get<std::uint64_t>(values[i]);
  return all;
}

}  // namespace bloomlab::theory
