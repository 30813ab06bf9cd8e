#include "statistics/require.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

namespace bloomlab::statistics::detail {
namespace {

template <class Number>
std::string text(Number value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

[[noreturn]] void fail(std::string_view where, std::string_view what, std::string_view value,
                       std::string_view allowed) {
  std::string message(where);
  message.append(": ").append(what).append(" is ").append(value);
  message.append("; it must ").append(allowed);
  throw std::invalid_argument(message);
}

}  // namespace

void require(bool holds, std::string_view where, std::string_view what, double value,
             std::string_view allowed) {
  if (!holds) fail(where, what, text(value), allowed);
}

void require_open_unit(std::string_view where, std::string_view what, double value) {
  require(value > 0.0 && value < 1.0, where, what, value, "lie strictly between 0 and 1");
}

void require_probability(std::string_view where, std::string_view what, double value) {
  require(value >= 0.0 && value <= 1.0, where, what, value, "lie in [0, 1]");
}

void require_variance(std::string_view where, std::string_view what, double value) {
  require(std::isfinite(value) && value >= 0.0, where, what, value, "be finite and at least 0");
}

void require_positive_count(std::string_view where, std::string_view what, std::uint64_t value) {
  if (value < 1 || value > largest_count) fail(where, what, text(value), "lie in 1 .. 2^53");
}

void require_hits(std::string_view where, std::uint64_t hits, std::uint64_t queries) {
  require_positive_count(where, "queries", queries);
  if (hits > queries) {
    fail(where, "hits", text(hits), "not exceed the queries, " + text(queries));
  }
}

}  // namespace bloomlab::statistics::detail
