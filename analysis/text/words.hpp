// The short texts of one language: column headings, captions, sentences that depend on a result.
// They are templates too (text/template.hpp): no digit is typed in them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "analysis/text/template.hpp"

namespace bloomlab::analysis {

/// The texts of one language, read from templates/<list>.<language>.json: the report's are the list
/// "words", those of `explain` the list "explain".
class Words {
 public:
  /// Throws record::InputError naming the languages that exist, for one that does not.
  explicit Words(std::string language, std::string_view list = "words");

  [[nodiscard]] const std::string& language() const noexcept { return language_; }

  /// The text `key`, its tags replaced. Throws TemplateError for an unknown key or a fault.
  [[nodiscard]] std::string operator()(std::string_view key, const Tags& tags = {}) const;

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
};

}  // namespace bloomlab::analysis
