// Which kind of experiment an exhibit can show.
#pragma once

#include <string_view>

namespace bloomlab::analysis {

/// The kind of experiment whose results the exhibits of the config called `stem` read;
/// "false_positive_rate" where nothing else is said.
[[nodiscard]] std::string_view kind_of_exhibit(std::string_view stem);

}  // namespace bloomlab::analysis
