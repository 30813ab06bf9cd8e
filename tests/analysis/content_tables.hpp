// Finds a table in what a section shows.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "analysis/content.hpp"

/// The content's table of this name; a failed check where there is none.
inline const bloomlab::analysis::Table& table_called(const bloomlab::analysis::Content& content,
                                                     const std::string& name) {
  const auto found = std::find_if(content.tables.begin(), content.tables.end(),
                                  [&](const auto& table) { return table.name == name; });
  REQUIRE(found != content.tables.end());
  return *found;
}
