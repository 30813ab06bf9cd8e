#include "analysis/html/page.hpp"

#include <md4c.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/html/raw.hpp"
#include "analysis/text/utf8.hpp"
#include "analysis/text/words.hpp"
#include "record/sha256.hpp"

namespace bloomlab::analysis::html {

namespace {

/// Escaped, its line ends kept.
std::string escaped_lines(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t end = text.find('\n');
    result += xml_text(text.substr(0, end));
    if (end == std::string_view::npos) return result;
    result += '\n';
    text.remove_prefix(end + 1);
  }
}

/// A link's target, escaped; empty where it may not be followed.
std::string target_of(const MD_ATTRIBUTE& attribute) {
  std::string escaped;
  std::string plain;
  for (std::size_t i = 0; attribute.substr_offsets[i] < attribute.size; ++i) {
    const MD_OFFSET begin = attribute.substr_offsets[i];
    const std::string_view part(attribute.text + begin, attribute.substr_offsets[i + 1] - begin);
    if (attribute.substr_types[i] == MD_TEXT_NORMAL) {
      plain += part;
      escaped += xml_text(part);
    } else if (part == "&amp;") {
      plain += '&';
      escaped += part;
    } else {
      return "";  // an entity could spell a scheme that this file does not see
    }
  }
  return is_safe_link(plain) ? escaped : "";
}

/// The tags that an element of Markdown becomes without further ado.
struct Tagged {
  int type;
  std::string_view open;
  std::string_view close;
};

constexpr std::array<Tagged, 8> plain_blocks = {{
    {MD_BLOCK_QUOTE, "<blockquote>\n", "</blockquote>\n"},
    {MD_BLOCK_UL, "<ul>\n", "</ul>\n"},
    {MD_BLOCK_OL, "<ol>\n", "</ol>\n"},
    {MD_BLOCK_LI, "<li>", "</li>\n"},
    {MD_BLOCK_CODE, "<pre><code>", "</code></pre>\n"},
    {MD_BLOCK_THEAD, "<thead>\n", "</thead>\n"},
    {MD_BLOCK_TBODY, "<tbody>\n", "</tbody>\n"},
    {MD_BLOCK_TR, "<tr>", "</tr>\n"},
}};

constexpr std::array<Tagged, 4> plain_spans = {{
    {MD_SPAN_EM, "<em>", "</em>"},
    {MD_SPAN_STRONG, "<strong>", "</strong>"},
    {MD_SPAN_CODE, "<code>", "</code>"},
    {MD_SPAN_DEL, "<del>", "</del>"},
}};

template <std::size_t Count>
const Tagged* tagged(const std::array<Tagged, Count>& list, int type) {
  for (const Tagged& entry : list) {
    if (entry.type == type) return &entry;
  }
  return nullptr;
}

/// Hears what the parser finds and writes it down.
class Writer {
 public:
  explicit Writer(const Pictures& pictures) : pictures_(pictures) {}

  std::vector<Block> take() { return std::move(blocks_); }

  void enter(MD_BLOCKTYPE type, const void* detail) {
    if (type == MD_BLOCK_DOC) return;
    if (depth_++ == 0) block_ = {};
    if (type == MD_BLOCK_H) block_.heading = static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level;
    if (type == MD_BLOCK_HR) block_.html += "<hr>\n";
    if (type == MD_BLOCK_HTML) place_ = Place::block;
    if (type == MD_BLOCK_TABLE) {
      block_.folds = true;
      block_.html += "<div class=\"scroll\"><table>\n";
    }
    if (type == MD_BLOCK_P || type == MD_BLOCK_TH || type == MD_BLOCK_TD) begin_part();
    if (const Tagged* entry = tagged(plain_blocks, type)) block_.html += entry->open;
  }

  void leave(MD_BLOCKTYPE type, const void* detail) {
    if (type == MD_BLOCK_DOC) return;
    if (const Tagged* entry = tagged(plain_blocks, type)) block_.html += entry->close;
    if (type == MD_BLOCK_TABLE) block_.html += "</table></div>\n";
    if (type == MD_BLOCK_P) end_paragraph();
    if (type == MD_BLOCK_HTML) place_ = Place::line;
    if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) {
      const bool number = static_cast<const MD_BLOCK_TD_DETAIL*>(detail)->align == MD_ALIGN_RIGHT;
      const std::string content = take_part();
      block_.html += type == MD_BLOCK_TH ? heading_entry(content, number)
                                         : table_entry(content, lines_, number);
    }
    if (--depth_ == 0) blocks_.push_back(std::move(block_));
  }

  void enter(MD_SPANTYPE type, const void* detail) {
    if (type == MD_SPAN_IMG && images_++ == 0) alternative_.clear();
    if (images_ > 0) return;
    if (is_formula(type)) tex_.clear();
    if (const Tagged* entry = tagged(plain_spans, type)) block_.html += entry->open;
    if (type != MD_SPAN_A) return;
    const std::string target = target_of(static_cast<const MD_SPAN_A_DETAIL*>(detail)->href);
    links_.push_back(!target.empty());
    if (links_.back()) block_.html += "<a href=\"" + target + "\">";
  }

  void leave(MD_SPANTYPE type, const void* detail) {
    if (type == MD_SPAN_IMG && --images_ == 0) {
      show_image(static_cast<const MD_SPAN_IMG_DETAIL*>(detail)->src);
      return;
    }
    if (images_ > 0) return;
    if (is_formula(type)) show_formula(type == MD_SPAN_LATEXMATH_DISPLAY);
    if (const Tagged* entry = tagged(plain_spans, type)) block_.html += entry->close;
    if (type != MD_SPAN_A) return;
    if (links_.back()) block_.html += "</a>";
    links_.pop_back();
  }

  void text(MD_TEXTTYPE type, std::string_view text) {
    if (images_ > 0) {
      alternative_ += type == MD_TEXT_SOFTBR || type == MD_TEXT_BR ? " " : text;
      return;
    }
    switch (type) {
      case MD_TEXT_HTML:
        if (text.starts_with("<br")) lines_.emplace_back();
        block_.html += known_tags(text, place_);
        break;
      case MD_TEXT_LATEXMATH:
        tex_ += text;
        break;
      case MD_TEXT_BR:
        lines_.emplace_back();
        block_.html += "<br>\n";
        break;
      case MD_TEXT_SOFTBR:
        add("\n", " ");
        break;
      case MD_TEXT_NULLCHAR:
        add("\uFFFD", "\uFFFD");
        break;
      case MD_TEXT_ENTITY:
        add(text, text);
        break;
      default:
        add(escaped_lines(text), text);
    }
  }

 private:
  void add(std::string_view html, std::string_view shown) {
    block_.html += html;
    if (block_.heading > 0) block_.text += html;
    lines_.back() += shown;
  }

  static bool is_formula(MD_SPANTYPE type) {
    return type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY;
  }

  /// As its TeX where it cannot be converted.
  void show_formula(bool display) {
    const std::string mathml = converted({.tex = tex_, .display = display}).mathml;
    add(mathml.empty() ? "<code>" + xml_text(tex_) + "</code>" : mathml, tex_);
  }

  void begin_part() {
    part_ = block_.html.size();
    lines_.assign(1, {});
  }

  std::string take_part() {
    std::string content = block_.html.substr(part_);
    block_.html.resize(part_);
    return content;
  }

  void end_paragraph() {
    const std::string content = take_part();
    block_.anchor = depth_ == 1 ? anchor_of(content) : "";
    const bool figure = content.find("<figure>") != std::string::npos;
    const bool caption = content.starts_with("<em>") && content.find("</em>") == content.size() - 5;
    block_.html += figure ? "<div>" : caption ? "<p class=\"caption\">" : "<p>";
    block_.html += content;
    block_.html += figure ? "</div>\n" : "</p>\n";
  }

  void show_image(const MD_ATTRIBUTE& source) {
    const std::string target = target_of(source);
    const auto picture = pictures_.find(target);
    const bool is_undrawn = picture != pictures_.end() && picture->second.empty();
    if (picture != pictures_.end() && !is_undrawn) {
      block_.folds = true;
      block_.html += "<figure><div class=\"scroll\">" +
                     inline_picture(picture->second, alternative_, times_shown_[target]++) +
                     "</div></figure>";
    } else if (target.empty() || is_undrawn) {
      add(xml_text(alternative_), alternative_);
    } else {
      block_.html += "<a href=\"" + target + "\">" + xml_text(alternative_) + "</a>";
    }
  }

  const Pictures& pictures_;
  std::map<std::string, std::size_t> times_shown_;
  std::vector<Block> blocks_;
  Block block_;
  Place place_ = Place::line;
  unsigned depth_ = 0;
  unsigned images_ = 0;
  std::string tex_;          ///< of the formula that is open
  std::string alternative_;  ///< what an image shows to those who do not see it
  std::vector<bool> links_;  ///< open links: whether they were written
  std::size_t part_ = 0;     ///< where the paragraph or entry begins in the block's HTML
  std::vector<std::string> lines_ = {{}};  ///< the paragraph or entry as people see it
};

Writer& writer(void* data) { return *static_cast<Writer*>(data); }

MD_PARSER parser() {
  MD_PARSER calls = {};
  calls.flags = MD_DIALECT_GITHUB | MD_FLAG_LATEXMATHSPANS;
  calls.enter_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
    writer(data).enter(type, detail);
    return 0;
  };
  calls.leave_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
    writer(data).leave(type, detail);
    return 0;
  };
  calls.enter_span = [](MD_SPANTYPE type, void* detail, void* data) {
    writer(data).enter(type, detail);
    return 0;
  };
  calls.leave_span = [](MD_SPANTYPE type, void* detail, void* data) {
    writer(data).leave(type, detail);
    return 0;
  };
  calls.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* data) {
    writer(data).text(type, {text, size});
    return 0;
  };
  return calls;
}

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

std::vector<Block> blocks_of(std::string_view markdown, const Pictures& pictures) {
  const MD_PARSER calls = parser();
  Writer result(pictures);
  if (md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &calls, &result) != 0) {
    throw std::bad_alloc();  // the parser's only fault of its own
  }
  return result.take();
}

std::string line_of(std::string_view markdown) {
  constexpr std::string_view open = "<p>";
  constexpr std::string_view close = "</p>\n";
  std::string html;
  for (const Block& block : blocks_of(markdown, {})) html += block.html;
  if (!html.starts_with(open) || html.find(close) + close.size() != html.size()) return html;
  return html.substr(open.size(), html.size() - open.size() - close.size());
}

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
                     {"word:search", word("search")},
                     {"word:none", word("none")},
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
