#include "analysis/html/page.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/text/template.hpp"
#include "analysis/text/utf8.hpp"
#include "analysis/text/words.hpp"
#include "record/sha256.hpp"

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
          .chapter = answer == nullptr ? "" : xml_text(answer->chapter),
          .folded = answer != nullptr};
}

std::string page_part(const std::string& name) {
  return std::string(template_called("templates/page/" + name));
}

/// A list of links; chapters are folded lists of their own.
std::string contents_html(const std::vector<PageSection>& sections) {
  std::string text;
  std::string chapter;
  const auto end_chapter = [&] {
    if (!chapter.empty()) text.append("</ol></details></li>\n");
  };
  for (const PageSection& section : sections) {
    if (section.chapter != chapter) {
      end_chapter();
      chapter = section.chapter;
      if (!chapter.empty()) {
        text.append("<li><details><summary>").append(chapter).append("</summary>\n<ol>\n");
      }
    }
    text.append("<li><a href=\"#").append(section.id).append("\">").append(section.label);
    text.append("</a></li>\n");
  }
  end_chapter();
  return text;
}

std::string section_html(const PageSection& section) {
  const bool experiment = !section.chapter.empty();
  const std::string heading = experiment ? "h3" : "h2";
  const std::string title = "<" + heading + ">" + section.title + "</" + heading + ">";
  if (!section.folded) {
    return "<section id=\"" + section.id + "\">\n" + title + "\n" + section.body + "</section>\n";
  }
  std::string text = "<details class=\"";
  text.append(experiment ? "section experiment" : "section");
  text.append("\" id=\"").append(section.id).append("\">\n<summary>").append(title);
  if (!section.answer.empty()) {
    text.append("\n<span class=\"answer\">").append(section.answer).append("</span>");
  }
  text.append("</summary>\n<div class=\"body\">\n").append(section.body);
  return text.append("</div>\n</details>\n");
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

std::string page(const PageSource& source, const std::string& language) {
  const Words words(language, "page");
  const Outline outline = outline_of(blocks_of(source.markdown, source.pictures), source.answers);
  std::string sections;
  for (const PageSection& section : outline.sections) sections += section_html(section);
  const std::string script = page_part("page.js");
  const auto word = [&](const std::string& key) { return xml_text(words(key)); };
  const Tags places{{"report", source.report_link}, {"results", source.results_folder}};
  return fill_frame("templates/page/page.html", page_part("page.html"),
                    {{"language", xml_text(language)},
                     {"policy", content_policy(script)},
                     {"title", outline.title},
                     {"style", page_part("page.css")},
                     {"script", script},
                     {"word:skip", word("skip")},
                     {"word:contents", word("contents")},
                     {"word:open", word("open")},
                     {"word:close", word("close")},
                     {"word:theme", word("theme")},
                     {"word:print", word("print")},
                     {"word:sort", word("sort")},
                     {"word:teach", word("teach")},
                     {"word:back", word("back")},
                     {"word:next", word("next")},
                     {"word:close_one", word("close_one")},
                     {"word:footer", line_of(words("footer", places))},
                     {"contents", contents_html(outline.sections)},
                     {"intro", outline.intro},
                     {"sections", sections}});
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t held = std::min<std::size_t>(bytes.size() - at, 3);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8U | (i < held ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= held ? letters[group >> (18 - 6 * i) & 0x3FU] : '=';
    }
  }
  return text;
}

std::string content_policy(std::string_view script) {
  const record::Sha256 hash = record::sha256(script);
  const std::string bytes(hash.begin(), hash.end());
  return "default-src 'none'; script-src 'sha256-" + base64(bytes) +
         "'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
}

}  // namespace bloomlab::analysis::html
