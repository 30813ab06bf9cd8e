#include "analysis/html/policy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "record/sha256.hpp"

namespace bloomlab::analysis::html {

std::string base64(std::string_view bytes) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t held = std::min<std::size_t>(bytes.size() - at, 3);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8U | (i < held ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= held ? letters[group >> (18 - 6 * i) & 0x3FU] : '=';
    }
  }
  return text;
}

std::string content_policy(std::string_view script) {
  const record::Sha256 hash = record::sha256(script);
  const std::string bytes(hash.begin(), hash.end());
  return "default-src 'none'; script-src 'sha256-" + base64(bytes) +
         "'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
}

}  // namespace bloomlab::analysis::html
