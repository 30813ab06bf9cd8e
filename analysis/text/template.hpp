// Prose with tags: "{{name}}" is replaced by a computed text. The prose itself holds no number but
// those of formulas, so that no number in the report can be typed. Formulas are TeX between $ and
// $, or $$ and $$, as code hosts and MD4C read them.
//
// Templates, words and the printed values of the sources are part of the program: CMake puts the
// files of analysis/templates and analysis/sources into the binary.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/input_error.hpp"

namespace bloomlab::analysis {

/// A fault of a template: an unknown tag, a text that no tag asks for, a digit typed in prose, a
/// tag that is not closed. `what()` names the template and the line.
class TemplateError : public record::RunError {
 public:
  using record::RunError::RunError;
};

/// Computed texts by the name of their tag.
using Tags = std::map<std::string, std::string>;

/// Replaces every tag of `text`. `where` names the template in errors.
/// Throws TemplateError for each fault named above. Replaced texts are not searched for tags.
[[nodiscard]] std::string expand(std::string_view where, std::string_view text, const Tags& tags);

/// The same for a page's frame, which is markup and not prose: digits may stand in it.
[[nodiscard]] std::string fill_frame(std::string_view where, std::string_view text,
                                     const Tags& tags);

/// The names of the tags in `text`, in order, each once. Throws TemplateError for an open tag.
[[nodiscard]] std::vector<std::string> tag_names(std::string_view where, std::string_view text);

/// A file of the source tree, as it was when the program was built.
struct EmbeddedText {
  std::string_view name;  ///< path below analysis/: "templates/report.en.md"
  std::string_view text;
};

/// Every embedded text, by name.
[[nodiscard]] std::span<const EmbeddedText> embedded_texts();

/// The text called `name`, or nothing.
[[nodiscard]] std::optional<std::string_view> embedded_text(std::string_view name);

/// The text of the template `name`, such as "templates/report.en.md". Throws TemplateError where
/// there is none.
[[nodiscard]] std::string_view template_called(const std::string& name);

/// A formula of one line.
struct Formula {
  std::size_t begin = 0;  ///< of its first $ in the line
  std::size_t end = 0;    ///< behind its last $
  std::string_view tex;   ///< between them
  bool display = false;   ///< between $$
};

/// The formulas of a line of Markdown, in order. `\$` and what stands in code is none; a formula
/// that is not closed in its line is none.
[[nodiscard]] std::vector<Formula> formulas_in(std::string_view line);

}  // namespace bloomlab::analysis
