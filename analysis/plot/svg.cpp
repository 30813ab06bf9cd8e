#include "analysis/plot/svg.hpp"

#include <algorithm>
#include <cstddef>

#include "analysis/plot/text.hpp"

namespace bloomlab::analysis::plot {
namespace {

/// At night the lightness is turned round and the hues stay; brighter, as pale colours end dark.
/// Readers without style sheets ignore it.
const std::string dark_style =
    "<style>@media (prefers-color-scheme:dark){svg{filter:invert(.9) hue-rotate(180deg) "
    "brightness(1.25)}}</style>\n";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// Puts `content` into the first <tag>...</tag>.
void replace_element(std::string& text, const std::string& tag, const std::string& content) {
  const std::string open = "<" + tag + ">";
  const std::size_t begin = text.find(open);
  const std::size_t end = text.find("</" + tag + ">", begin);
  if (begin == std::string::npos || end == std::string::npos) return;
  text.replace(begin + open.size(), end - begin - open.size(), content);
}

/// Drops "<g ...>" directly followed by "</g>" on the next line.
std::string without_empty_groups(const std::string& text) {
  constexpr std::string_view close = "</g>\n";
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const bool opens = text.compare(at, 3, "<g ") == 0;
    if (opens && text.compare(end, close.size(), close) == 0) {
      at = end + close.size();
      continue;
    }
    result.append(text, at, end - at);
    at = end;
  }
  return result;
}

}  // namespace

std::string finish_svg(std::string_view svg, const Figure& figure) {
  std::string text(svg);
  replace_element(text, "title", xml_text(figure.title));
  replace_element(text, "desc", xml_text(figure.caption));
  replace_all(text, "<defs>", dark_style + "<defs>");
  replace_all(text, " font-family=\"sans-serif\"", "");
  replace_all(text, "<g id=\"gnuplot_canvas\">",
              "<g font-family=\"Arial, Helvetica, 'Liberation Sans', sans-serif\">");
  for (const std::string id : {"gpPt", "gpDot", "gnuplot_plot_", "textbox", "greybox"}) {
    const std::string own = figure.name + "-" + id;
    replace_all(text, "id='" + id, "id='" + own);
    replace_all(text, "id=\"" + id, "id=\"" + own);
    replace_all(text, "'#" + id, "'#" + own);
  }
  return without_empty_groups(text);
}

}  // namespace bloomlab::analysis::plot
