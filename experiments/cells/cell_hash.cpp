#include "experiments/cells/cell_hash.hpp"

#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/catalogue.hpp"
#include "experiments/cells/cell_names.hpp"
#include "experiments/cells/cell_parts.hpp"
#include "experiments/cells/foreign_cell.hpp"
#include "record/hashes.hpp"

namespace bloomlab::experiments {
namespace {

using record::JsonView;
using record::ObjectReader;

/// Width of the keys that probes with needs_identity mix themselves [bytes].
constexpr int bytes_of_a_mixed_key = 4;

std::string in_quotes(std::string_view text) {
  return std::string(1, '"').append(text).append(1, '"');
}

/// The keys that the object of a hash may have.
std::span<const std::string_view> keys_of(const JsonView& hash) {
  static constexpr std::array<std::string_view, 6> keys = {"name",    "probe", "reduction",
                                                           "command", "files", "limits"};
  return std::span(keys).first(is_foreign_hash(hash.json()) ? 6 : 3);
}

/// The names of a catalogue's types that satisfy a condition, quoted and separated by commas.
template <class List, class Condition>
std::string names_where(Condition condition) {
  std::string names;
  for_each_type<List>([&]<class T>(std::type_identity<T> type) {
    if (condition(type)) names += (names.empty() ? "" : ", ") + in_quotes(T::name);
  });
  return names;
}

void refuse_probe_keys(const JsonView& view, const Cell& cell) {
  for (const auto& [key, member] : view.members()) {
    if (key != "probe" && key != "reduction") continue;
    member.refuse("the filter " + in_quotes(cell.filter) +
                  " chooses its own positions and takes no " + key + "; remove the key");
  }
}

/// A member that names a type of the catalogue, or `fallback` where it is missing.
template <class List>
std::string name_at(const ObjectReader& reader, std::string_view key, std::string_view what,
                    std::string_view fallback) {
  if (!reader.has(key)) return std::string(fallback);
  return std::string(reader.at(key, "").word(what, catalogue_names<List>()));
}

void check_reduction(const ObjectReader& reader, const Cell& cell) {
  visit_name<HashingSchemes>(cell.probe, [&]<class Family>(std::type_identity<Family>) {
    const auto allows = []<class Reduction>(std::type_identity<Reduction>) {
      return Family::template allows<Reduction>;
    };
    visit_name<Reductions>(cell.reduction, [&](auto reduction) {
      if (allows(reduction)) return;
      const JsonView place = reader.has("reduction") ? reader.at("reduction", "") : reader.view();
      place.refuse("the probe " + in_quotes(cell.probe) + " does not take the reduction " +
                   in_quotes(cell.reduction) + "; allowed: " + names_where<Reductions>(allows));
    });
  });
}

/// `identity` and the probes that mix keys themselves belong to each other.
void check_identity(const JsonView& name, const Cell& cell) {
  const bool passes_through = record::make_hasher(cell.hash).passes_through();
  const bool wanted = make_probe(cell.probe, cell.reduction).needs_identity();
  if (wanted && !passes_through) {
    name.refuse("the probe " + in_quotes(cell.probe) + " mixes the keys itself; found the hash " +
                in_quotes(cell.hash) + ", write \"identity\"");
  }
  if (!wanted && passes_through) {
    const auto needs_identity = []<class Family>(std::type_identity<Family>) {
      return Family::needs_identity;
    };
    name.refuse(in_quotes(cell.hash) + " is no hash; it goes only with the probe " +
                names_where<HashingSchemes>(needs_identity) + ", not with " +
                in_quotes(cell.probe));
  }
}

}  // namespace

std::vector<std::string_view> names_in_configs() {
  std::vector<std::string_view> names = record::hash_names();
  names.push_back(record::command_hash);
  return names;
}

record::Json read_hash(const JsonView& view, Positions positions, Cell& cell) {
  const ObjectReader reader(view, "the hash", keys_of(view));
  const JsonView name = reader.at("name", "name of a hash");
  cell.hash = name.word("hash", names_in_configs());
  record::Json json = {{"name", cell.hash}};
  if (is_foreign_hash(view.json())) json = read_foreign_hash(reader);
  if (positions == Positions::by_filter) {
    refuse_probe_keys(view, cell);
    if (record::make_hasher(cell.hash).passes_through()) {
      name.refuse(in_quotes(cell.hash) + " is no hash; choose one that mixes the key");
    }
  } else {
    cell.probe = name_at<HashingSchemes>(reader, "probe", "probe", default_probe);
    cell.reduction = name_at<Reductions>(reader, "reduction", "reduction", default_reduction);
    json["probe"] = cell.probe;
    json["reduction"] = cell.reduction;
    check_reduction(reader, cell);
    check_identity(name, cell);
  }
  if (!record::make_hasher(cell.hash).passes_through()) cell.redrawn.emplace_back("hash_seed");
  return json;
}

record::Json read_unused_hash(const JsonView& view) {
  const ObjectReader reader(view, "the hash", keys_of(view));
  static_cast<void>(reader.at("name", "name of a hash").word("hash", names_in_configs()));
  return view.json();
}

void check_key_width(const JsonView& keys, const Cell& cell) {
  if (!record::make_hasher(cell.hash).passes_through()) return;
  visit_name<Sources>(cell.source, [&]<class Source>(std::type_identity<Source>) {
    if (Source::integer_bytes == bytes_of_a_mixed_key) return;
    const auto fits = []<class Other>(std::type_identity<Other>) {
      return Other::integer_bytes == bytes_of_a_mixed_key;
    };
    keys.refuse("the probe " + in_quotes(cell.probe) + " needs 32-bit integer keys, which " +
                in_quotes(cell.source) + " does not give; use " + names_where<Sources>(fits));
  });
}

}  // namespace bloomlab::experiments
