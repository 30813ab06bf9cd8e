#include "planner/quantity_text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "record/number_text.hpp"

namespace bloomlab::planner {

std::string spaced(std::uint64_t value) {
  std::string text = std::to_string(value);
  if (text.size() <= 4) return text;
  for (std::size_t at = text.size() - 3; at < text.size() && at > 0;
       at -= std::min<std::size_t>(at, 3)) {
    text.insert(at, 1, ' ');
  }
  return text;
}

std::string one_in_text(double rate) {
  if (!(rate > 0.0)) return "none";
  const double count = 1.0 / rate;
  if (count < 10.0) return "1 in " + significant(count, 3);
  if (count >= 1e18) return "1 in " + significant(count, 6);
  return "1 in " + spaced(static_cast<std::uint64_t>(count));
}

std::string iec_text(std::uint64_t bits, int digits) {
  static constexpr std::array<std::string_view, 7> units = {"B",   "KiB", "MiB", "GiB",
                                                            "TiB", "PiB", "EiB"};
  double size = static_cast<double>(bits) / 8.0;
  std::size_t unit = 0;
  for (; size >= 1024.0 && unit + 1 < units.size(); ++unit) size /= 1024.0;
  return significant(size, digits) + " " + std::string(units[unit]);
}

}  // namespace bloomlab::planner
