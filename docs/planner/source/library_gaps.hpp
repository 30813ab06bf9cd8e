// What the pages use of the C++20 library and emscripten 3.1.6, which comes with LLVM 13's
// libc++, does not have: algorithms over ranges, spans of texts, numbers of floating point to and
// from text, and atomic references.
// Included before every file of the page's build (-include), and empty for a newer library.
#pragma once

#include <version>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 15000

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace std::ranges {

template <class Range, class Value, class Projection = identity>
constexpr auto find(Range&& range, const Value& value, Projection project = {}) {
  return std::find_if(std::begin(range), std::end(range),
                      [&](const auto& one) { return std::invoke(project, one) == value; });
}

template <class Range, class Order = std::less<>, class Projection = identity>
constexpr auto min_element(Range&& range, Order order = {}, Projection project = {}) {
  return std::min_element(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(order, std::invoke(project, a), std::invoke(project, b));
  });
}

template <class Range>
constexpr auto min(Range&& range) {
  return *std::min_element(std::begin(range), std::end(range));
}

template <class Range, class Property>
constexpr auto find_if(Range&& range, Property property) {
  return std::find_if(std::begin(range), std::end(range), property);
}

template <class Range, class Order = std::less<>, class Projection = identity>
constexpr auto max_element(Range&& range, Order order = {}, Projection project = {}) {
  return std::max_element(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(order, std::invoke(project, a), std::invoke(project, b));
  });
}

template <class Range, class Output, class Property>
constexpr auto copy_if(Range&& range, Output out, Property property) {
  return std::copy_if(std::begin(range), std::end(range), out, property);
}

template <class Range>
constexpr auto max(const Range& range) {
  return *std::max_element(std::begin(range), std::end(range));
}

template <class Range>
constexpr auto minmax(const Range& range) {
  const auto [least, most] = std::minmax_element(std::begin(range), std::end(range));
  return std::pair(*least, *most);
}

template <class Range, class Property>
constexpr bool all_of(Range&& range, Property property) {
  return std::all_of(std::begin(range), std::end(range), property);
}

template <class Range, class Property>
constexpr bool any_of(Range&& range, Property property) {
  return std::any_of(std::begin(range), std::end(range), property);
}

template <class Range, class Property>
constexpr auto count_if(Range&& range, Property property) {
  return std::count_if(std::begin(range), std::end(range), property);
}

template <class One, class Other, class Same = std::equal_to<>>
constexpr bool equal(const One& one, const Other& other, Same same = {}) {
  return std::equal(std::begin(one), std::end(one), std::begin(other), std::end(other), same);
}

template <class Range, class Property>
constexpr bool none_of(Range&& range, Property property) {
  return std::none_of(std::begin(range), std::end(range), property);
}

template <class Range, class Output>
constexpr auto move(Range&& range, Output out) {
  return std::move(std::begin(range), std::end(range), out);
}

template <class Range, class Output>
constexpr auto copy(Range&& range, Output out) {
  return std::copy(std::begin(range), std::end(range), out);
}

template <class Range, class Value>
constexpr auto fill(Range&& range, const Value& value) {
  std::fill(std::begin(range), std::end(range), value);
  return std::end(range);
}

template <class Range, class Value>
constexpr auto count(Range&& range, const Value& value) {
  return std::count(std::begin(range), std::end(range), value);
}

template <class Range, class Output, class Change>
constexpr auto transform(Range&& range, Output out, Change change) {
  return std::transform(std::begin(range), std::end(range), out, change);
}

template <class Range, class Order = std::less<>, class Projection = identity>
constexpr auto sort(Range&& range, Order order = {}, Projection project = {}) {
  std::sort(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(order, std::invoke(project, a), std::invoke(project, b));
  });
  return std::end(range);
}

template <class Range, class Order = std::less<>, class Projection = identity>
constexpr auto stable_sort(Range&& range, Order order = {}, Projection project = {}) {
  std::stable_sort(std::begin(range), std::end(range), [&](const auto& a, const auto& b) {
    return std::invoke(order, std::invoke(project, a), std::invoke(project, b));
  });
  return std::end(range);
}

template <class Iterator, class Value, class Order = std::less<>, class Projection = identity>
constexpr auto lower_bound(Iterator first, Iterator last, const Value& value, Order order = {},
                           Projection project = {}) {
  return std::lower_bound(first, last, value, [&](const auto& one, const Value& sought) {
    return std::invoke(order, std::invoke(project, one), sought);
  });
}

template <class Range, class Value>
constexpr auto lower_bound(const Range& range, const Value& value) {
  return std::lower_bound(std::begin(range), std::end(range), value);
}

template <class Range, class Value>
constexpr auto equal_range(const Range& range, const Value& value) {
  return std::equal_range(std::begin(range), std::end(range), value);
}

template <class Range, class Part>
constexpr bool includes(const Range& range, const Part& part) {
  return std::includes(std::begin(range), std::end(range), std::begin(part), std::end(part));
}

}  // namespace std::ranges

namespace std {

inline namespace _LIBCPP_ABI_NAMESPACE {
span(string_view)->span<const char>;
}

/// The nearest double of the decimal number at the beginning; the text holds nothing else that
/// strtod would read, such as a sign or a hexadecimal number.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const string text(first, last);
  char* end = nullptr;
  const double read = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, errc::invalid_argument};
  if (read > 0x1.fffffffffffffp1023) return {last, errc::result_out_of_range};
  value = read;
  return {first + (end - text.c_str()), errc{}};
}

/// Fewest digits that read back as the same double, in the given form.
inline to_chars_result double_to_chars(char* first, char* last, double value, chars_format format) {
  constexpr int most_digits = 17;
  char text[400];
  int size = 0;
  for (int digits = 1; digits <= most_digits; ++digits) {
    size = format == chars_format::scientific
               ? std::snprintf(text, sizeof text, "%.*e", digits - 1, value)
               : std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  if (format == chars_format::fixed && std::strchr(text, 'e')) {
    size = std::snprintf(text, sizeof text, "%.0f", value);
  }
  if (size > last - first) return {last, errc::value_too_large};
  std::memcpy(first, text, static_cast<size_t>(size));
  return {first + size, errc{}};
}

inline to_chars_result to_chars(char* first, char* last, double value) {
  return double_to_chars(first, last, value, chars_format::general);
}

inline to_chars_result to_chars(char* first, char* last, double value, chars_format format) {
  return double_to_chars(first, last, value, format);
}

inline to_chars_result to_chars(char* first, char* last, double value, chars_format format,
                                int precision) {
  const char* form = format == chars_format::fixed ? "%.*f" : "%.*e";
  char text[400];
  const int size = std::snprintf(text, sizeof text, form, precision, value);
  if (size > last - first) return {last, errc::value_too_large};
  std::memcpy(first, text, static_cast<size_t>(size));
  return {first + size, errc{}};
}

/// A page has one thread.
template <class Word>
class atomic_ref {
 public:
  static constexpr bool is_always_lock_free = true;
  explicit atomic_ref(Word& word) : word_(word) {}
  [[nodiscard]] Word load(memory_order) const { return word_; }
  void store(Word value, memory_order) const { word_ = value; }
  Word fetch_or(Word mask, memory_order) const { return std::exchange(word_, word_ | mask); }

 private:
  Word& word_;
};

}  // namespace std

#endif
