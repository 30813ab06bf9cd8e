// Where the guard of filters from outside is: a small program that is built and installed with
// ours.
#pragma once

#include <filesystem>
#include <optional>

namespace bloomlab::foreign {

/// Its file's name.
inline constexpr const char* guard_name = "bloomlab-foreign";

/// A program that is built with ours: beside this program, one folder up, or in
/// ../libexec/bloomlab; where the laboratory is a shared library, also in the libexec/bloomlab of
/// its prefix. Nothing where it is in none of them.
[[nodiscard]] std::optional<std::filesystem::path> program_of_ours(const char* name);

/// Where the guard is, by program_of_ours(). Throws Failure `not_started` where it is not.
[[nodiscard]] std::filesystem::path guard_program();

}  // namespace bloomlab::foreign
