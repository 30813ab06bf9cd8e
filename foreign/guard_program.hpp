// Where the guard of filters from outside is: a small program that is built and installed with
// ours.
#pragma once

#include <filesystem>

namespace bloomlab::foreign {

/// Its file's name.
inline constexpr const char* guard_name = "bloomlab-foreign";

/// Beside this program, one folder up, or in ../libexec/bloomlab; where the laboratory is a shared
/// library, also in the libexec/bloomlab of its prefix. Throws Failure `not_started` where it is in
/// none of them.
[[nodiscard]] std::filesystem::path guard_program();

}  // namespace bloomlab::foreign
