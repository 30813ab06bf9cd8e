#include "analysis/compare/fail_on.hpp"

#include <charconv>
#include <string_view>

#include "record/input_error.hpp"

namespace bloomlab::analysis::compare {

namespace {

constexpr double largest_size = 100.0;

[[noreturn]] void refuse_item(const std::string& text, std::string_view item,
                              const std::string& fault) {
  std::string line = "--fail-on: found \"" + text + "\": ";
  line.append("\"").append(item).append("\" ").append(fault);
  line +=
      "; allowed: rate:X,time:Y or one of the two, X and Y relative sizes above 0 such as "
      "0.01 or 5%";
  throw record::InputError(line);
}

/// "0.01" or "1%" as a part; nothing where it is neither.
std::optional<double> parse_part(std::string_view text) {
  const bool per_cent = text.ends_with('%');
  if (per_cent) text.remove_suffix(1);
  double value = 0.0;
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  if (per_cent) value /= 100.0;
  if (!(value > 0.0 && value <= largest_size)) return std::nullopt;
  return value;
}

void read_item(const std::string& text, std::string_view item, FailOn& limits) {
  const std::size_t colon = item.find(':');
  const std::string_view name = item.substr(0, colon);
  if (colon == std::string_view::npos || (name != "rate" && name != "time")) {
    refuse_item(text, item, "names neither rate nor time");
  }
  std::optional<double>& size = name == "rate" ? limits.rate : limits.time;
  if (size) refuse_item(text, item, "comes after another of its kind");
  size = parse_part(item.substr(colon + 1));
  if (!size) refuse_item(text, item, "gives no such size");
}

}  // namespace

FailOn parse_fail_on(const std::string& text) {
  FailOn limits;
  const std::string_view all = text;
  for (std::size_t start = 0; start <= all.size();) {
    const std::size_t end = std::min(all.find(',', start), all.size());
    read_item(text, all.substr(start, end - start), limits);
    start = end + 1;
  }
  return limits;
}

}  // namespace bloomlab::analysis::compare
