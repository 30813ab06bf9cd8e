#include "record/filter_for_rate.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/sizing.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::record {
namespace {

/// How far a machine's closed form may be off, relative.
constexpr double slack = 1e-9;

/// The filter's parameters for the goal, or null.
template <class Filter>
Json parameters_for(const SizingGoal& goal) {
  const auto parameters = best_parameters<Filter>(goal);
  if (!parameters) return {};
  Json json{{"kind", Filter::name}};
  write_parameters<Filter>(*parameters, json);
  return json;
}

/// Two filters of one size: a parameter that is the rate itself may differ.
bool same_size(const Json& a, const Json& b) {
  const auto equal = [](const Json& one, const Json& other) {
    return one == other || (one.is_number_float() && other.is_number_float());
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

template <Sized Filter>
FilterForRate sized(double rate, std::uint64_t n) {
  const std::string name(Filter::name);
  const std::string unavailable = Filter::sizing({.n = n, .rate = rate}).unavailable;
  if (!unavailable.empty()) return {.fault = name + " " + unavailable};
  FilterForRate result{.filter = parameters_for<Filter>({.n = n, .rate = rate})};
  if (result.filter.is_null()) {
    return {.fault = name + " does not reach this rate at any size that it takes"};
  }
  if (!same_size(parameters_for<Filter>({.n = n, .rate = rate * (1.0 - slack)}), result.filter) ||
      !same_size(parameters_for<Filter>({.n = n, .rate = rate * (1.0 + slack)}), result.filter)) {
    return {.fault = name +
                     ": at this rate its size hangs on the last digits of the closed form; "
                     "choose another rate"};
  }
  return result;
}

template <class Use>
void for_each_sized(Use&& use) {
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    if constexpr (Sized<Filter>) use(std::type_identity<Filter>{});
  });
}

/// The words of a text or of an array of texts.
void add_names(const Json& words, std::vector<std::string>& names) {
  if (words.is_string()) names.push_back(words.get<std::string>());
  if (!words.is_array()) return;
  for (const Json& word : words) add_names(word, names);
}

/// The filters that can be sized for a rate, in the order of the catalogue, without those named.
std::vector<std::string> sizable_filters_but(const std::vector<std::string>& named) {
  constexpr SizingGoal any{.n = 1000, .rate = 0.01};
  std::vector<std::string> others;
  for_each_sized([&]<class Filter>(std::type_identity<Filter>) {
    const bool is_named = std::ranges::find(named, Filter::name) != named.end();
    if (!is_named && Filter::sizing(any).unavailable.empty()) others.emplace_back(Filter::name);
  });
  return others;
}

}  // namespace

FilterForRate filter_for_rate(const std::string& kind, double rate, std::uint64_t n) {
  FilterForRate result{.fault = kind + " does not say how it is sized; write its parameters"};
  for_each_sized([&]<class Filter>(std::type_identity<Filter>) {
    if (Filter::name == kind) result = sized<Filter>(rate, n);
  });
  return result;
}

bool stands_for_others(const Json& filter) {
  return filter.is_object() && filter.value("kind", Json()) == "others";
}

Json with_other_filters(Json grid) {
  const auto axis = grid.is_object() ? grid.find("filter") : grid.end();
  if (axis == grid.end() || !axis->is_array()) return grid;
  std::vector<std::string> named;
  for (const Json& filter : *axis) {
    if (filter.is_object()) add_names(filter.value("kind", Json()), named);
  }
  Json written = Json::array();
  for (const Json& filter : *axis) {
    if (!stands_for_others(filter)) {
      written.push_back(filter);
      continue;
    }
    for (const std::string& name : sizable_filters_but(named)) {
      written.push_back(filter);
      written.back()["kind"] = name;
    }
  }
  *axis = std::move(written);
  return grid;
}

bool is_filter_for_rate(const Json& offered, const Json& filter, std::uint64_t n) {
  if (!filter.is_object() || !filter.contains("kind") || !filter.at("kind").is_string()) {
    return false;
  }
  const auto kind = filter.at("kind").get<std::string>();
  const Json kinds = offered.value("kind", Json());
  const auto is_wanted = [&](const Json& name) { return name == kind || name == "others"; };
  if (!is_wanted(kinds) && !(kinds.is_array() && std::ranges::any_of(kinds, is_wanted))) {
    return false;
  }
  const Json& rates = offered.at("for_rate");
  const auto is_size = [&](const Json& rate) {
    return rate.is_number() && filter_for_rate(kind, rate.get<double>(), n).filter == filter;
  };
  return is_size(rates) || (rates.is_array() && std::ranges::any_of(rates, is_size));
}

}  // namespace bloomlab::record
