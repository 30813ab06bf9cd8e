// Files of the folder fixtures, and what the tests wrap them in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomlab::tests {

/// The bytes of tests/formats/fixtures/NAME.
[[nodiscard]] std::string fixture(const std::string& name);

/// A number of so many bytes, the lowest one first, or the highest.
[[nodiscard]] std::string little(std::uint64_t value, int bytes);
[[nodiscard]] std::string big(std::uint64_t value, int bytes);

[[nodiscard]] std::string gzipped(std::string_view bytes);
/// With a header of zlib.
[[nodiscard]] std::string deflated(std::string_view bytes);
/// In lines of 76 letters, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);
/// On one line without padding, with - and _.
[[nodiscard]] std::string base64_for_urls(std::string_view bytes);
[[nodiscard]] std::string hex(std::string_view bytes);

}  // namespace bloomlab::tests
