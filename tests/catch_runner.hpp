// Catch's own part of a test program, compiled once for all of them.
#pragma once

#include <string_view>

namespace bloomlab::tests {

/// The exit status of a program of which a test was skipped, as CTest is told (SKIP_RETURN_CODE).
inline constexpr int skipped_status = 77;

/// For a test, or a part of one, whose tools are not on this machine: says why. The program then
/// exits with skipped_status where nothing fails, so that what was not tried never counts as
/// passed.
void skip(std::string_view why);

/// Whether a sanitizer watches this build, which has memory and handlers of signals of its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

/// Runs the tests that the arguments ask for; the exit status of the program. A test without an
/// assertion fails.
int run_all(int argc, char** argv);

}  // namespace bloomlab::tests
