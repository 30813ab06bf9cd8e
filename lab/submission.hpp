// A student's filter, built and ready to be started.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "foreign/target.hpp"
#include "lab/assignment.hpp"
#include "lab/cases.hpp"

namespace bloomlab::lab {

/// What its language needs and this machine has not, as one line; nothing where all is there.
[[nodiscard]] std::optional<std::string> missing_tool(const Language& language);

/// Whether a file is called like what a build of that language leaves.
[[nodiscard]] bool is_made(const Language& language, const std::filesystem::path& name);

/// Builds the filter in its folder anew, in a process with limits: nothing that is there stands for
/// its product, and the compiler's exit status alone says whether it is built. @return why it could
/// not be built, as one line of the compiler, or nothing
[[nodiscard]] std::optional<std::string> build(const Assignment& assignment, const CaseBook& book);

/// The filter as it is started.
[[nodiscard]] foreign::Target target_of(const Assignment& assignment, const CaseBook& book);

}  // namespace bloomlab::lab
