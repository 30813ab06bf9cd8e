// The short texts of one language: column headings, captions, sentences that depend on a result.
// They are templates too (text/template.hpp): no digit is typed in them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/text/template.hpp"

namespace bloomlab::analysis {

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
