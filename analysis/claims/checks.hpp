// The kinds of check. A kind is one small type in its own file and one line in the list
// (checks.cpp):
//   struct Arithmetic {
//     static constexpr std::string_view name = "arithmetic";
//     static constexpr std::string_view summary = ...;
//     static Check read(const record::JsonView& check, const ClaimText& claim);  // InputError
//   };
#pragma once

#include <span>
#include <string_view>

#include "analysis/claims/claim.hpp"
#include "record/json_view.hpp"

namespace bloomlab::analysis::claims {

/// Formulas over plain numbers alone.
struct Arithmetic {
  static constexpr std::string_view name = "arithmetic";
  static constexpr std::string_view summary = "a formula over plain numbers";
  static Check read(const record::JsonView& check, const ClaimText& claim);
};

/// Formulas that ask closed forms of the theory.
struct ClosedForm {
  static constexpr std::string_view name = "closed_form";
  static constexpr std::string_view summary = "a formula over closed forms of `bloomlab theory`";
  static Check read(const record::JsonView& check, const ClaimText& claim);
};

/// Many printed numbers at once.
struct PrintedTable {
  static constexpr std::string_view name = "table";
  static constexpr std::string_view summary = "many printed numbers against one formula";
  static Check read(const record::JsonView& check, const ClaimText& claim);
};

/// Cells of a result file: "config" names the file; "cells" gives parts of cells a name, in a table
/// with the columns' numbers as "$column"; or "each" goes through all cells that contain it, called
/// "cell" in formulas.
struct ExperimentCheck {
  static constexpr std::string_view name = "experiment";
  static constexpr std::string_view summary = "a formula over measured cells of a config's results";
  static Check read(const record::JsonView& check, const ClaimText& claim);
};

/// A named property (properties.hpp), seen on real filters in memory.
struct PropertyCheck {
  static constexpr std::string_view name = "property";
  static constexpr std::string_view summary = "a named property, seen on real filters in memory";
  static Check read(const record::JsonView& check, const ClaimText& claim);
};

/// Nothing can check it yet: "needs" says what would, and "config" may name the results that will.
struct OpenCheck {
  static constexpr std::string_view name = "open";
  static constexpr std::string_view summary = "its experiment does not exist yet";
  static Check read(const record::JsonView& check, const ClaimText& claim);
};

/// A remark, a wish or a name: "why" says what it is.
struct ListedCheck {
  static constexpr std::string_view name = "listed";
  static constexpr std::string_view summary = "a remark or a wish; there is nothing to judge";
  static Check read(const record::JsonView& check, const ClaimText& claim);
};

/// A kind of check with its type erased.
struct CheckKind {
  std::string_view name;
  std::string_view summary;
  Check (*read)(const record::JsonView& check, const ClaimText& claim);
};

/// Every kind, in the order of the documentation.
[[nodiscard]] std::span<const CheckKind> check_kinds();

}  // namespace bloomlab::analysis::claims
