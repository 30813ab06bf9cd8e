#include <array>
#include <charconv>
#include <limits>
#include <string_view>

#include "record/grid.hpp"

namespace bloomlab::record {
namespace {

__extension__ using Wide = unsigned __int128;

/// x = digits * 10^exponent, with the fewest digits that read back as x (at most 17).
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

Decimal decimal(double x) {
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t mark = text.find('e');
  Decimal result;
  bool after_point = false;
  for (const char letter : text.substr(0, mark)) {
    if (letter == '.') {
      after_point = true;
      continue;
    }
    result.digits = result.digits * 10 + static_cast<std::uint64_t>(letter - '0');
    if (after_point) --result.exponent;
  }
  const std::size_t sign = text[mark + 1] == '+' ? 1 : 0;  // from_chars takes no plus
  int written = 0;
  std::from_chars(buffer.data() + mark + 1 + sign, end.ptr, written);
  result.exponent += written;
  return result;
}

}  // namespace

std::uint64_t ceil_per_n(double x, std::uint64_t n) {
  constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  const Decimal factor = decimal(x);
  Wide product = static_cast<Wide>(factor.digits) * n;
  for (int e = factor.exponent; e > 0 && product <= largest; --e) product *= 10;
  bool remainder = false;
  for (int e = factor.exponent; e < 0 && product > 0; ++e) {
    remainder = remainder || product % 10 != 0;
    product /= 10;
  }
  if (remainder && product <= largest) ++product;
  return product > largest ? largest : static_cast<std::uint64_t>(product);
}

}  // namespace bloomlab::record
