// A cell whose filter comes from outside: {"kind": "library", "path": ...} or {"kind": "command",
// "command": [...]}; see docs/foreign_filters.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "experiments/cell.hpp"
#include "foreign/target.hpp"
#include "record/json_view.hpp"

namespace bloomlab::experiments {

/// The kinds of filters from outside.
inline constexpr std::string_view library_kind = "library";
inline constexpr std::string_view command_kind = "command";

/// Whether a filter of this kind comes from outside, and whether the object of a config is one.
[[nodiscard]] bool is_foreign(std::string_view kind);
[[nodiscard]] bool is_foreign_filter(const record::Json& filter);

/// What stands for its type where a cell's filter is visited (cell_parts.hpp).
struct ForeignCell {
  static constexpr std::string_view name = "a filter from outside";
  struct Parameters {
    std::optional<double> bits_per_key = {};
    std::optional<double> fpr = {};
    bool is_command = false;
  };

  [[nodiscard]] static Parameters parameters_of(const record::Json& filter);
  /// A guess at what a key costs, in probes of a filter of the catalogue.
  [[nodiscard]] static int probes(const Parameters& p, std::uint64_t n);
  /// A guess at its memory; its limit holds in a process of its own.
  [[nodiscard]] static std::uint64_t memory_bits(const Parameters& p, std::uint64_t n);
};

/// Reads the object strictly into the cell. Throws record::InputError.
void resolve_foreign_filter(const record::JsonView& view, Cell& cell);

/// Refuses what cannot be started, before anything runs. Throws record::InputError.
void check_foreign_filter(const record::JsonView& view, const Cell& cell);

/// What the cell's filter executes. Precondition: is_foreign(cell.filter).
[[nodiscard]] foreign::Target target_of(const Cell& cell);

/// {"type": "object", ...} for the published schema: the shape of both kinds.
[[nodiscard]] record::Json foreign_filter_schema();

}  // namespace bloomlab::experiments
