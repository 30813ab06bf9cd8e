// The option --max-memory of the commands that build filters.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace bloomlab::cli {

/// Adds the option to a command.
void add_max_memory(CLI::App& parser, std::optional<std::string>& text);

/// Its value [bytes]. Throws record::InputError for what is no size.
[[nodiscard]] std::optional<std::uint64_t> max_memory_bytes(const std::optional<std::string>& text);

}  // namespace bloomlab::cli
