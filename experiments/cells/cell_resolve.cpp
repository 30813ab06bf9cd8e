#include "experiments/cells/cell_resolve.hpp"

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "core/catalogue.hpp"
#include "experiments/cells/cell_hash.hpp"
#include "experiments/cells/cell_names.hpp"
#include "experiments/cells/cell_parts.hpp"
#include "record/filter_for_rate.hpp"
#include "record/grid.hpp"
#include "record/parameters_json.hpp"
#include "record/whole_blocks.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;
using record::JsonView;
using record::ObjectReader;

/// The name that the member `selector` of an object gives, among the names of a catalogue.
template <class List>
std::string selected(const JsonView& view, std::string_view selector, std::string_view what) {
  if (!view.json().is_object()) {
    view.refuse("found " + record::shown(view.json()) + "; expected an object with \"" +
                std::string(selector) + "\", the name of a " + std::string(what));
  }
  std::vector<std::string_view> keys = {selector};
  for (const auto& member : view.json().items()) keys.emplace_back(member.key());
  return std::string(ObjectReader(view, what, keys)
                         .at(selector, "name of a " + std::string(what))
                         .word(what, catalogue_names<List>()));
}

void read_keys(const JsonView& view, Cell& cell, Json& cell_json) {
  cell.source = selected<Sources>(view, "source", "key source");
  visit_name<Sources>(cell.source, [&]<class Source>(std::type_identity<Source>) {
    auto parameters = record::read_selected<Source>(view, "keys", "source");
    Json json = {{"source", Source::name}};
    record::write_parameters<Source>(parameters, json);
    cell_json["keys"] = json;
    if (Source::redraws_keys(parameters)) cell.redrawn.emplace_back("keys");
    record::resolve_paths<Source>(parameters, cell.folder);
    cell.key_parameters = std::move(parameters);
  });
}

/// The filter's object with m as an integer where it is written per key.
Json with_m_resolved(const JsonView& view, std::uint64_t n) {
  Json json = view.json();
  for (const auto& [key, member] : view.members()) {
    if (key != "m" || !member.json().is_object()) continue;
    constexpr std::array<std::string_view, 1> keys = {"per_n"};
    const double per_key = ObjectReader(member, "m", keys)
                               .at("per_n", "bits per key")
                               .real({.name = "per_n",
                                      .unit = "",
                                      .meaning = "",
                                      .max = static_cast<double>(max_filter_bits),
                                      .min_excluded = true});
    const std::uint64_t m = record::ceil_per_n(per_key, n);
    if (m > max_filter_bits) {
      member.refuse(record::shortest(per_key) + " bits for each of " + std::to_string(n) +
                    " keys are more than the largest filter, " + std::to_string(max_filter_bits) +
                    " bits");
    }
    json["m"] = m;
  }
  return json;
}

/// The filter's object with its parameters where it is written by its rate.
Json with_parameters(const JsonView& view, const std::string& kind, std::uint64_t n) {
  if (!view.json().contains("for_rate")) return with_m_resolved(view, n);
  constexpr std::array<std::string_view, 2> keys = {"kind", "for_rate"};
  const JsonView rate = ObjectReader(view, "a filter with for_rate", keys).at("for_rate", "");
  const double asked = rate.real({.name = "for_rate",
                                  .unit = "probability",
                                  .meaning = "",
                                  .min_excluded = true,
                                  .max_excluded = true});
  auto sized = record::filter_for_rate(kind, asked, n);
  if (!sized.fault.empty()) rate.refuse("for " + std::to_string(n) + " keys, " + sized.fault);
  return std::move(sized.filter);
}

/// Rounds m up to whole blocks, where that is what it lacks; `cell` keeps what it was.
template <class Filter>
void round_to_blocks(typename Filter::Parameters& parameters, Cell& cell) {
  if constexpr (requires { parameters.m; }) {
    if (!Filter::check(parameters)) return;
    const std::uint64_t block = record::block_bits<Filter>(parameters);
    auto rounded = parameters;
    rounded.m = (parameters.m + block - 1) / block * block;
    if (Filter::check(rounded)) return;  // has another fault, which is to be named
    cell.asked_bits = parameters.m;
    parameters = rounded;
  }
}

/// Whether the filter's m is written per key.
bool is_per_key(const Json& filter) { return filter.contains("m") && filter.at("m").is_object(); }

/// The cell's probe, or nothing where the filter chooses positions itself.
std::optional<Probe> probe_of(const Cell& cell) {
  if (cell.probe.empty()) return std::nullopt;
  return make_probe(cell.probe, cell.reduction);
}

template <class Filter>
void check_filter(const JsonView& view, const typename Filter::Parameters& parameters,
                  const Cell& cell) {
  std::optional<std::string> fault = Filter::check(parameters);
  if constexpr (requires(const Probe& probe) { Filter::check(parameters, probe); }) {
    if (const auto probe = probe_of(cell); probe && !fault) {
      fault = Filter::check(parameters, *probe);
    }
  }
  if (fault) view.refuse(*fault);
  constexpr std::uint64_t impossible = std::numeric_limits<std::uint64_t>::max();
  if (Filter::memory_bits(parameters, cell.n) == impossible) {
    view.refuse(cell.filter + ": cannot grow to n = " + std::to_string(cell.n) +
                " keys; choose a smaller n or a larger first layer");
  }
}

}  // namespace

const std::vector<std::string_view>& grid_keys() {
  static const std::vector<std::string_view> keys = {"keys", "n", "filter", "hash"};
  return keys;
}

Cell resolve_cell(const JsonView& point, const std::filesystem::path& folder) {
  const ObjectReader grid(point, "the grid", grid_keys());
  Cell cell;
  Json json;
  cell.folder = folder.string();
  read_keys(grid.at("keys", "the key source, an object"), cell, json);
  cell.n = grid.at("n", record::allowed(keys_field)).integer(keys_field);
  json["n"] = cell.n;

  const JsonView filter_view = grid.at("filter", "the filter, an object");
  if (is_foreign_filter(filter_view.json())) {
    json["filter"] = resolve_foreign_filter(filter_view, cell);
    if (grid.has("hash")) json["hash"] = read_unused_hash(grid.at("hash", ""));
    cell.set_json(json);
    return cell;
  }
  cell.filter = selected<Filters>(filter_view, "kind", "filter");
  const Json filter = with_parameters(filter_view, cell.filter, cell.n);
  const JsonView hash_view = grid.at("hash", "the hash, an object");
  visit_name<Filters>(cell.filter, [&]<class Filter>(std::type_identity<Filter>) {
    const JsonView resolved = filter_view.with(filter);
    auto parameters = record::read_selected<Filter>(resolved, "the filter", "kind");
    if (is_per_key(filter_view.json())) round_to_blocks<Filter>(parameters, cell);
    json["filter"] = {{"kind", Filter::name}};
    record::write_parameters<Filter>(parameters, json["filter"]);
    json["hash"] = read_hash(
        hash_view, Filter::chooses_positions ? Positions::by_filter : Positions::by_probe, cell);
    check_filter<Filter>(resolved, parameters, cell);
    cell.filter_parameters = parameters;
  });
  check_key_width(grid.at("keys", ""), cell);
  cell.set_json(json);
  return cell;
}

}  // namespace bloomlab::experiments
