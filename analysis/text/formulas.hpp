// Formulas in Markdown, as code hosts and MD4C read them: TeX between $ and $, or $$ and $$.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace bloomlab::analysis {

/// A formula of one line.
struct Formula {
  std::size_t begin = 0;  ///< of its first $ in the line
  std::size_t end = 0;    ///< behind its last $
  std::string_view tex;   ///< between them
  bool display = false;   ///< between $$
};

/// The formulas of a line of Markdown, in order. `\$` and what stands in code is none; a formula
/// that is not closed in its line is none.
[[nodiscard]] std::vector<Formula> formulas_in(std::string_view line);

}  // namespace bloomlab::analysis
