// Integer keys, written as texts, for the probes that mix them without a hash.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bloomlab::analysis::explain {

/// The key as the low 32 bits of a whole number from -2^31 to 2^32 - 1; nothing where the text is
/// no such number.
[[nodiscard]] std::optional<std::uint64_t> mixed_key(std::string_view text);

}  // namespace bloomlab::analysis::explain
