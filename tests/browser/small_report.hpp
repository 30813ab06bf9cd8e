// A small report in a folder of its own, for tests of its page.
#pragma once

#include <string>

#include "tests/cli/command_line.hpp"

namespace bloomlab::tests {

/// A report on two configs of rates from nearly one down to no hit at all, "first" and "second".
/// The title of the second means harm.
struct SmallReport {
  TemporaryFolder folder;
  std::string url = "file://" + (folder / "out/REPORT.html");

  /// Throws std::runtime_error, saying what the command line said, where it fails.
  SmallReport();
};

/// The title of the second config.
inline constexpr const char* harmful_title =
    "</title><script>window.harm = 1</script> & \"more\" <img src=x.png>";

}  // namespace bloomlab::tests
