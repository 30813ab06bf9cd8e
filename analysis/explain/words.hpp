// What the texts of `explain` have in common, in any language.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analysis/text/words.hpp"

namespace bloomlab::analysis::explain {

/// The texts of templates/explain.<language>.json, with the tags that stand for fixed figures put
/// in, since no digit is typed in a text: zero, one, and the like.
class Lines {
 public:
  /// Throws record::InputError naming the languages that exist, for one that does not.
  explicit Lines(std::string language);

  /// The text `key`, its tags replaced. Throws TemplateError for an unknown key or a fault.
  [[nodiscard]] std::string operator()(std::string_view key, Tags tags = {}) const;

  /// True if there is a text `key`.
  [[nodiscard]] bool has(std::string_view key) const { return words_.has(key); }

  /// The items in one text, separated as the language does it.
  [[nodiscard]] std::string list(std::span<const std::string> items) const;

 private:
  Words words_;
};

}  // namespace bloomlab::analysis::explain
