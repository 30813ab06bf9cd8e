// A cell whose filter comes from outside: {"kind": "library", "path": ...}, {"kind": "command",
// "command": [...]}, or the name of a filter that this program brings
// (experiments/cells/own_filters.hpp); see docs/foreign_filters.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cells/cell.hpp"
#include "experiments/cells/own_filters.hpp"
#include "foreign/target.hpp"
#include "record/json_view.hpp"

namespace bloomlab::experiments {

/// Whether a filter of this kind is none of the catalogue's: from outside or the program's own; and
/// whether the object of a config is one.
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

/// Reads the object strictly into the cell. @return it as the cell's JSON has it
/// Throws record::InputError.
[[nodiscard]] record::Json resolve_foreign_filter(const record::JsonView& view, Cell& cell);

/// Whether the hash of a config is a program; and its object as a cell has it, but for probe and
/// reduction. Throws record::InputError.
[[nodiscard]] bool is_foreign_hash(const record::Json& hash);
[[nodiscard]] record::Json read_foreign_hash(const record::ObjectReader& reader);

/// Refuses what cannot be started, before anything runs. Throws record::InputError.
void check_foreign_filter(const record::JsonView& view, const Cell& cell);
void check_foreign_hash(const record::JsonView& view, const Cell& cell);

/// The object that names the filter or hash from outside in a resolved cell: its `filter`, or what
/// stands beside its `implementation` in the speed kinds, or beside its `hash` in `hash_quality`;
/// null where nothing is executed for it.
[[nodiscard]] const record::Json* foreign_object(const record::Json& cell);
/// What such an object names, as a person would type it.
[[nodiscard]] std::string foreign_text(const record::Json& object);

/// Whether it has such an object, or a filter that the program brings: such a filter may fail.
[[nodiscard]] bool has_foreign_part(const Cell& cell);
/// What the cell's filter or hash executes; nothing where they are ours.
[[nodiscard]] std::optional<foreign::Target> executed_by(const Cell& cell);
/// The same. Precondition: is_foreign(cell.filter), and it is no own filter.
[[nodiscard]] foreign::Target target_of(const Cell& cell);

/// The hash whose digests an own filter takes, as its cell has it.
[[nodiscard]] std::string hash_of_own_filter(const record::Json& cell);

/// The kinds of filters that are none of the catalogue's.
[[nodiscard]] std::vector<std::string_view> foreign_kinds();

/// {"type": "object", ...} for the published schema: the shape of these kinds.
[[nodiscard]] record::Json foreign_filter_schema();

}  // namespace bloomlab::experiments
