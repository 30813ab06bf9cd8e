// Configs with one fault each, and the exact line that names it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::experiments::testing {

/// Replaces the first occurrence of `from` in the good config.
struct Change {
  std::string_view from;
  std::string_view to;
};

struct BadConfig {
  std::string_view title;
  std::vector<Change> changes;
  std::string_view error;  ///< the line after `FILE: `
};

/// The text of a bad config.
[[nodiscard]] std::string text_of(const BadConfig& config);

/// Faults that one look at one place shows: the published schema refuses them too.
[[nodiscard]] const std::vector<BadConfig>& faults_of_structure();
/// Faults that a schema cannot see.
[[nodiscard]] const std::vector<BadConfig>& faults_of_meaning();
/// Texts that are not JSON.
[[nodiscard]] const std::vector<BadConfig>& faults_of_syntax();

}  // namespace bloomlab::experiments::testing
