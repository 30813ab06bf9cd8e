// Prose with tags: "{{name}}" is replaced by a computed text. The prose itself holds no number but
// those of formulas, so that no number in the report can be typed.
#pragma once

#include <map>
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

}  // namespace bloomlab::analysis
