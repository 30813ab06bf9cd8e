#include "analysis/html/raw.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <utility>

#include "analysis/plot/gnuplot.hpp"
#include "analysis/plot/text.hpp"
#include "analysis/tables/table.hpp"
#include "analysis/text/utf8.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis::html {

namespace {

constexpr std::string_view anchor_open = "<a id=\"";
constexpr std::string_view anchor_close = "\"></a>";

bool is_id_character(char character) {
  return is_letter_or_digit(character) ||
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

/// Longer lines are broken, in a column of a width to read in.
bool is_long(const std::string& line) {
  constexpr double font_size = 13;      // pixels
  constexpr double longest_line = 250;  // pixels
  return plot::text_width(line, font_size) > longest_line;
}

/// Digits with at most one point between them: what a script reads by itself.
bool is_plain(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view behind = text.substr(std::min(point + 1, text.size()));
  const auto all_digits = [&](std::string_view part) {
    return !part.empty() && part.find_first_not_of(digits) == std::string_view::npos;
  };
  return all_digits(whole) && (point == text.size() || all_digits(behind));
}

std::string spelt(double value) {
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return exact_text(value);
}

constexpr const char* converter = "blahtexml";
constexpr std::size_t npos = std::string_view::npos;

/// What stands between the first <name> and </name>, without line ends around it.
std::string element_of(std::string_view text, const std::string& name) {
  const std::string open = "<" + name + ">";
  const std::size_t begin = text.find(open);
  const std::size_t end = text.find("</" + name + ">", begin);
  if (begin == npos || end == npos) return "";
  std::string_view content = text.substr(begin + open.size(), end - begin - open.size());
  while (content.starts_with('\n')) content.remove_prefix(1);
  while (content.ends_with('\n')) content.remove_suffix(1);
  return std::string(content);
}

/// The element around the converter's markup; readers that speak, and copies, get the TeX.
std::string math_element(std::string markup, const Formula& formula) {
  replace_all(markup, ">-</mo>", ">\u2212</mo>");
  replace_all(markup, "<mspace width=\"0\"/>", "");
  std::string element = formula.display ? "<math display=\"block\"" : "<math";
  element.append(" alttext=\"").append(xml_text(formula.tex)).append("\"><mrow>");
  return element.append(markup).append("</mrow></math>");
}

ConvertedFormula convert(const Formula& formula) {
  const std::string style = formula.display ? "\\displaystyle " : "";
  const plot::Finished said =
      plot::run_program(converter, "--mathml", style + std::string(formula.tex) + "\n");
  if (!said.found) return {};
  const std::string markup = element_of(said.output, "markup");
  if (!markup.empty()) return {.mathml = math_element(markup, formula), .fault = {}};
  const std::string message = element_of(said.output, "message");
  return {.mathml = {}, .fault = message.empty() ? "it is empty" : message};
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
  picture.append(xml_text(alternative)).append("\"");
  return picture.append(attributes).append(content).append("</svg>");
}

std::string table_entry(std::string_view content, const std::vector<std::string>& lines,
                        bool flush_right) {
  std::string entry = "<td";
  if (flush_right) {
    entry += " class=\"n\"";
  } else if (std::any_of(lines.begin(), lines.end(), is_long)) {
    entry += " class=\"t\"";
  }
  const auto number = is_plain(lines.front()) ? std::nullopt : shown_number(lines.front());
  if (number) entry.append(" data-v=\"").append(spelt(*number)).append("\"");
  return entry.append(">").append(content).append("</td>");
}

std::string heading_entry(std::string_view content, bool flush_right) {
  std::string entry = flush_right ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">";
  return entry.append(content).append("</th>");
}

ConvertedFormula converted(const Formula& formula) {
  static std::mutex access;
  static std::map<std::pair<std::string, bool>, ConvertedFormula> known;
  const std::pair key(std::string(formula.tex), formula.display);
  {
    const std::scoped_lock lock(access);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  ConvertedFormula result = convert(formula);
  const std::scoped_lock lock(access);
  return known.emplace(key, std::move(result)).first->second;
}

bool can_convert_formulas() {
  const ConvertedFormula one = converted({.tex = "x"});
  return !one.mathml.empty();
}

void check_formulas(const std::string& page, std::string_view markdown) {
  std::istringstream in{std::string(markdown)};
  bool fenced = false;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with("```")) fenced = !fenced;
    if (fenced) continue;
    for (const Formula& formula : formulas_in(line)) {
      const std::string fault = converted(formula).fault;
      if (fault.empty()) continue;
      throw record::InputError(page + ": line " + std::to_string(number) + ": formula \"" +
                               std::string(formula.tex) + "\": " + fault);
    }
  }
}

}  // namespace bloomlab::analysis::html
