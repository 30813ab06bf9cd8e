#include "analysis/html/formula.hpp"

#include <map>
#include <mutex>
#include <sstream>
#include <utility>

#include "analysis/plot/process.hpp"
#include "analysis/text/utf8.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis::html {

namespace {

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

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
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
