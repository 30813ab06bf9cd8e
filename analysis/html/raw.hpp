// The parts of a page that Markdown alone does not give.
//
// Raw HTML: the few tags that the report itself writes, and nothing else. Titles, labels and
// reasons come from configs, which anybody may have written. A figure's SVG file as a part of the
// page. One entry of a table, with what is needed to put the rows in order. Formulas of TeX as
// MathML, which browsers set by themselves, converted by blahtexml (D. Harvey, G. Van Assche), a
// program of its own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/text/words.hpp"

namespace bloomlab::analysis::html {

/// Where raw HTML stands.
enum class Place {
  block,  ///< on lines of its own: <details>, <summary>, <br> and anchors are tags
  line,   ///< within a text: <br> and anchors are
};

/// `text` with those tags as they are, and every other one as the text that it is. An anchor is
/// written with its end, so that its own end tag is dropped.
[[nodiscard]] std::string known_tags(std::string_view text, Place place);

/// The id of `text` if it is an anchor and nothing else, as known_tags() writes it; else empty.
[[nodiscard]] std::string anchor_of(std::string_view text);

/// Whether a link may lead to `target`: within the page, to a file by a relative path, or into the
/// web. Every other scheme, such as javascript:, may not.
[[nodiscard]] bool is_safe_link(std::string_view target);

/// The element <svg> of an SVG file as HTML has it: without XML's declaration and namespaces, which
/// HTML knows by itself, and without the title, which browsers would show under the pointer
/// wherever it stands; `alternative` is what readers that speak say in its place.
/// Empty where the text holds no <svg>. `copy`: how often the page shows the picture already; ids
/// of copies differ.
[[nodiscard]] std::string inline_picture(std::string_view svg, std::string_view alternative,
                                         std::size_t copy = 0);

/// <td> around `content`; `lines` are what people see of it, at least one. Where the first shows a
/// number (shown_number()) that is not spelt in plain digits, data-v tells it. Numbers stand flush
/// right where the column does; an entry with a long line is marked, so that this one is broken.
[[nodiscard]] std::string table_entry(std::string_view content,
                                      const std::vector<std::string>& lines, bool flush_right);

/// <th> of a column around `content`.
[[nodiscard]] std::string heading_entry(std::string_view content, bool flush_right);

/// What became of a formula.
struct ConvertedFormula {
  std::string mathml;  ///< the element <math>; empty where there is a fault, or no converter
  std::string fault;   ///< in one line, what is wrong with the TeX
};

/// The formula as MathML; of a formula its `tex` and `display` count. Each is converted once.
/// Throws std::system_error where the system refuses to run the converter.
[[nodiscard]] ConvertedFormula converted(const Formula& formula);

/// Whether the converter is there. Without it a page shows formulas as their TeX.
[[nodiscard]] bool can_convert_formulas();

/// Checks the formulas of a page of Markdown, but for those in fenced blocks.
/// Throws record::InputError `PAGE: line N: formula "TEX": fault` for the first that is none.
void check_formulas(const std::string& page, std::string_view markdown);

}  // namespace bloomlab::analysis::html
