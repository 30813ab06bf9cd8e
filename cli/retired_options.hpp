// Options that had another name in an earlier version. They work for one version more, are in no
// help text, and say their name of today on stderr.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace bloomlab::cli {

/// The arguments (the program's name first, then the command) with options of today. Each retired
/// one is told to `hints`, a line each.
[[nodiscard]] std::vector<std::string> with_options_of_today(std::span<char* const> arguments,
                                                             std::ostream& hints);

}  // namespace bloomlab::cli
