#include "analysis/pages/row_builder.hpp"

namespace bloomlab::analysis::pages {

using record::Json;

namespace {

/// The members of a cell with the path as a name.
void flatten(const Json& json, const std::string& name,
             std::vector<std::pair<std::string, Value>>& flat) {
  if (!json.is_object()) {
    flat.emplace_back(name, value_of(json));
    return;
  }
  for (const auto& [key, member] : json.items()) {
    flatten(member, name.empty() ? key : name + "_" + key, flat);
  }
}

}  // namespace

Value value_of(const Json& json) {
  if (json.is_null()) return std::monostate{};
  if (json.is_boolean()) return std::int64_t{json.get<bool>() ? 1 : 0};
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > (std::uint64_t{1} << 62U)) {
    return json.dump();  // seeds: no integer of SQL holds them
  }
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  return json.is_string() ? json.get<std::string>() : json.dump();
}

void RowBuilder::set(const std::string& column, Value value) {
  const auto [place, is_new] = places_.try_emplace(column, relation_.columns.size());
  if (is_new) {
    relation_.columns.push_back(column);
    for (auto& row : relation_.rows) row.resize(relation_.columns.size());
  }
  relation_.rows.back()[place->second] = std::move(value);
}

void RowBuilder::set_interval(const std::string& column, double value, double low, double high) {
  set_number(column, value);
  set_number(column + "_low", low);
  set_number(column + "_high", high);
}

void RowBuilder::set_cell(std::int64_t number, const Json& cell) {
  set("cell", number);
  std::vector<std::pair<std::string, Value>> flat;
  flatten(cell, "", flat);
  for (auto& [name, value] : flat) {
    parameters_.emplace(name, true);
    set(name, std::move(value));
  }
}

Relation RowBuilder::take(std::initializer_list<const char*> columns) {
  for (const char* column : columns) {
    if (!places_.try_emplace(column, relation_.columns.size()).second) continue;
    relation_.columns.emplace_back(column);
    for (auto& row : relation_.rows) row.emplace_back();
  }
  return std::move(relation_);
}

std::int64_t CellNumbers::operator()(const Json& cell) {
  if (last_ != nullptr && *last_ == cell) return number_;
  last_ = &cell;
  const auto count = static_cast<std::int64_t>(numbers_.size());
  number_ = numbers_.try_emplace(cell.dump(), count + 1).first->second;
  return number_;
}

}  // namespace bloomlab::analysis::pages
