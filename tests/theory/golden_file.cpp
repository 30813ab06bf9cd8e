#include "tests/theory/golden_file.hpp"

#include <fstream>
#include <stdexcept>

#include "tests/paths.hpp"

namespace bloomlab::theory {
namespace {

ArgumentValue argument_value(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.get<std::uint64_t>();
  return value.get<double>();
}

}  // namespace

nlohmann::json golden_rows(std::string_view name) {
  const std::string path =
      BLOOMLAB_SOURCE_DIR "/tests/theory/golden/" + std::string(name) + ".json";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  nlohmann::json rows = nlohmann::json::parse(file).at("rows");
  if (rows.empty()) throw std::runtime_error(path + " has no rows");
  return rows;
}

Query golden_query(std::string_view model, const nlohmann::json& row,
                   std::initializer_list<std::string_view> names) {
  Query query{std::string(model), {}};
  for (const std::string_view name : names) {
    query.arguments.push_back({std::string(name), argument_value(row.at(std::string(name)))});
  }
  return query;
}

}  // namespace bloomlab::theory
