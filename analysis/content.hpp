// What a section of the report can show: texts by the names of their tags, tables and figures.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "analysis/plot/figure.hpp"
#include "analysis/tables/table.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis {

/// A table is asked for by the tag "table:NAME", a figure by "figure:NAME".
struct Content {
  Tags values = {};
  std::vector<Table> tables = {};
  std::vector<plot::Figure> figures = {};
  std::map<std::string, std::string> csv = {};  ///< tables for programs, by name
  /// Figures that stand together where the tag of one stands: their names by that tag's.
  std::map<std::string, std::vector<std::string>> parts = {};

  /// Takes over everything of `other`. Throws std::logic_error where a name is there already.
  void add(Content other);
};

}  // namespace bloomlab::analysis
