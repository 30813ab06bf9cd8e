#include "analysis/explain/mixed_key.hpp"

#include <charconv>

namespace bloomlab::analysis::explain {

std::optional<std::uint64_t> mixed_key(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool fits = value >= std::int64_t{INT32_MIN} && value <= std::int64_t{UINT32_MAX};
  if (error != std::errc() || stop != end || !fits) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

}  // namespace bloomlab::analysis::explain
