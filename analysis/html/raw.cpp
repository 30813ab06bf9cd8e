#include "analysis/html/raw.hpp"

#include <algorithm>
#include <array>

#include "analysis/plot/text.hpp"

namespace bloomlab::analysis::html {

namespace {

using plot::xml_text;

constexpr std::string_view anchor_open = "<a id=\"";
constexpr std::string_view anchor_close = "\"></a>";

bool is_id_character(char character) {
  return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
         (character >= 'A' && character <= 'Z') ||
         std::string_view("-_.~/%").find(character) != std::string_view::npos;
}

/// The id in "<a id="x">"; empty for every other tag.
std::string_view anchor_id(std::string_view tag) {
  if (!tag.starts_with(anchor_open) || !tag.ends_with("\">")) return {};
  const std::string_view id = tag.substr(
      anchor_open.size(), std::max(tag.size(), anchor_open.size() + 2) - anchor_open.size() - 2);
  return std::all_of(id.begin(), id.end(), is_id_character) ? id : std::string_view{};
}

/// What becomes of one tag, from '<' to '>'.
std::string tag_text(std::string_view tag, Place place) {
  static constexpr std::array<std::string_view, 4> folds = {"<details>", "</details>", "<summary>",
                                                            "</summary>"};
  if (tag == "<br>" || tag == "<br/>" || tag == "<br />") return "<br>";
  if (tag == "</a>") return "";
  if (const std::string_view id = anchor_id(tag); !id.empty()) {
    return std::string(anchor_open).append(id).append(anchor_close);
  }
  if (place == Place::block && std::find(folds.begin(), folds.end(), tag) != folds.end()) {
    return std::string(tag);
  }
  return xml_text(tag);
}

}  // namespace

std::string known_tags(std::string_view text, Place place) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find('<');
    const std::size_t close = text.find('>', open);
    const std::size_t line_end = text.find('\n');
    if (line_end < open) {
      result += xml_text(text.substr(0, line_end)) + "\n";
      text.remove_prefix(line_end + 1);
    } else if (close == std::string_view::npos) {
      return result + xml_text(text);
    } else {
      result += xml_text(text.substr(0, open));
      result += tag_text(text.substr(open, close + 1 - open), place);
      text.remove_prefix(close + 1);
    }
  }
  return result;
}

std::string anchor_of(std::string_view text) {
  if (!text.ends_with(anchor_close)) return "";
  text.remove_suffix(anchor_close.size() - 2);
  return std::string(anchor_id(text));
}

bool is_safe_link(std::string_view target) {
  const std::string_view scheme = target.substr(0, target.find_first_of("/?#"));
  if (scheme.find(':') == std::string_view::npos) return !target.starts_with("//");
  return target.starts_with("https://") || target.starts_with("http://") ||
         target.starts_with("mailto:");
}

}  // namespace bloomlab::analysis::html
