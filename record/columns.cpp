#include "record/columns.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <list>
#include <optional>
#include <span>
#include <stdexcept>
#include <unordered_map>

#include "record/cell_seed.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::record {
namespace {

constexpr std::uint64_t largest_number = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t most_rows = 100'000'000;
constexpr std::uint64_t most_unlisted_rows = 100'000;
constexpr std::array<std::string_view, 10> cell_keys = {
    "cell", "group", "redrawn", "trials", "steps", "trial", "step", "seed", "measured", "timing"};
constexpr std::array<std::string_view, 3> redrawn_words = {"keys", "hash_seed", "simulations"};

using Rows = std::span<const Observation>;

/// The seeds that trials of a cell have by its config.
class Seeds {
 public:
  Seeds(const Json& config, const Json& cell) {
    const auto seed = config.find("seed");
    if (seed == config.end() || !seed->is_number_unsigned()) return;
    seed_ = seed->get<std::uint64_t>();
    std::vector<std::string> shared;
    if (const auto listed = config.find("shared_across"); listed != config.end()) {
      for (const Json& pointer : *listed) {
        if (pointer.is_string()) shared.push_back(pointer.get<std::string>());
      }
    }
    text_ = seed_text_of(cell, shared);
  }

  [[nodiscard]] std::optional<std::uint64_t> operator()(std::uint64_t trial) {
    if (!seed_) return std::nullopt;
    if (!last_ || last_->first != trial) last_ = {trial, trial_seed(*seed_, text_, trial)};
    return last_->second;
  }

 private:
  std::optional<std::uint64_t> seed_;
  std::string text_;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> last_;
};

/// A column that is being written: where each row's value stands, nothing where a row has none.
using RowValues = std::vector<const Json*>;

/// The columns of a part of all rows, in an order that fits every row. Linear in what the rows
/// hold: neither a name nor a member is looked for among the others.
std::list<std::pair<std::string, RowValues>> columns_in(Rows rows, Json Observation::*part) {
  std::list<std::pair<std::string, RowValues>> columns;
  std::unordered_map<std::string_view, decltype(columns)::iterator> known;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto place = columns.begin();
    for (const auto& [name, value] : (rows[i].*part).items()) {
      auto found = known.find(name);
      if (found == known.end()) {
        const auto added = columns.emplace(place, name, RowValues(rows.size(), nullptr));
        found = known.emplace(added->first, added).first;
      }
      found->second->second[i] = &value;
      place = std::next(found->second);
    }
  }
  return columns;
}

/// A list with one entry where all are equal.
Json folded(const RowValues& column) {
  const auto value_of = [](const Json* value) { return value == nullptr ? Json() : *value; };
  const bool same = std::all_of(column.begin(), column.end(), [&](const Json* value) {
    if (value == nullptr || column.front() == nullptr) {
      return value_of(value) == value_of(column.front());
    }
    return *value == *column.front();
  });
  Json list = Json::array();
  for (const Json* value : same ? RowValues{column.front()} : column) {
    list.push_back(value_of(value));
  }
  return list;
}

Json part_as_columns(Rows rows, Json Observation::*part) {
  Json columns = Json::object();
  auto& members = columns.get_ref<Json::object_t&>();
  for (const auto& [name, column] : columns_in(rows, part)) {
    members.emplace_back(name, folded(column));
  }
  return columns;
}

std::uint64_t step_of(const Observation& row) { return row.step.value_or(0); }

/// Where the i-th row of a cell stands when trials follow each other, each with all its steps.
struct Place {
  std::uint64_t trial = 0;
  std::optional<std::uint64_t> step;
};
Place natural_place(std::uint64_t i, std::uint64_t steps) {
  if (steps == 0) return {i, std::nullopt};
  return {i / steps, i % steps + 1};
}

void add_places(Json& entry, Rows rows) {
  const std::uint64_t steps = step_of(rows.back());
  const bool natural = [&] {
    if (steps > 0 && rows.size() % steps != 0) return false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Place place = natural_place(i, steps);
      if (rows[i].trial != place.trial || rows[i].step != place.step) return false;
    }
    return true;
  }();
  if (natural) {
    entry["trials"] = rows.back().trial + 1;
    if (steps > 0) entry["steps"] = steps;
    return;
  }
  Json trials = Json::array();
  Json listed = Json::array();
  for (const Observation& row : rows) {
    trials.push_back(row.trial);
    listed.push_back(row.step ? Json(*row.step) : Json());
  }
  entry["trial"] = std::move(trials);
  if (rows.front().step) entry["step"] = std::move(listed);
}

void add_seeds(Json& entry, Rows rows, const Json& config) {
  Seeds seeds(config, rows.front().cell);
  Json listed = Json::array();
  bool derived = true;
  for (const Observation& row : rows) {
    derived = derived && seeds(row.trial) == row.seed;
    listed.push_back(row.seed);
  }
  if (!derived) entry["seed"] = std::move(listed);
}

/// Whether a config says how many rows a cell has that its entry does not list one by one.
bool says_rows(const Json& config, bool with_steps) {
  const auto says = [&](std::string_view key) {
    const auto member = config.find(key);
    return member != config.end() && member->is_number_unsigned();
  };
  return says("trials") && (!with_steps || says("steps"));
}

std::size_t longest_list(const Json& columns) {
  std::size_t longest = 0;
  for (const Json& column : columns) {
    if (column.is_array()) longest = std::max(longest, column.size());
  }
  return longest;
}

/// A reader makes rows that are all alike only as far as the config says that they are there:
/// beyond, the entry lists their seeds, which are many as they are.
void list_rows(Json& entry, Rows rows, const Json& config) {
  const bool listed = rows.size() == 1 || entry.contains("trial") || entry.contains("seed") ||
                      longest_list(entry["measured"]) == rows.size() ||
                      longest_list(entry["timing"]) == rows.size();
  const bool said = rows.size() <= most_unlisted_rows && says_rows(config, entry.contains("steps"));
  if (listed || said) return;
  Json seeds = Json::array();
  for (const Observation& row : rows) seeds.push_back(row.seed);
  entry["seed"] = std::move(seeds);
}

Json entry_of(Rows rows, const Json& config) {
  const Observation& first = rows.front();
  Json entry = {{"cell", first.cell}, {"group", first.group}, {"redrawn", first.redrawn}};
  add_places(entry, rows);
  add_seeds(entry, rows, config);
  entry["measured"] = part_as_columns(rows, &Observation::measured);
  entry["timing"] = part_as_columns(rows, &Observation::timing);
  list_rows(entry, rows, config);
  return entry;
}

/// Whether a row belongs to the entry that `first` began.
bool belongs(const Observation& first, const Observation& row) {
  return row.group == first.group && row.redrawn == first.redrawn &&
         row.step.has_value() == first.step.has_value() && row.cell == first.cell;
}

/// A column of an entry that is being read.
class Column {
 public:
  Column(const JsonView& view, std::size_t rows) : entries_(&view.json()) {
    const std::size_t size = view.json().is_array() ? view.json().size() : 0;
    if (size != rows && size != 1) {
      view.refuse("found " +
                  (view.json().is_array() ? std::to_string(size) + " entries" : "no list") +
                  "; allowed: a list of " + std::to_string(rows) + ", or of one for all rows");
    }
  }
  [[nodiscard]] const Json& operator[](std::size_t row) const {
    return (*entries_)[entries_->size() == 1 ? 0 : row];
  }

 private:
  const Json* entries_;
};

std::vector<std::uint64_t> integers(const ObjectReader& reader, std::string_view key,
                                    std::uint64_t least) {
  std::vector<std::uint64_t> list;
  for (const JsonView& view : reader.at(key, "one a row").elements(key)) {
    list.push_back(view.integer({key, "", "of a row", least, largest_number}));
  }
  return list;
}

/// The trials or steps of a cell. Rows are made of them, so that they are held against the config
/// before: a file of a few bytes would else fill the memory.
std::uint64_t count_at(const ObjectReader& reader, std::string_view key, const Json& config) {
  const JsonView view = reader.at(key, "rows of the cell");
  const std::uint64_t count = view.integer({key, "", "rows of the cell", 1, most_rows});
  const auto of_config = config.find(key);
  if (of_config != config.end() && of_config->is_number_unsigned() &&
      count > of_config->get<std::uint64_t>()) {
    view.refuse("found " + std::to_string(count) + " and its config has " + of_config->dump() +
                "; run the config again");
  }
  return count;
}

/// The rows of a cell are held against what the file itself lists before they are made: a list with
/// an entry for each, or a config that says how many there are.
void require_listed(const ObjectReader& reader, std::uint64_t count, const Json& config) {
  std::size_t longest = 1;
  for (const std::string_view part : {"measured", "timing"}) {
    if (!reader.has(part)) continue;
    const JsonView columns = reader.at(part, "");
    if (columns.json().is_object()) longest = std::max(longest, longest_list(columns.json()));
  }
  if (reader.has("seed") && reader.at("seed", "").json().is_array()) {
    longest = std::max(longest, reader.at("seed", "").json().size());
  }
  if (count <= longest) return;
  const bool said = says_rows(config, reader.has("steps"));
  if (said && count <= most_unlisted_rows) return;
  std::string fault = "found " + std::to_string(count) + " rows, and no column lists as many";
  if (said) {
    fault += "; without one at most " + std::to_string(most_unlisted_rows) + " are allowed";
  } else {
    fault += reader.has("steps") ? ", nor has its config \"trials\" and \"steps\""
                                 : ", nor has its config \"trials\"";
  }
  reader.at("trials", "").refuse(fault + "; run the config again");
}

std::vector<Observation> places_of(const ObjectReader& reader, const Json& config) {
  std::vector<Observation> rows;
  if (reader.has("trials")) {
    const std::uint64_t steps = reader.has("steps") ? count_at(reader, "steps", config) : 0;
    const std::uint64_t trials = count_at(reader, "trials", config);
    if (trials * std::max<std::uint64_t>(steps, 1) > most_rows) {
      reader.at("trials", "").refuse("more than " + std::to_string(most_rows) + " rows");
    }
    const std::uint64_t count = trials * std::max<std::uint64_t>(steps, 1);
    require_listed(reader, count, config);
    rows.resize(count);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Place place = natural_place(i, steps);
      rows[i].trial = place.trial;
      rows[i].step = place.step;
    }
    return rows;
  }
  for (const std::uint64_t trial : integers(reader, "trial", 0)) rows.emplace_back().trial = trial;
  if (!reader.has("step")) return rows;
  const std::vector<std::uint64_t> steps = integers(reader, "step", 1);
  if (steps.size() != rows.size()) reader.at("step", "").refuse("not one for each trial");
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].step = steps[i];
  return rows;
}

void read_part(std::vector<Observation>& rows, const ObjectReader& reader, std::string_view key,
               Json Observation::*part) {
  static_cast<void>(reader.object(key, "columns over the rows"));
  const auto members = reader.at(key, "").members();
  for (Observation& row : rows) {
    row.*part = Json::object();
    (row.*part).get_ref<Json::object_t&>().reserve(members.size());
  }
  for (const auto& [name, member] : members) {
    const Column column(member, rows.size());
    // The names of an object differ, so that each is new to its row: no search for it.
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (column[i].is_null()) continue;
      (rows[i].*part).get_ref<Json::object_t&>().emplace_back(name, column[i]);
    }
  }
}

void read_seeds(std::vector<Observation>& rows, const ObjectReader& reader, const Json& config) {
  if (reader.has("seed")) {
    const std::vector<std::uint64_t> listed = integers(reader, "seed", 0);
    if (listed.size() != rows.size()) reader.at("seed", "").refuse("not one for each row");
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].seed = listed[i];
    return;
  }
  Seeds seeds(config, rows.front().cell);
  for (Observation& row : rows) row.seed = seeds(row.trial).value_or(0);
}

std::vector<Observation> rows_of(const JsonView& view, const Json& config) {
  const ObjectReader reader(view, "a cell", cell_keys);
  std::vector<Observation> rows = places_of(reader, config);
  if (rows.empty()) view.refuse("a cell without rows");
  const Json& cell = reader.object("cell", "the resolved cell");
  const std::string group = reader.at("group", "16 hex digits").text({"group", "16 hex digits"});
  const std::vector<std::string> redrawn = redrawn_in(reader);
  for (Observation& row : rows) {
    row.cell = cell;
    row.group = group;
    row.redrawn = redrawn;
  }
  read_seeds(rows, reader, config);
  read_part(rows, reader, "measured", &Observation::measured);
  read_part(rows, reader, "timing", &Observation::timing);
  return rows;
}

}  // namespace

std::vector<std::string> redrawn_in(const ObjectReader& reader) {
  std::vector<std::string> redrawn;
  for (const JsonView& word :
       reader.at("redrawn", "what the trial drew anew").elements("redrawn")) {
    redrawn.emplace_back(word.word("word of redrawn", redrawn_words));
  }
  return redrawn;
}

void for_each_entry(const std::vector<Observation>& observations, const Json& config,
                    const std::function<void(const Json&)>& use) {
  for (std::size_t begin = 0; begin < observations.size();) {
    std::size_t end = begin + 1;
    while (end < observations.size() && belongs(observations[begin], observations[end])) ++end;
    use(entry_of(Rows(observations).subspan(begin, end - begin), config));
    begin = end;
  }
}

std::vector<Observation> observations_of(const Json& entry, std::size_t number,
                                         const Origin& origin, const Json& config) {
  return rows_of(JsonView(entry, origin, pointer_to("/cells", number)), config);
}

}  // namespace bloomlab::record
