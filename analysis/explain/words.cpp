#include "analysis/explain/words.hpp"

#include <array>
#include <utility>

namespace bloomlab::analysis::explain {
namespace {

struct FixedTag {
  std::string_view name;
  std::string_view text;
};

constexpr std::array<FixedTag, 7> fixed_tags = {{{"zero", "0"},
                                                 {"one", "1"},
                                                 {"half", "2³²"},
                                                 {"whole", "2⁶⁴"},
                                                 {"cases", "2ʲ"},
                                                 {"limit", "(1 − 1/m)^m"},
                                                 {"inverse", "1/e"}}};

}  // namespace

Lines::Lines(std::string language) : words_(std::move(language), "explain") {}

std::string Lines::operator()(std::string_view key, Tags tags) const {
  const auto text = words_.texts().find(key);
  if (text != words_.texts().end()) {
    for (const std::string& name : tag_names(key, text->second)) {
      for (const FixedTag& tag : fixed_tags) {
        if (tag.name == name) tags.emplace(name, tag.text);
      }
    }
  }
  return words_(key, tags);
}

std::string Lines::list(std::span<const std::string> items) const {
  const std::string separator = words_("list.separator");
  std::string text;
  for (const std::string& item : items) {
    if (!text.empty()) text += separator;
    text += item;
  }
  return text;
}

}  // namespace bloomlab::analysis::explain
