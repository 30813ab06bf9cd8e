// Prose with tags: "{{name}}" is replaced by a computed text. The prose itself holds no number but
// those of formulas, so that no number in the report can be typed. Formulas are TeX between $ and
// $, or $$ and $$, as code hosts and MD4C read them.
//
// Templates and words are part of the program: CMake puts the files of analysis/templates into the
// binary.
//
// The short texts of one language: column headings, captions, sentences that depend on a result.
// They are templates too: no digit is typed in them.
#pragma once

#include <cstddef>
#include <limits>
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
/// Throws TemplateError for each fault named above and for a result of more than
/// `most_bytes_of_text`. Replaced texts are not searched for tags.
[[nodiscard]] std::string expand(std::string_view where, std::string_view text, const Tags& tags);

inline constexpr std::size_t most_bytes_of_text = std::size_t{64} << 20;

/// The same for a page's frame, which is markup and not prose: digits may stand in it.
[[nodiscard]] std::string fill_frame(
    std::string_view where, std::string_view text, const Tags& tags,
    std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

/// The names of the tags in `text`, in order, each once. Throws TemplateError for an open tag.
[[nodiscard]] std::vector<std::string> tag_names(std::string_view where, std::string_view text);

/// A file of the source tree, as it was when the program was built.
struct EmbeddedText {
  std::string_view name;  ///< path below analysis/, "templates/report.en.md", or that of a result
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

/// The texts of one language, read from templates/<list>.<language>.json: the report's are the list
/// "words", those of `explain` the list "explain". Texts that data carry (titles of configs, notes
/// of claims) are English; their translations stand in templates/phrases.<language>.json, by the
/// text.
class Words {
 public:
  /// Throws record::InputError naming the languages that exist, for one that does not.
  explicit Words(std::string language, std::string_view list = "words");

  [[nodiscard]] const std::string& language() const noexcept { return language_; }

  /// These words with further texts of data, by the text with "#" for numbers; they come first.
  [[nodiscard]] Words with(const std::map<std::string, std::string, std::less<>>& phrases) const;

  /// The text `key`, its tags replaced. Throws TemplateError for an unknown key or a fault.
  [[nodiscard]] std::string operator()(std::string_view key, const Tags& tags = {}) const;

  /// A text of the data in this language, or as it is where nobody translated it. Numbers are taken
  /// out before the phrase is looked up, and put back: "5 of 11 right" is the phrase "# of #
  /// right". Parts between "; " are looked up one by one where the whole is no phrase.
  [[nodiscard]] std::string of_data(const std::string& text) const;

  /// True if there is a text `key`.
  [[nodiscard]] bool has(std::string_view key) const { return texts_.contains(key); }

  /// Every text by key, tags not replaced.
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& texts() const noexcept {
    return texts_;
  }

 private:
  std::string language_;
  std::string list_;
  std::map<std::string, std::string, std::less<>> texts_;
  std::map<std::string, std::string, std::less<>> phrases_;
};

/// `text` with "#" in place of every number, and the numbers in order. A number is a run of digits
/// with points between them.
struct Phrase {
  std::string pattern;
  std::vector<std::string> numbers;
};
[[nodiscard]] Phrase phrase_of(std::string_view text);

}  // namespace bloomlab::analysis
