#include "analysis/html/blocks.hpp"

#include <md4c.h>

#include <array>
#include <map>
#include <new>
#include <utility>

#include "analysis/html/raw.hpp"
#include "analysis/text/utf8.hpp"

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
    if (picture != pictures_.end()) {
      block_.folds = true;
      block_.html += "<figure><div class=\"scroll\">" +
                     inline_picture(picture->second, alternative_, times_shown_[target]++) +
                     "</div></figure>";
    } else if (target.empty()) {
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

}  // namespace bloomlab::analysis::html
