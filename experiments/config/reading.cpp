#include "experiments/config/reading.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "experiments/cells/cell_names.hpp"
#include "experiments/cells/cell_parts.hpp"
#include "experiments/config/cell_memory.hpp"
#include "experiments/config/checks.hpp"
#include "experiments/config/experiment_factory.hpp"
#include "experiments/config/keys.hpp"
#include "experiments/kinds/catalogue.hpp"
#include "record/cell_seed.hpp"
#include "record/filter_for_rate.hpp"
#include "record/grid.hpp"
#include "record/input_error.hpp"
#include "record/parameters_json.hpp"
#include "record/strict_json.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::experiments {
namespace {

using record::Choice;
using record::Json;
using record::JsonView;
using record::ObjectReader;

constexpr std::uintmax_t largest_config_bytes = std::uintmax_t{16} << 20;

/// The kind's name, looked at before the other keys: it decides which are known.
std::string kind_of(const JsonView& root) {
  if (!root.json().is_object()) {
    root.refuse("found " + record::shown(root.json()) + "; a config must be an object");
  }
  const ObjectReader any(root);
  const JsonView schema = any.at("$schema", "\"" + std::string(config_schema_name) + "\"");
  if (schema.json() != config_schema_name) {
    schema.refuse("found " + record::shown(schema.json()) + "; this program reads \"" +
                  std::string(config_schema_name) + "\"");
  }
  return std::string(any.at("kind", "name of an experiment kind")
                         .word("experiment kind", catalogue_names<Kinds>()));
}

/// The top-level keys that a config of this kind may have.
std::vector<std::string_view> known_keys(const std::string& kind) {
  std::vector<std::string_view> known = {"$schema", "kind"};
  const auto append = [&](const std::vector<std::string_view>& names) {
    known.insert(known.end(), names.begin(), names.end());
  };
  append(record::field_names<CommonKeys>());
  visit_name<Kinds>(
      kind, [&]<class Kind>(std::type_identity<Kind>) { append(record::field_names<Kind>()); });
  append({"page", "shared_across", "expected_flags", "grid"});
  return known;
}

std::vector<std::string> read_shared_across(const ObjectReader& reader) {
  std::vector<std::string> pointers;
  if (!reader.has("shared_across")) return pointers;
  for (const JsonView& entry : reader.at("shared_across", "").elements("shared_across")) {
    pointers.push_back(entry.text({"shared_across", "JSON pointer into a cell"}));
    if (pointers.back().front() != '/') {
      entry.refuse("found " + record::shown(entry.json()) +
                   "; a pointer into a cell starts with /, such as \"/filter/k\"");
    }
    if (pointers.back().find('~') != std::string::npos) {
      entry.refuse("found " + record::shown(entry.json()) +
                   "; no key of a cell holds a ~; write it like \"/filter/k\"");
    }
  }
  return pointers;
}

Config read_head(const JsonView& root) {
  Config config;
  config.kind = kind_of(root);
  const auto known = known_keys(config.kind);
  const ObjectReader reader(root, "a config", known);
  auto common = record::read_parameters<CommonKeys>(reader);
  config.title = std::move(common.title);
  config.question = std::move(common.question);
  config.seed = common.seed;
  config.trials = common.trials;
  config.experiment = make_experiment(config.kind, reader);
  if (const auto fault = config.experiment->check_trials(config.trials)) root.refuse(*fault);
  config.shared_across = read_shared_across(reader);
  config.expected_flags = record::read_expected_flags(reader);
  return config;
}

/// The parts of the grid, in written order, each with its choices.
class Grid {
 public:
  Grid(const JsonView& view, const std::vector<std::string_view>& keys) {
    // Only for its faults: unknown keys, before they count as axes.
    static_cast<void>(ObjectReader(view, "the grid", keys));
    const std::uint64_t count = record::count_choices(view);
    if (count > max_cells) {
      view.refuse("has more than " + std::to_string(max_cells) +
                  " cells; shorten an axis or split the config");
    }
    size_ = count;
    for (const auto& [key, part] : view.members()) parts_.emplace_back(key, record::choices(part));
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// The point of that number: the last part varies fastest.
  [[nodiscard]] Choice point(std::uint64_t number) const {
    Choice point{Json::object()};
    for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
      const Choice& choice = part->second[number % part->second.size()];
      number /= part->second.size();
      point.value[part->first] = choice.value;
      point.moved.insert(choice.moved.begin(), choice.moved.end());
    }
    return point;
  }

 private:
  std::vector<std::pair<std::string, std::vector<Choice>>> parts_;
  std::uint64_t size_ = 0;
};

/// Refuses more cells than memory holds, before any is made.
void require_room(const JsonView& grid, std::uint64_t cells, const Machine& machine) {
  constexpr std::uint64_t cell_bytes = 1024;  // .9 KiB were measured
  constexpr std::uint64_t few = 1000;
  if (cells <= std::max(few, machine.memory_bytes / cell_bytes)) return;
  grid.refuse("has " + std::to_string(cells) + " cells, which take " +
              iec_bytes(cells * cell_bytes) + " of memory; " + std::string(machine.bound_by) + " " +
              iec_bytes(machine.memory_bytes) + "; shorten an axis or split the config");
}

/// Filters that are not named take one rate: with two, those that no rate sizes would be equal.
void check_others(const JsonView& grid) {
  if (!grid.json().is_object()) return;
  for (const auto& [key, part] : grid.members()) {
    if (key != "filter" || !part.json().is_array()) continue;
    for (const JsonView& filter : part.elements(key)) {
      if (!record::stands_for_others(filter.json()) ||
          filter.json().value("for_rate", Json()).is_number()) {
        continue;
      }
      filter.refuse("found " + record::shown(filter.json()) +
                    "; the filters that are not named take one rate, such as {\"kind\": "
                    "\"others\", \"for_rate\": 0.01}");
    }
  }
}

/// Gives equal texts one place.
class SharedTexts {
 public:
  std::shared_ptr<const std::string> operator()(std::string text) {
    const auto found = known_.find(text);
    if (found != known_.end()) return found->second;
    auto shared = std::make_shared<const std::string>(std::move(text));
    return known_.emplace(*shared, shared).first->second;
  }

 private:
  std::map<std::string_view, std::shared_ptr<const std::string>> known_;
};

void read_cells(const JsonView& root, Config& config, const Machine& machine) {
  const JsonView written =
      ObjectReader(root, "a config", known_keys(config.kind)).at("grid", "the axes, an object");
  check_others(written);
  const Json all_filters = record::with_other_filters(written.json());
  const JsonView grid_view = written.with(all_filters);
  const Grid grid(grid_view, config.experiment->grid_keys());
  require_room(grid_view, grid.size(), machine);
  std::map<std::string_view, std::uint64_t> seen;  // texts of the cells
  SharedTexts seed_texts;
  config.cells.reserve(grid.size());
  for (std::uint64_t number = 0; number < grid.size(); ++number) {
    const Choice choice = grid.point(number);
    const record::Origin origin{config.path.string(), choice.moved};
    const JsonView point(choice.value, origin, grid_view.pointer());
    Cell cell = config.experiment->resolve(point, config.directory());
    cell.number = number;
    cell.set_seed_text(seed_texts(record::seed_text_of(cell.json(), config.shared_across)));
    const auto [same, is_new] = seen.emplace(cell.text(), number);
    if (!is_new) {
      grid_view.refuse("cells " + std::to_string(same->second) + " and " + std::to_string(number) +
                       " are equal, " + cell.text() + "; remove one of them");
    }
    check_cell(root, point, config, cell, machine);
    config.cells.push_back(std::move(cell));
  }
}

constexpr std::string_view page_ending = ".md";
constexpr std::uintmax_t largest_page_bytes = 1 << 20;

/// "mine.page.md" in another language: "mine.page.zh.md".
std::filesystem::path translated(std::filesystem::path page, std::string_view language) {
  return page.replace_extension(std::string(language) + std::string(page_ending));
}

std::string page_text(const std::filesystem::path& path) {
  std::string text = record::read_text(path, largest_page_bytes);
  if (const auto hidden = record::first_hidden(text)) {
    throw record::InputError(path.string() + ": holds " + *hidden + "; take it out");
  }
  return text;
}

/// The page that the config names, and those of its translations that are there, by file name.
std::map<std::string, std::string> read_pages(const JsonView& root, const Config& config) {
  std::map<std::string, std::string> pages;
  if (!root.json().contains("page")) return pages;
  const JsonView view = ObjectReader(root, "a config", known_keys(config.kind)).at("page", "");
  const std::filesystem::path named = view.text({"page", "file of the page"});
  if (named.extension() != page_ending || named.is_absolute()) {
    view.refuse("found " + record::shown(view.json()) +
                "; expected a file that ends in .md, seen from the folder of the config");
  }
  const std::filesystem::path page = config.directory() / named;
  try {
    pages[named.filename().string()] = page_text(page);
    for (const std::string_view language : {"zh", "ru"}) {
      const std::filesystem::path other = translated(page, language);
      if (std::filesystem::exists(other)) pages[other.filename().string()] = page_text(other);
    }
  } catch (const record::InputError& fault) {
    view.refuse(fault.what());
  }
  return pages;
}

}  // namespace

Config read_config(const std::filesystem::path& path, const Machine& machine) {
  if (const auto hidden = record::first_hidden(path.filename().string())) {
    throw record::InputError(path.string() + ": the file's name, which its result takes, holds " +
                             *hidden + "; rename the config");
  }
  const Json json = record::read_json(path, largest_config_bytes);
  Config config = config_of(json, path, machine);
  const record::Origin origin{path.string()};
  config.pages = read_pages(JsonView(json, origin), config);
  return config;
}

Config config_of(const Json& json, const std::filesystem::path& path, const Machine& machine) {
  const record::Origin origin{path.string()};
  const JsonView root(json, origin);
  Config config = read_head(root);
  config.path = path;
  config.json = json;
  read_cells(root, config, machine);
  check_shared_across(root, config);
  check_expected_flags(root, config);
  return config;
}

}  // namespace bloomlab::experiments
