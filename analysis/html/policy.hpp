// What a page lets a browser do: W3C, Content Security Policy Level 3.
#pragma once

#include <string>
#include <string_view>

namespace bloomlab::analysis::html {

/// The policy of a page with this one script: nothing is loaded from anywhere, and no other script
/// runs, wherever it may have come from.
[[nodiscard]] std::string content_policy(std::string_view script);

/// Base64 with padding (RFC 4648, section 4).
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace bloomlab::analysis::html
