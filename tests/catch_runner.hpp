// Catch's own part of a test program, compiled once for all of them.
#pragma once

namespace bloomlab::tests {

/// Runs the tests that the arguments ask for; the exit status of the program.
int run_all(int argc, char** argv);

}  // namespace bloomlab::tests
