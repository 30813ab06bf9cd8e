#include "analysis/html/picture.hpp"

#include "analysis/plot/text.hpp"

namespace bloomlab::analysis::html {

namespace {

/// Drops the first attribute `name` of a tag, with its value in double quotes.
void drop_attribute(std::string& tag, const std::string& name) {
  const std::string start = name + "=\"";
  const std::size_t begin = tag.find(start);
  if (begin == std::string::npos) return;
  const std::size_t end = tag.find('"', begin + start.size());
  if (end != std::string::npos) tag.erase(begin, end + 1 - begin);
}

/// Drops the first <name>...</name>.
void drop_element(std::string& text, const std::string& name) {
  const std::string close = "</" + name + ">";
  const std::size_t begin = text.find("<" + name + ">");
  const std::size_t end = text.find(close, begin);
  if (begin == std::string::npos || end == std::string::npos) return;
  text.erase(begin, end + close.size() - begin);
}

/// Ids of a further copy of a picture get its number in front, and what refers to them too.
void number_ids(std::string& content, std::size_t copy) {
  const std::string number = std::to_string(copy + 1) + "-";
  for (const std::string start : {"id='", "id=\"", "href='#", "href=\"#", "url(#"}) {
    for (std::size_t at = content.find(start); at != std::string::npos;
         at = content.find(start, at)) {
      at += start.size();
      content.insert(at, "copy" + number);
    }
  }
}

}  // namespace

std::string inline_picture(std::string_view svg, std::string_view alternative, std::size_t copy) {
  constexpr std::string_view name = "<svg";
  const std::size_t begin = svg.find(name);
  const std::size_t tag_end = svg.find('>', begin);
  const std::size_t end = svg.rfind("</svg>");
  if (begin == std::string_view::npos || tag_end > end || end == std::string_view::npos) return "";
  std::string attributes(svg.substr(begin + name.size(), tag_end - begin - name.size()));
  drop_attribute(attributes, "xmlns:xlink");
  drop_attribute(attributes, "xmlns");
  std::string content(svg.substr(tag_end, end - tag_end));
  drop_element(content, "title");
  drop_element(content, "style");  // the page has a theme of its own
  if (copy > 0) number_ids(content, copy);
  std::string picture = "<svg role=\"img\" aria-label=\"";
  picture.append(plot::xml_text(alternative)).append("\"");
  return picture.append(attributes).append(content).append("</svg>");
}

}  // namespace bloomlab::analysis::html
