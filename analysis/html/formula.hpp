// Formulas of TeX as MathML, which browsers set by themselves. Converted by blahtexml (D. Harvey,
// G. Van Assche), a program of its own.
#pragma once

#include <string>
#include <string_view>

#include "analysis/text/template.hpp"

namespace bloomlab::analysis::html {

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
