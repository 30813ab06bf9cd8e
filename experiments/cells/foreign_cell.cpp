#include "experiments/cells/foreign_cell.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <system_error>

#include "core/catalogue.hpp"
#include "core/parameters.hpp"
#include "experiments/cells/foreign_fields.hpp"
#include "experiments/cells/schema_axis.hpp"
#include "record/expected_model.hpp"
#include "record/grid.hpp"
#include "record/hashes.hpp"
#include "record/input_error.hpp"
#include "record/parameters_json.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;
using record::JsonView;
using record::ObjectReader;

constexpr std::array<std::string_view, 8> library_keys = {
    "kind", "path", "files", "bits_per_key", "fpr", "options", "expected", "limits"};
constexpr std::array<std::string_view, 8> command_keys = {
    "kind", "command", "files", "bits_per_key", "fpr", "options", "expected", "limits"};

constexpr std::array<std::string_view, 5> own_keys = {"kind", "bits_per_key", "fpr", "options",
                                                      "expected"};

constexpr RealField bits_per_key_field = {.name = "bits_per_key",
                                          .unit = "bits",
                                          .meaning = "memory to take",
                                          .max = 1e6,
                                          .min_excluded = true};
constexpr RealField fpr_field = {.name = "fpr",
                                 .unit = "probability",
                                 .meaning = "false-positive rate to keep at n keys",
                                 .min_excluded = true,
                                 .max_excluded = true};

/// The limits of a filter from outside, as a config writes them.
struct LimitFields {
  static constexpr std::string_view name = "limits";
  struct Parameters {
    double seconds = 0.0;
    std::uint64_t memory_mib = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(RealField{.name = "seconds",
                    .unit = "s",
                    .meaning = "for the start, and for the answer to each call",
                    .max = 86'400.0,
                    .min_excluded = true,
                    .fallback = foreign::Limits{}.seconds},
          p.seconds);
    visit(IntegerField{.name = "memory_mib",
                       .unit = "MiB",
                       .meaning = "memory of its process and all that it starts, together",
                       .min = 16,
                       .max = std::uint64_t{1} << 30,
                       .fallback = foreign::Limits{}.memory_mib},
          p.memory_mib);
  }
};

Json texts_of(const JsonView& view, const char* what) {
  Json texts = Json::array();
  for (const JsonView& entry : view.elements(what)) texts.push_back(entry.text({what, what}));
  if (texts.empty()) view.refuse("found []; expected at least one " + std::string(what));
  return texts;
}

Json command_of(const ObjectReader& reader) {
  return texts_of(reader.at("command", "the program and its arguments, a list of texts"), "word");
}

/// The limits, and whether the network is left.
Json limits_of(const JsonView& view) {
  constexpr std::array<std::string_view, 3> keys = {"seconds", "memory_mib", "network"};
  const ObjectReader reader(view, "limits", keys);
  const auto limits = record::read_parameters<LimitFields>(reader);
  Json json = Json::object();
  record::write_parameters<LimitFields>(limits, json);
  if (!reader.has("network")) return json;
  const JsonView network = reader.at("network", "");
  if (!network.json().is_boolean()) {
    network.refuse("found " + record::shown(network.json()) + "; allowed: true or false");
  }
  json["network"] = network.json();
  return json;
}

/// The number that the filter is told by `key`.
double told(const JsonView& view, const Json& filter, std::string_view word) {
  const std::string key(word);
  if (filter.contains(key)) return filter.at(key).get<double>();
  view.refuse("names " + key + ", which this filter is not given; give " + key +
              " beside expected");
}

/// A number of the closed form that follows from the cell: {"per_n": 10} is ceil(10 n), {"per_n":
/// "bits_per_key"} takes what the filter is told, and so does {"same_as": "fpr"}.
Json number_of(const JsonView& view, const std::string& key, const Cell& cell, const Json& filter) {
  constexpr std::array<std::string_view, 2> keys = {"per_n", "same_as"};
  constexpr std::array<std::string_view, 1> per_key_words = {"bits_per_key"};
  constexpr std::array<std::string_view, 2> told_words = {"bits_per_key", "fpr"};
  const ObjectReader reader(view, key, keys);
  if (reader.has("same_as")) {
    if (reader.has("per_n")) view.refuse("has per_n and same_as; give one of them");
    const JsonView word = reader.at("same_as", "");
    return told(word, filter, word.word("same_as", told_words));
  }
  const JsonView per_n = reader.at("per_n", "a number per key, or \"bits_per_key\"");
  const double per_key =
      per_n.json().is_string()
          ? told(per_n, filter, per_n.word("per_n", per_key_words))
          : per_n.real(
                {.name = "per_n", .unit = "", .meaning = "", .max = 1e6, .min_excluded = true});
  return record::ceil_per_n(per_key, cell.n);
}

/// The closed form with its numbers.
Json expected_of(const JsonView& view, const Cell& cell, const Json& filter) {
  Json expected = view.json();
  for (const auto& [key, member] : view.members()) {
    if (member.json().is_object()) expected[key] = number_of(member, key, cell, filter);
  }
  const auto fault = record::expected_fault(expected, cell.n);
  if (!fault.empty()) view.refuse(fault);
  return expected;
}

void resolve_sizes(const ObjectReader& reader, Json& filter) {
  for (const RealField& field : {bits_per_key_field, fpr_field}) {
    if (!reader.has(field.name)) continue;
    filter[std::string(field.name)] = reader.at(field.name, "").real(field);
  }
}

/// What the object of a filter or hash names.
foreign::Target target_in(const Json& object, const std::filesystem::path& folder) {
  foreign::Target target;
  target.folder = folder.empty() ? "." : folder;
  if (object.contains("path")) target.library = object.at("path").get<std::string>();
  if (object.contains("command")) {
    target.command = object.at("command").get<std::vector<std::string>>();
  }
  if (object.contains("files")) target.files = object.at("files").get<std::vector<std::string>>();
  target.options = object.value("options", Json::object());
  if (object.contains("limits")) {
    const Json& limits = object.at("limits");
    target.limits = {.seconds = limits.at("seconds").get<double>(),
                     .memory_mib = limits.at("memory_mib").get<std::uint64_t>(),
                     .network = limits.value("network", false)};
  }
  return target;
}

/// Refuses what cannot be started.
void check_target(const JsonView& view, const foreign::Target& target) {
  std::string fault = foreign::fault_of(target);
  if (fault.empty()) {
    try {
      static_cast<void>(foreign::digest_of(target));
    } catch (const record::InputError& unreadable) {
      fault = unreadable.what();
    }
  }
  if (fault.empty()) return;
  for (const auto& [key, member] : view.members()) {
    if (key != "files") continue;
    for (const JsonView& file : member.elements(key)) {
      std::error_code unknown;
      const std::string name = file.json().is_string() ? file.json().get<std::string>() : "";
      const bool is_named = !name.empty() && fault.find(name) != std::string::npos;
      if (is_named && !std::filesystem::is_regular_file(target.folder / name, unknown)) {
        file.refuse(fault);
      }
    }
  }
  for (const auto& [key, member] : view.members()) {
    if (key == "path" || key == "command") member.refuse(fault);
  }
}

}  // namespace

bool is_foreign(std::string_view kind) {
  return kind == library_kind || kind == command_kind || own_filter(kind) != nullptr;
}

bool is_foreign_filter(const Json& filter) {
  return filter.is_object() && filter.contains("kind") && filter.at("kind").is_string() &&
         is_foreign(filter.at("kind").get_ref<const std::string&>());
}

ForeignCell::Parameters ForeignCell::parameters_of(const Json& filter) {
  Parameters p;
  p.is_command = filter.at("kind") == command_kind;
  if (filter.contains("bits_per_key")) p.bits_per_key = filter.at("bits_per_key").get<double>();
  if (filter.contains("fpr")) p.fpr = filter.at("fpr").get<double>();
  return p;
}

int ForeignCell::probes(const Parameters& p, std::uint64_t /*n*/) {
  constexpr int of_a_library = 20;
  constexpr int of_a_command = 1000;  // some microseconds a key, as in Python
  return p.is_command ? of_a_command : of_a_library;
}

std::uint64_t ForeignCell::memory_bits(const Parameters& p, std::uint64_t n) {
  constexpr double usual = 16.0;
  constexpr double bits_of_a_halving = 1.4427;  // 1 / ln 2
  double per_key = p.bits_per_key.value_or(usual);
  if (!p.bits_per_key && p.fpr) per_key = std::ceil(-std::log2(*p.fpr) * bits_of_a_halving);
  return record::ceil_per_n(std::max(per_key, 1.0), n);
}

Json resolve_foreign_filter(const JsonView& view, Cell& cell) {
  cell.filter = view.json().at("kind").get<std::string>();
  const bool is_library = cell.filter == library_kind;
  const bool is_own = own_filter(cell.filter) != nullptr;
  const auto keys = is_own       ? std::span<const std::string_view>(own_keys)
                    : is_library ? std::span<const std::string_view>(library_keys)
                                 : std::span<const std::string_view>(command_keys);
  const ObjectReader reader(view, is_own ? "a filter of this program" : "a filter from outside",
                            keys);
  Json filter = {{"kind", cell.filter}};
  if (is_own) {
    filter["own"] = true;  // so that a program without it knows why it has no such filter
  } else if (is_library) {
    filter["path"] = reader.at("path", "the shared library").text({"path", "a path", true});
  } else {
    filter["command"] = command_of(reader);
  }
  if (reader.has("files")) filter["files"] = texts_of(reader.at("files", ""), "file");
  resolve_sizes(reader, filter);
  if (reader.has("options")) filter["options"] = reader.object("options", "an object");
  if (reader.has("expected")) {
    filter["expected"] = expected_of(reader.at("expected", "a closed form"), cell, filter);
  }
  if (reader.has("limits")) filter["limits"] = limits_of(reader.at("limits", "an object"));
  cell.filter_parameters = ForeignCell::parameters_of(filter);
  cell.redrawn.emplace_back("hash_seed");  // it is given one in every trial
  return filter;
}

bool is_foreign_hash(const Json& hash) {
  if (!hash.is_object() || !hash.contains("name")) return false;
  return hash.at("name") == record::command_hash;
}

Json read_foreign_hash(const ObjectReader& reader) {
  Json hash = {{"name", record::command_hash}, {"command", command_of(reader)}};
  if (reader.has("files")) hash["files"] = texts_of(reader.at("files", ""), "file");
  if (reader.has("limits")) hash["limits"] = limits_of(reader.at("limits", "an object"));
  return hash;
}

void check_foreign_filter(const JsonView& view, const Cell& cell) {
  if (const OwnFilterType* const own = own_filter(cell.filter)) {
    const std::string hash = hash_of_own_filter(cell.json());
    if (own->takes_digests && hash == record::command_hash) {
      view.refuse("\"" + cell.filter + "\" takes digests, and the hash \"command\" goes with " +
                  "filters of the catalogue only; choose a hash of the catalogue");
    }
    if (own->takes_digests && record::make_hasher(hash).passes_through()) {
      view.refuse("\"" + cell.filter + "\" takes digests, and hash \"" + hash +
                  "\" is no hash; choose one that mixes");
    }
    return;
  }
  check_target(view, target_of(cell));
}

void check_foreign_hash(const JsonView& view, const Cell& cell) {
  if (const auto target = executed_by(cell)) check_target(view, *target);
}

Json foreign_filter_schema() {
  const auto field = [](const auto& described) {
    const record::FieldFacts facts = record::detail::facts(described, true);
    return axis({facts.schema, range_of(facts.schema)});
  };
  const Json texts = {{"type", "array"}, {"minItems", 1}, {"items", {{"type", "string"}}}};
  const Json object = {{"type", "object"}};
  std::vector<Json> one_of = {{{"required", {"path"}}}, {{"required", {"command"}}}};
  if (!own_filters().empty()) {
    std::vector<std::string_view> names = foreign_kinds();
    names.erase(names.begin(), names.begin() + 2);
    one_of.push_back({{"properties", {{"kind", word_of(names)}}}});
  }
  return {{"type", "object"},
          {"required", {"kind"}},
          {"oneOf", one_of},
          {"properties",
           {{"kind", word_of(foreign_kinds())},
            {"path", axis({{{"type", "string"}}})},
            {"command", texts},
            {"files", texts},
            {"bits_per_key", field(bits_per_key_field)},
            {"fpr", field(fpr_field)},
            {"options", object},
            {"expected", object},
            {"limits", object}}},
          {"additionalProperties", false}};
}

const Json* foreign_object(const Json& cell) {
  const auto executes = [](const std::string& kind) {
    return is_foreign(kind) && own_filter(kind) == nullptr;
  };
  if (cell.contains("filter") && is_foreign_filter(cell.at("filter"))) {
    const Json& filter = cell.at("filter");
    return executes(filter.at("kind").get<std::string>()) ? &filter : nullptr;
  }
  if (cell.contains("hash") && is_foreign_hash(cell.at("hash"))) return &cell.at("hash");
  for (const char* const member : {"implementation", "hash"}) {
    if (!cell.contains(member) || !cell.at(member).is_string()) continue;
    const auto& name = cell.at(member).get_ref<const std::string&>();
    if (executes(name) && cell.contains(name)) return &cell.at(name);
  }
  return nullptr;
}

bool has_foreign_part(const Cell& cell) {
  if (!cell.filter.empty()) return is_foreign(cell.filter) || cell.hash == record::command_hash;
  const Json json = cell.json();
  return foreign_object(json) != nullptr;
}

std::optional<foreign::Target> executed_by(const Cell& cell) {
  if (!has_foreign_part(cell)) return std::nullopt;
  const Json json = cell.json();
  const Json* const object = foreign_object(json);
  if (object == nullptr) return std::nullopt;
  if (is_foreign(cell.filter)) return target_of(cell);
  if (cell.hash == record::command_hash) return target_in(*object, cell.folder);
  if (object->contains("path")) {
    return target_of(record::own_parameters_of<ForeignLibraryFields>(*object), cell.folder);
  }
  return target_of(record::own_parameters_of<ForeignCommandFields>(*object), cell.folder);
}

std::string foreign_text(const Json& object) {
  foreign::Target target;
  if (object.contains("command") && object.at("command").is_array()) {
    for (const Json& word : object.at("command")) {
      target.command.push_back(word.is_string() ? word.get<std::string>() : word.dump());
    }
    return target.text();
  }
  for (const char* const name : {"path", "line", "command"}) {
    if (!object.contains(name)) continue;
    const Json& what = object.at(name);
    return record::made_visible(what.is_string() ? what.get<std::string>() : what.dump());
  }
  return "a filter without a name";
}

std::string hash_of_own_filter(const Json& cell) {
  constexpr std::string_view usual = "xxhash3_64";
  if (!cell.contains("hash") || !cell.at("hash").contains("name")) return std::string(usual);
  return cell.at("hash").at("name").get<std::string>();
}

std::vector<std::string_view> foreign_kinds() {
  std::vector<std::string_view> kinds = {library_kind, command_kind};
  for (const OwnFilterType& own : own_filters()) kinds.push_back(own.name);
  return kinds;
}

foreign::Target target_of(const Cell& cell) {
  return target_in(cell.json().at("filter"), cell.folder);
}

}  // namespace bloomlab::experiments
