#include "lab/gaps.hpp"

#include <cctype>
#include <optional>
#include <string>

namespace bloomlab::lab {
namespace {

/// What stands between the marks of the gap, without spaces.
std::optional<std::string> gap_in(std::string_view text, int number) {
  const std::string name = " gap " + std::to_string(number);
  const std::size_t open = text.find(">>>" + name);
  if (open == std::string_view::npos) return std::nullopt;
  const std::size_t close = text.find("<<<" + name, open);
  if (close == std::string_view::npos) return std::nullopt;
  std::string between;
  for (const char c : text.substr(open, close - open)) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) between += c;
  }
  return between;
}

}  // namespace

std::vector<int> unfilled_gaps(std::string_view text, std::string_view given) {
  std::vector<int> unfilled;
  for (int number = 1; number <= planted_gaps; ++number) {
    const auto gap = gap_in(text, number);
    if (gap && gap == gap_in(given, number)) unfilled.push_back(number);
  }
  return unfilled;
}

}  // namespace bloomlab::lab
