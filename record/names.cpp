#include "record/names.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace bloomlab::record {
namespace {

struct Pair {
  std::string_view digested;  ///< in seeds and digests
  std::string_view written;   ///< in configs and results
};

constexpr std::array names = {
    Pair{"subject", "implementation"},
    Pair{"strangers", "absent_keys"},
    Pair{"erase", "deletions"},
    Pair{"erased", "deleted"},
    Pair{"members_left", "inserted_keys_left"},
    Pair{"members_lost", "inserted_keys_lost"},
    Pair{"mixed_members", "mixed_inserted_keys"},
    Pair{"members_ns", "inserted_keys_ns"},
    Pair{"strangers_ns", "absent_keys_ns"},
    Pair{"group_members_ns", "group_inserted_keys_ns"},
    Pair{"group_strangers_ns", "group_absent_keys_ns"},
};

constexpr std::string_view parameter_with_words = "way";
constexpr std::array words = {Pair{"members", "inserted_keys"}, Pair{"strangers", "absent_keys"}};

/// Titles, questions and reasons of configs whose results are kept.
constexpr std::array texts = {
    Pair{"Erasing keys", "Deleting keys"},
    Pair{"Which members does a filter lose when keys are erased from it, rightly, wrongly, and by "
         "clearing the bits of a plain filter?",
         "Which inserted keys does a filter lose when keys are deleted from it, rightly, wrongly, "
         "and by clearing the bits of a plain filter?"},
    Pair{"Exact or approximate, told apart by measuring",
         "Exact or approximate, distinguished by measuring"},
    Pair{"Can an experiment tell the exact rate of a small filter from the approximate one?",
         "Can an experiment distinguish the exact rate of a small filter from the approximate "
         "one?"},
    Pair{"Rate against the share of set bits", "Rate against the fill ratio"},
    Pair{"Filters whose rates are known: every key of a universe asked",
         "Filters whose rates are known: every key of a universe looked up"},
    Pair{"Does the choice of the hash function, of the index family or of the keys change the "
         "rate?",
         "Does the choice of the hash function, of the hashing scheme or of the keys change the "
         "rate?"},
    Pair{"double hashing reports more strangers than independent positions do; its exact theory "
         "gives by how much",
         "double hashing reports more absent keys than independent positions do; its exact theory "
         "gives by how much"},
    Pair{"of n keys each has one fingerprint of 32 bits: a stranger with a member's fingerprint is "
         "reported, whatever the size of the filter",
         "of n keys each has one fingerprint of 32 bits: an absent key with an inserted key's "
         "fingerprint is reported, whatever the size of the filter"},
};

std::string_view translated(std::span<const Pair> pairs, std::string_view word) {
  const auto found = std::ranges::find(pairs, word, &Pair::written);
  return found == pairs.end() ? word : found->digested;
}

std::string_view digested_name(std::string_view name) { return translated(names, name); }

/// The object with other names, its values changed by `value_of(its name, value)`.
template <class Value>
Json renamed(const Json& object, const Value& value_of) {
  if (!object.is_object()) return object;
  Json result = Json::object();
  for (const auto& [name, value] : object.items()) {
    const std::string_view wanted = digested_name(name);
    const bool taken = wanted != name && object.contains(wanted);
    // No two names become one: each is new to the result, and not looked for.
    result.get_ref<Json::object_t&>().emplace_back(taken ? std::string_view(name) : wanted,
                                                   value_of(name, value));
  }
  return result;
}

/// A word, or an axis of words, wherever it stands in the value.
Json reworded(const Json& value, std::span<const Pair> pairs) {
  if (value.is_string()) {
    return std::string(translated(pairs, value.get_ref<const std::string&>()));
  }
  if (!value.is_array()) return value;
  Json result = Json::array();
  for (const Json& element : value) result.push_back(reworded(element, pairs));
  return result;
}

Json digested_flag(const Json& flag) {
  if (!flag.is_object()) return flag;
  Json result = flag;
  if (flag.contains("cell")) result["cell"] = digested_cell(flag["cell"]);
  if (flag.contains("reason")) result["reason"] = reworded(flag["reason"], texts);
  return result;
}

}  // namespace

std::string digested_pointer(const std::string& pointer) {
  if (!pointer.starts_with('/')) return pointer;
  const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
  std::string result = "/";
  result += digested_name(std::string_view(pointer).substr(1, end - 1));
  result += std::string_view(pointer).substr(end);
  return result;
}

Json digested_counts(const Json& counts) {
  return renamed(counts, [](std::string_view, const Json& value) { return value; });
}

Json digested_cell(const Json& cell) {
  return renamed(cell, [](std::string_view name, const Json& value) {
    return name == parameter_with_words ? reworded(value, words) : value;
  });
}

Json digested_config(const Json& config) {
  const auto each = [](const Json& list, const auto& change) {
    if (!list.is_array()) return list;
    Json result = Json::array();
    for (const Json& element : list) result.push_back(change(element));
    return result;
  };
  return renamed(config, [&](std::string_view name, const Json& value) {
    if (name == "title" || name == "question") return reworded(value, texts);
    if (name == "grid") return digested_cell(value);
    if (name == "expected_flags") return each(value, digested_flag);
    if (name == "shared_across") {
      return each(value, [](const Json& pointer) {
        return pointer.is_string() ? Json(digested_pointer(pointer.get<std::string>())) : pointer;
      });
    }
    return value;
  });
}

}  // namespace bloomlab::record
