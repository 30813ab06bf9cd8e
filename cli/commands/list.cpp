// bloomlab list: everything that a config may name, with its parameters. Read from the catalogues,
// so that nothing can be listed that is not there.

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/project_files.hpp"
#include "cli/terminal.hpp"
#include "core/catalogue.hpp"
#include "core/type_list.hpp"
#include "experiments/cells/own_filters.hpp"
#include "experiments/config/schema.hpp"
#include "experiments/kinds/catalogue.hpp"
#include "experiments/sources/catalogue.hpp"
#include "record/fields_json.hpp"
#include "record/hashes.hpp"
#include "record/input_error.hpp"
#include "record/parameters_json.hpp"
#include "record/suggest.hpp"

namespace bloomlab::cli {
namespace {

using record::Json;
using record::object;

struct ListOptions {
  std::string part;
  bool json = false;
  bool schema = false;
};

/// The entry of a type that describes parameters; name and summary come first.
template <class T>
Json described() {
  Json entry{{"name", T::name}, {"summary", T::summary}};
  if constexpr (requires { T::source; }) entry["source"] = T::source;
  Json fields = Json::array();
  for (const record::FieldFacts& facts : record::field_facts<T>()) fields.push_back(facts.listed);
  entry["parameters"] = fields;
  return entry;
}

template <class List>
Json described_list() {
  Json list = Json::array();
  for_each_type<List>([&]<class T>(std::type_identity<T>) { list.push_back(described<T>()); });
  return list;
}

Json hashes() {
  Json list = Json::array();
  for_each_type<Hashes>([&]<class Hash>(std::type_identity<Hash>) {
    list.push_back(object("name", Hash::name, "source", Hash::source, "digest_bits",
                          Hash::digest_bits, "takes_seed", Hash::takes_seed, "parameters",
                          Json::array()));
  });
  for (const HashOperations& hash : record::brought_hashes()) {
    list.push_back(object("name", hash.name, "source", hash.source, "digest_bits", hash.digest_bits,
                          "takes_seed", hash.takes_seed, "parameters", Json::array()));
  }
  return list;
}

Json probes() {
  Json list = Json::array();
  for_each_type<HashingSchemes>([&]<class Family>(std::type_identity<Family>) {
    Json entry{{"name", Family::name}, {"summary", Family::summary}, {"source", Family::source}};
    if (Family::only_k != 0) entry["only_k"] = Family::only_k;
    entry["parameters"] = Json::array();
    list.push_back(entry);
  });
  return list;
}

Json reductions() {
  Json list = Json::array();
  for_each_type<Reductions>([&]<class Reduction>(std::type_identity<Reduction>) {
    list.push_back(object("name", Reduction::name, "summary", Reduction::summary, "parameters",
                          Json::array()));
  });
  return list;
}

/// Those of the catalogue, and those of the program itself.
Json filters() {
  Json list = described_list<Filters>();
  for (const OwnFilterType& own : experiments::own_filters()) {
    list.push_back(object("name", own.name, "summary", own.summary, "source", "this program",
                          "parameters", Json::array()));
    for (const auto& [name, meaning] : experiments::own_filter_parameters()) {
      list.back()["parameters"].push_back({{"name", name}, {"meaning", meaning}});
    }
  }
  return list;
}

Json inventory() {
  return object("filters", filters(), "hashes", hashes(), "probes", probes(), "reductions",
                reductions(), "key_sources", described_list<experiments::Sources>(), "kinds",
                described_list<experiments::Kinds>());
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void print_parameter(const Json& parameter) {
  std::cout << "      " << text_of(parameter.at("name")) << ": "
            << text_of(parameter.at("meaning"));
  for (const auto& [key, value] : parameter.items()) {
    if (key == "name" || key == "meaning" || value.empty()) continue;
    std::cout << "; " << key << ' ' << text_of(value);
  }
  std::cout << '\n';
}

void print_entry(const Json& entry) {
  std::cout << "  " << text_of(entry.at("name"));
  for (const char* key : {"summary", "source"}) {
    if (entry.contains(key)) std::cout << "\n    " << text_of(entry.at(key));
  }
  std::cout << '\n';
  for (const Json& parameter : entry.at("parameters")) print_parameter(parameter);
}

/// The heading in the inventory that `part` names: "key-sources" is key_sources.
Json part_of(const Json& all, std::string part) {
  std::ranges::replace(part, '-', '_');
  if (all.contains(part)) return {{part, all.at(part)}};
  std::vector<std::string_view> known = {"configs"};
  for (const auto& [heading, entries] : all.items()) known.push_back(heading);
  throw record::InputError("list: unknown \"" + part + "\"; " + record::suggestion(part, known));
}

int print_configs(const ListOptions& options) {
  const std::vector<ProjectConfig> configs = project_configs();
  if (options.json) {
    Json all = Json::array();
    for (const auto& [name, title] : configs) all.push_back(object("name", name, "title", title));
    std::cout << all.dump(2) << '\n';
    return done;
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, title] : configs) rows.push_back({name, title});
  std::cout << aligned(rows);
  return done;
}

int print_inventory(const ListOptions& options) {
  Json all = inventory();
  if (!options.part.empty()) all = part_of(all, options.part);
  if (options.json) {
    std::cout << all.dump(2) << '\n';
    return done;
  }
  for (const auto& [heading, entries] : all.items()) {
    std::cout << heading << '\n';
    for (const Json& entry : entries) print_entry(entry);
    std::cout << '\n';
  }
  return done;
}

}  // namespace

Action add_list(CLI::App& parser) {
  auto options = std::make_shared<ListOptions>();
  parser.add_option("part", options->part,
                    "Only these: filters, hashes, probes, reductions, key_sources or kinds; or "
                    "configs:\nthose that come with the program, by the names that run takes");
  parser.add_flag("--json", options->json, "Print the same as JSON");
  parser.add_flag("--schema", options->schema,
                  "Print the JSON Schema of configs, for editors that check while you type");
  return [options]() -> int {
    if (options->part == "configs") return print_configs(*options);
    if (!options->schema) return print_inventory(*options);
    std::cout << experiments::config_schema().dump(2) << '\n';
    return done;
  };
}

}  // namespace bloomlab::cli
