#include "analysis/data/measurement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/catalogue.hpp"
#include "core/parameters.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::analysis {

namespace {

[[noreturn]] void fail(const std::string& where, const std::string& fault) {
  throw record::InputError(where + ": " + fault + "; measure again with `bloomlab run --force`");
}

std::uint64_t count_in(const Json& measured, const char* key, const std::string& where) {
  const auto found = measured.find(key);
  if (found == measured.end()) fail(where + "/measured", std::string("no \"") + key + "\"");
  const auto count = as_count(*found);
  if (!count) {
    fail(where + "/measured/" + key, "found " + found->dump() + ", allowed: a whole number >= 0");
  }
  return *count;
}

double rate_in(const Json& measured, const char* key, const std::string& where) {
  const auto found = measured.find(key);
  if (found == measured.end()) fail(where + "/measured", std::string("no \"") + key + "\"");
  const double rate = found->is_number() ? found->get<double>() : unknown;
  if (!(rate >= 0 && rate <= 1)) {
    fail(where + "/measured/" + key, "found " + found->dump() + ", allowed: a number from 0 to 1");
  }
  return rate;
}

/// The bits of a filter that shows them; one from outside does not.
void read_bits(const Json& measured, const std::string& where, Eigen::Index i, Trials& trials) {
  trials[Trials::bits][i] = trials[Trials::bits_set][i] = trials[Trials::layers][i] = 0;
  trials.conditional_rate[i] = unknown;
  if (measured.contains("implementation") && !measured.contains("bits")) return;
  trials[Trials::bits][i] = count_in(measured, "bits", where);
  trials[Trials::bits_set][i] = count_in(measured, "bits_set", where);
  trials[Trials::layers][i] = count_in(measured, "layers", where);
  trials.conditional_rate[i] = rate_in(measured, "conditional_rate", where);
  if (trials[Trials::bits][i] == 0 || trials[Trials::bits_set][i] > trials[Trials::bits][i]) {
    fail(where + "/measured/bits_set", std::to_string(trials[Trials::bits_set][i]) +
                                           " set bits of " +
                                           std::to_string(trials[Trials::bits][i]) + " cannot be");
  }
}

/// Reads trial `i`; those before it are there.
void read_trial(const record::Observation& observation, const std::string& where, Eigen::Index i,
                Trials& trials) {
  const Json& measured = observation.measured;
  const auto count = [&](const char* key) { return count_in(measured, key, where); };
  const std::uint64_t denied = count("false_negatives");
  const std::uint64_t refused = measured.contains("refused") ? count("refused") : 0;
  trials[Trials::number][i] = observation.trial;
  trials[Trials::true_positives][i] = count("true_positives");
  trials[Trials::false_positives][i] = count("false_positives");
  trials[Trials::true_negatives][i] = count("true_negatives");
  trials[Trials::false_negatives][i] = denied - std::min(denied, refused);
  trials[Trials::inserted][i] = count("inserted");
  trials[Trials::memory_bits][i] = count("memory_bits");
  read_bits(measured, where, i, trials);
  trials.set_stopped_by(i, measured.value("stopped_by", ""));
  const std::uint64_t inserted = trials[Trials::inserted][i];
  const std::uint64_t found = trials[Trials::true_positives][i];
  if (trials[Trials::false_positives][i] + trials[Trials::true_negatives][i] == 0) {
    fail(where + "/measured", "no absent key was queried");
  }
  if (found > inserted || denied != inserted - found) {
    fail(where + "/measured", std::to_string(found) + " inserted keys reported and " +
                                  std::to_string(denied) + " denied are not the " +
                                  std::to_string(inserted) + " inserted");
  }
}

/// Whether trial `i` goes together with those before it.
void check_trial(const Trials& trials, Eigen::Index i, const std::string& where) {
  if ((trials[Trials::number].head(i) == trials[Trials::number][i]).any()) {
    fail(where,
         "trial " + std::to_string(trials[Trials::number][i]) + " of this cell is there twice");
  }
  if (trials[Trials::inserted][0] != trials[Trials::inserted][i]) {
    fail(where + "/measured/inserted",
         std::to_string(trials[Trials::inserted][i]) + " keys here, " +
             std::to_string(trials[Trials::inserted][0]) + " in another trial of this cell");
  }
  const auto queries = [&](Eigen::Index at) {
    return trials[Trials::false_positives][at] + trials[Trials::true_negatives][at];
  };
  if (trials.stopped_by(i).empty() && queries(0) != queries(i)) {
    fail(where + "/measured", std::to_string(queries(i)) + " absent keys queried here, " +
                                  std::to_string(queries(0)) + " in another trial of this cell");
  }
}

Trials read_trials(const std::vector<const record::Observation*>& observations,
                   const std::string& where) {
  Trials trials(static_cast<Eigen::Index>(observations.size()));
  const std::string cell = observations.front()->cell.dump();
  for (Eigen::Index i = 0; i < trials.size(); ++i) {
    const record::Observation& observation = *observations[static_cast<std::size_t>(i)];
    const std::string here = where + ": " + record::place_of(observation, cell) + ": ";
    read_trial(observation, here, i, trials);
    check_trial(trials, i, here);
  }
  return trials;
}

/// Finds the unit of a field in a filter's description of itself.
struct UnitFinder {
  std::string_view wanted;
  std::string unit = {};

  template <class Field, class Value>
  void operator()(const Field& field, Value& /*value*/) {
    if constexpr (requires { field.unit; }) {
      if (field.name == wanted && unit.empty()) unit = field.unit;
    }
  }
};

/// Paths in the order in which cells write them; a path that only later cells have comes after the
/// one it follows there.
std::vector<std::string> ordered_paths(std::span<const Measurement> measurements) {
  std::vector<std::string> paths;
  for (const Measurement& measurement : measurements) {
    auto place = paths.begin();
    const Json flat = flat_cell(measurement.cell());
    for (const auto& [path, value] : flat.items()) {
      const auto found = std::find(paths.begin(), paths.end(), path);
      place = found != paths.end() ? found + 1 : paths.insert(place, path) + 1;
    }
  }
  return paths;
}

/// A place in the cells, and which of its values each of them has.
struct Place {
  Axis axis;
  std::vector<std::uint32_t> value_of;  ///< of each measurement, a place in axis.values
};

/// Equal for numbers that are equal, whether they are written with a point or not.
std::string key_of(const Json& value) {
  constexpr double exact_up_to = 9007199254740992.0;  // 2^53
  const double number = value.is_number() ? value.get<double>() : unknown;
  return std::abs(number) <= exact_up_to ? Json(number).dump() : value.dump();
}

std::vector<Place> places_at(const std::vector<std::string>& paths,
                             std::span<const Measurement> measurements) {
  std::vector<Place> places;
  for (const std::string& path : paths) {
    places.push_back({.axis = {.path = path, .values = {}, .numeric = true}, .value_of = {}});
  }
  std::vector<std::map<std::string, std::uint32_t>> known(paths.size());
  for (const Measurement& measurement : measurements) {
    const Json cell = measurement.cell();
    for (std::size_t i = 0; i < places.size(); ++i) {
      Axis& axis = places[i].axis;
      const Json value = value_at(cell, axis.path);
      const auto [entry, is_new] =
          known[i].try_emplace(key_of(value), static_cast<std::uint32_t>(axis.values.size()));
      if (is_new) axis.values.push_back(value);
      axis.numeric = axis.numeric && (value.is_null() || value.is_number());
      places[i].value_of.push_back(entry->second);
    }
  }
  return places;
}

/// The places whose values differ, in the order in which cells write them.
std::vector<Place> varying_places(std::span<const Measurement> measurements) {
  std::vector<Place> places = places_at(ordered_paths(measurements), measurements);
  std::erase_if(places, [](const Place& place) { return place.axis.values.size() < 2; });
  return places;
}

/// Whether cells that are equal in `b` are so in `a`.
bool is_settled_by(const Place& a, const Place& b) {
  std::vector<std::optional<std::uint32_t>> value_for(b.axis.values.size());
  for (std::size_t i = 0; i < a.value_of.size(); ++i) {
    auto& value = value_for[b.value_of[i]];
    if (value && *value != a.value_of[i]) return false;
    value = a.value_of[i];
  }
  return true;
}

}  // namespace

std::optional<std::uint64_t> as_count(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0) return std::nullopt;
  return static_cast<std::uint64_t>(value.get<std::int64_t>());
}

std::string_view Trials::stopped_by(Eigen::Index trial) const {
  if (stopped_by_.empty()) return "";
  return stopped_by_[static_cast<std::size_t>(trial)];
}

void Trials::set_stopped_by(Eigen::Index trial, std::string why) {
  if (why.empty() && stopped_by_.empty()) return;
  stopped_by_.resize(static_cast<std::size_t>(size()));
  stopped_by_[static_cast<std::size_t>(trial)] = std::move(why);
}

Reals Trials::rates() const {
  const auto hits = (*this)[false_positives];
  Reals rates = hits.cast<double>() / queries().cast<double>();
  for (Eigen::Index i = 0; i < size(); ++i) {
    if (stopped_by(i) != "hits") continue;
    // Asked until a hit: Haldane's unbiased estimate (statistics/sequential.hpp).
    const auto asked = static_cast<double>(hits[i] + (*this)[true_negatives][i] - 1);
    rates[i] = asked > 0 ? static_cast<double>(hits[i] - 1) / asked : unknown;
  }
  return rates;
}

Ladder summed_up(std::span<const Rung> rungs) {
  Ladder ladder{.lowest_accepted = {}, .lowest_true = {}, .judged = !rungs.empty()};
  for (const auto& [name, rate, judged] : rungs) {
    if (judged.verdict == statistics::Verdict::undecided) ladder.open = true;
    if (judged.verdict != statistics::Verdict::accepted) continue;
    if (ladder.lowest_accepted.empty()) ladder.lowest_accepted = name;
    if (ladder.lowest_true.empty() && !judged.significantly_different) ladder.lowest_true = name;
  }
  return ladder;
}

bool Measurement::asked_equally() const {
  const Counts queries = trials.queries();
  for (Eigen::Index i = 0; i < trials.size(); ++i) {
    if (trials.stopped_by(i) == "hits") return false;
  }
  return (queries == queries[0]).all();
}

double Measurement::mean_fill() const {
  const Reals fills = trials.fills();
  return std::accumulate(fills.begin(), fills.end(), 0.0) / static_cast<double>(fills.size());
}

bool FlagCheck::as_expected() const {
  return unseen.empty() && std::all_of(flagged.begin(), flagged.end(), [](const FlaggedCell& flag) {
           return flag.expected.has_value();
         });
}

bool has_failed(const record::Observation& observation) {
  return observation.measured.contains("status") && !observation.measured.contains("inserted");
}

std::vector<Measurement> tabulate(const record::ResultFile& file, const std::string& where) {
  Tabulator tabulator(where);
  file.observations.for_each_cell([&](const auto& cell) { tabulator.add(cell); });
  return tabulator.take();
}

void Tabulator::add(std::span<const record::Observation> rows) {
  std::vector<const record::Observation*> cell;
  for (const record::Observation& row : rows) {
    if (!row.cell.contains("filter") || has_failed(row)) continue;
    if (!cell.empty() && cell.front()->cell != row.cell) {
      add_cell(cell);
      cell.clear();
    }
    cell.push_back(&row);
  }
  if (!cell.empty()) add_cell(cell);
}

void Tabulator::add_cell(const std::vector<const record::Observation*>& rows) {
  const record::Observation& first = *rows.front();
  const std::string text = first.cell.dump();
  if (!cells_.insert(record::sha256(text)).second) {
    fail(where_ + ": cell " + text, "this cell's observations stand apart");
  }
  std::vector<std::optional<std::uint64_t>> steps;  // in the order of their first rows
  std::map<std::optional<std::uint64_t>, std::vector<const record::Observation*>> trials;
  for (const record::Observation* row : rows) {
    auto& of_step = trials[row->step];
    if (of_step.empty()) steps.push_back(row->step);
    of_step.push_back(row);
  }
  const record::JsonText cell = first.cell;  // copied, it takes no more room than it needs
  for (const auto& step : steps) {
    const auto& of_step = trials.at(step);
    const std::vector<std::string>& drawn = of_step.front()->redrawn;
    const auto draws = [&](const char* what) {
      return std::find(drawn.begin(), drawn.end(), what) != drawn.end();
    };
    measurements_.push_back({.cell = cell,
                             .group = of_step.front()->group,
                             .step = step,
                             .redrawn = {.keys = draws("keys"), .hash_seed = draws("hash_seed")},
                             .trials = read_trials(of_step, where_),
                             .prediction = std::nullopt,
                             .estimate = std::nullopt});
  }
}

std::vector<Axis> axes_of(std::span<const Measurement> measurements) {
  std::vector<Axis> axes;
  for (Place& place : varying_places(measurements)) axes.push_back(std::move(place.axis));
  return axes;
}

std::vector<Axis> distinguishing_axes(std::span<const Measurement> measurements) {
  std::vector<Place> places = varying_places(measurements);
  for (std::size_t i = places.size(); i-- > 0;) {
    const bool settled = std::any_of(places.begin(), places.end(), [&](const Place& other) {
      return &other != &places[i] && is_settled_by(places[i], other);
    });
    if (settled) places.erase(places.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::vector<Axis> axes;
  for (Place& place : places) axes.push_back(std::move(place.axis));
  return axes;
}

Json as_one_value(const Json& value) {
  if (!value.is_array()) return value;
  std::string text;
  for (const Json& word : value) {
    if (!word.is_string()) return value;
    text += (text.empty() ? "" : " ") + word.get<std::string>();
  }
  return text;
}

Json flat_cell(const Json& cell) {
  Json kept = cell;
  for (const char* const part : {"filter", "hash"}) {
    if (!kept.contains(part) || !kept.at(part).is_object()) continue;
    Json& named = kept.at(part);
    for (const char* said : {"expected", "limits", "own"}) named.erase(said);
    for (const char* list : {"command", "files"}) {
      if (named.contains(list)) named[list] = as_one_value(named.at(list));
    }
  }
  return kept.flatten();
}

Json value_at(const Json& cell, const std::string& path) {
  const Json* const found = record::find_at(cell, path);
  return found != nullptr ? as_one_value(*found) : Json();
}

double number_at(const Json& cell, const std::string& path) {
  const Json value = value_at(cell, path);
  return value.is_number() ? value.get<double>() : unknown;
}

std::string word_at(const Json& cell, const std::string& path) {
  const Json value = value_at(cell, path);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string short_name(const std::string& path) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> names = {{
      {"/keys/source", "keys"},
      {"/filter/kind", "filter"},
      {"/hash/name", "hash"},
      {"/keys/seed", "key seed"},
  }};
  for (const auto& [known, name] : names) {
    if (path == known) return std::string(name);
  }
  return path.substr(path.rfind('/') + 1);
}

std::string unit_of(const std::string& path) {
  if (path == "/n") return "keys";
  constexpr std::string_view filter = "/filter/";
  if (!path.starts_with(filter)) return "";
  UnitFinder finder{.wanted = std::string_view(path).substr(filter.size())};
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    typename Filter::Parameters parameters{};
    Filter::describe(finder, parameters);
  });
  return finder.unit;
}

std::string value_text(const Json& value) {
  if (const auto count = as_count(value)) return grouped(*count);
  if (value.is_number()) return parameter_text(value.get<double>());
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "–" : value.dump();
}

std::string label_of(const Json& cell, std::span<const Axis> axes) {
  std::string label;
  for (const Axis& axis : axes) {
    const Json value = value_at(cell, axis.path);
    if (value.is_null()) continue;
    if (!label.empty()) label += ", ";
    if (value.is_number()) label += short_name(axis.path) + " = ";
    label += value_text(value);
  }
  return label;
}

bool settled_by(std::span<const Measurement> measurements, const std::string& a,
                const std::string& b) {
  const std::vector<Place> places = places_at({a, b}, measurements);
  return is_settled_by(places[0], places[1]);
}

}  // namespace bloomlab::analysis
