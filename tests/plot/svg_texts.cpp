#include "svg_texts.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>

#include "analysis/plot/text.hpp"

namespace {

using bloomlab::analysis::plot::text_width;
using bloomlab::analysis::plot::Weight;

// Of the font's size: the highest letter and the deepest tail of DejaVu Sans, which has the longer.
constexpr double rise = 0.76;
constexpr double tail = 0.24;

std::string plain(std::string text) {
  const std::vector<std::pair<std::string, std::string>> entities = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};
  for (const auto& [from, to] : entities) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

double number_in(const std::string& text, const std::string& before, double otherwise) {
  const auto at = text.find(before);
  return at == std::string::npos ? otherwise : std::atof(text.c_str() + at + before.size());
}

/// Adds the pieces of a <text> whose baseline begins at (0, 0); returns their width.
double lay_pieces(const std::string& content, double size, SvgText& text) {
  static const std::regex piece("<tspan([^>]*)>([^<]*)</tspan>");
  double width = 0;
  double baseline = 0;
  for (std::sregex_iterator at(content.begin(), content.end(), piece), end; at != end; ++at) {
    const std::string attributes = (*at)[1];
    const std::string words = plain((*at)[2]);
    const double own = number_in(attributes, "font-size=\"", size);
    baseline += number_in(attributes, "dy=\"", 0);
    if (words.empty()) continue;
    const bool bold = attributes.find("bold") != std::string::npos;
    width += text_width(words, own, bold ? Weight::bold : Weight::regular);
    text.text += words;
    text.top = std::min(text.top, baseline - rise * own);
    text.bottom = std::max(text.bottom, baseline + tail * own);
  }
  return width;
}

bool touch(const SvgText& one, const SvgText& other) {
  constexpr double rounding = 0.5;
  return one.left < other.right - rounding && other.left < one.right - rounding &&
         one.top < other.bottom - rounding && other.top < one.bottom - rounding;
}

/// The symbols, as texts without words; the white rings around them are none.
std::vector<SvgText> svg_symbols(const std::string& svg) {
  static const std::regex placed(
      "<use [^>]*translate\\(([-0-9.]+),([-0-9.]+)\\) scale\\(([0-9.]+)\\)' color='rgb");
  std::vector<SvgText> symbols;
  for (std::sregex_iterator at(svg.begin(), svg.end(), placed), end; at != end; ++at) {
    const double across = std::stod((*at)[1]);
    const double down = std::stod((*at)[2]);
    const double radius = std::stod((*at)[3]);
    symbols.push_back({"", across - radius, across + radius, down - radius, down + radius});
  }
  return symbols;
}

/// Whether the words can be read: as one text, or as a group and a name with a comma between.
bool can_be_read(const std::string& words, const std::set<std::string>& shown) {
  if (shown.contains(words)) return true;
  for (auto at = words.find(", "); at != std::string::npos; at = words.find(", ", at + 1)) {
    if (shown.contains(words.substr(0, at)) && shown.contains(words.substr(at + 2))) return true;
  }
  return false;
}

}  // namespace

std::vector<SvgText> svg_texts(const std::string& svg) {
  static const std::regex placed(
      "translate\\(([-0-9.]+),([-0-9.]+)\\)\"[^>]*font-size=\"([0-9.]+)\"[^>]*text-anchor=\"(\\w+)"
      "\">"
      "\\s*<text>(.*)</text>");
  std::vector<SvgText> texts;
  for (std::sregex_iterator at(svg.begin(), svg.end(), placed), end; at != end; ++at) {
    SvgText text;
    const double width = lay_pieces((*at)[5], std::stod((*at)[3]), text);
    if (text.text.empty()) continue;
    const std::string anchor = (*at)[4];
    const double before = anchor == "start" ? 0 : anchor == "end" ? width : width / 2;
    text.left = std::stod((*at)[1]) - before;
    text.right = text.left + width;
    text.top += std::stod((*at)[2]);
    text.bottom += std::stod((*at)[2]);
    texts.push_back(text);
  }
  return texts;
}

std::vector<std::string> text_faults(const std::string& svg) {
  const double width = number_in(svg, " width=\"", 0);
  const double height = number_in(svg, " height=\"", 0);
  const std::vector<SvgText> texts = svg_texts(svg);
  const std::vector<SvgText> symbols = svg_symbols(svg);
  std::vector<std::string> faults;
  std::set<std::string> shown;
  for (auto text = texts.begin(); text != texts.end(); ++text) {
    shown.insert(text->text);
    if (text->left < 0 || text->right > width || text->top < 0 || text->bottom > height) {
      faults.push_back("\"" + text->text + "\" leaves the picture");
    }
    if (std::any_of(symbols.begin(), symbols.end(),
                    [&](const SvgText& symbol) { return touch(*text, symbol); })) {
      faults.push_back("\"" + text->text + "\" covers a symbol");
    }
    for (auto other = texts.begin(); other != text; ++other) {
      if (touch(*text, *other)) {
        faults.push_back("\"" + other->text + "\" and \"" + text->text + "\" touch");
      }
    }
  }
  static const std::regex series("gnuplot_plot_[^>]*><title>([^<]*)</title>");
  std::set<std::string> unread;
  for (std::sregex_iterator at(svg.begin(), svg.end(), series), end; at != end; ++at) {
    const std::string words = plain((*at)[1]);
    if (!can_be_read(words, shown) && unread.insert(words).second) {
      faults.push_back("\"" + words + "\" is drawn but not named");
    }
  }
  return faults;
}
