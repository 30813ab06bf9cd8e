#include "analysis/html/sections.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "analysis/plot/text.hpp"

namespace bloomlab::analysis::html {

namespace {

/// The anchor that GitHub gives a heading: lower case, spaces as '-', without punctuation. Letters
/// beyond ASCII stay as they are.
std::string heading_anchor(std::string_view label) {
  std::string anchor;
  for (const char character : label) {
    const bool upper = character >= 'A' && character <= 'Z';
    const bool kept = (character >= 'a' && character <= 'z') ||
                      (character >= '0' && character <= '9') || character == '-' ||
                      character == '_' || static_cast<unsigned char>(character) >= 0x80;
    if (upper) {
      anchor += static_cast<char>(character - 'A' + 'a');
    } else if (kept) {
      anchor += character;
    } else if (character == ' ') {
      anchor += '-';
    }
  }
  return anchor;
}

std::string unique_id(const std::vector<PageSection>& sections, const std::string& wanted) {
  const auto taken = [&](const std::string& id) {
    return std::any_of(sections.begin(), sections.end(),
                       [&](const PageSection& section) { return section.id == id; });
  };
  std::string id = wanted.empty() ? "section" : wanted;
  for (std::size_t count = 1; taken(id); ++count) {
    id = wanted;
    id.append("-").append(std::to_string(count));
  }
  return id;
}

std::string heading_html(const Block& block) {
  const std::string level = std::to_string(block.heading);
  return "<h" + level + ">" + block.html + "</h" + level + ">\n";
}

PageSection begun_section(const Block& heading, std::string id, const PageAnswer* answer) {
  return {.id = std::move(id),
          .title = heading.html,
          .label = heading.text,
          .answer = answer == nullptr ? "" : line_of(answer->markdown),
          .body = {},
          .chapter = answer == nullptr ? "" : plot::xml_text(answer->chapter),
          .folded = answer != nullptr};
}

}  // namespace

Outline outline_of(const std::vector<Block>& blocks, const PageAnswers& answers) {
  Outline outline;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    const bool before_section = i + 1 < blocks.size() && blocks[i + 1].heading == 2;
    if (!block.anchor.empty() && before_section) continue;
    if (block.heading == 1 && outline.title.empty()) {
      outline.title = block.text;
    } else if (block.heading == 2) {
      const std::string anchor = i > 0 ? blocks[i - 1].anchor : "";
      const auto answer = answers.find(anchor);
      std::string id =
          unique_id(outline.sections, anchor.empty() ? heading_anchor(block.text) : anchor);
      outline.sections.push_back(
          begun_section(block, std::move(id), answer == answers.end() ? nullptr : &answer->second));
    } else if (outline.sections.empty()) {
      outline.intro += block.heading > 0 ? heading_html(block) : block.html;
    } else {
      PageSection& section = outline.sections.back();
      section.body += block.heading > 0 ? heading_html(block) : block.html;
      section.folded = section.folded || (block.folds && outline.sections.size() > 1);
    }
  }
  return outline;
}

}  // namespace bloomlab::analysis::html
