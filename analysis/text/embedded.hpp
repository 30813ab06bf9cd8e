// The texts that are part of the program: templates, words, and the printed values of the sources.
// CMake puts the files of analysis/templates and analysis/sources into the binary.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace bloomlab::analysis {

/// A file of the source tree, as it was when the program was built.
struct EmbeddedText {
  std::string_view name;  ///< path below analysis/: "templates/report.en.md"
  std::string_view text;
};

/// Every embedded text, by name.
[[nodiscard]] std::span<const EmbeddedText> embedded_texts();

/// The text called `name`, or nothing.
[[nodiscard]] std::optional<std::string_view> embedded_text(std::string_view name);

}  // namespace bloomlab::analysis
