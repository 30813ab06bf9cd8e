// What a section of the report can show: texts by the names of their tags, tables and figures.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "analysis/plot/figure.hpp"
#include "analysis/tables/table.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis {

/// Gives a text piece by piece, as often as it is called: that of a large result is never in memory
/// as a whole.
using GiveText = std::function<void(const std::function<void(std::string_view)>& use)>;

/// A text that is there.
[[nodiscard]] GiveText given(std::string text);
[[nodiscard]] std::string whole_text(const GiveText& give);

/// A table is asked for by the tag "table:NAME", a figure by "figure:NAME".
struct Content {
  Tags values = {};
  std::vector<Table> tables = {};
  std::vector<plot::Figure> figures = {};
  /// Tables for programs, by name. Those of the experiment are made of it when they are written.
  std::map<std::string, GiveText> csv = {};
  /// Figures that stand together where the tag of one stands: their names by that tag's.
  std::map<std::string, std::vector<std::string>> parts = {};

  /// Takes over everything of `other`. Throws std::logic_error where a name is there already.
  void add(Content other);
};

}  // namespace bloomlab::analysis
