#include "record/names.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace bloomlab::record {
namespace {

struct Pair {
  std::string_view retired;  ///< in format 1
  std::string_view today;    ///< in the field's words
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

enum class Into { today, format_1 };

std::string_view translated(std::span<const Pair> pairs, std::string_view word, Into into) {
  const auto from = into == Into::today ? &Pair::retired : &Pair::today;
  const auto found = std::ranges::find(pairs, word, from);
  if (found == pairs.end()) return word;
  return into == Into::today ? found->today : found->retired;
}

std::string_view name_into(std::string_view name, Into into) {
  return translated(names, name, into);
}

/// The object with other names, its values changed by `value_of(name of format 1, value)`.
template <class Value>
Json renamed(const Json& object, Into into, const Value& value_of) {
  if (!object.is_object()) return object;
  Json result = Json::object();
  for (const auto& [name, value] : object.items()) {
    const std::string_view wanted = name_into(name, into);
    const bool taken = wanted != name && object.contains(wanted);
    result[std::string(taken ? std::string_view(name) : wanted)] =
        value_of(name_into(name, Into::format_1), value);
  }
  return result;
}

/// A word, or an axis of words, wherever it stands in the value.
Json reworded(const Json& value, std::span<const Pair> pairs, Into into) {
  if (value.is_string()) {
    return std::string(translated(pairs, value.get_ref<const std::string&>(), into));
  }
  if (!value.is_array()) return value;
  Json result = Json::array();
  for (const Json& element : value) result.push_back(reworded(element, pairs, into));
  return result;
}

Json cell_into(const Json& cell, Into into) {
  return renamed(cell, into, [&](std::string_view name, const Json& value) {
    return name == parameter_with_words ? reworded(value, words, into) : value;
  });
}

std::string pointer_into(const std::string& pointer, Into into) {
  if (!pointer.starts_with('/')) return pointer;
  const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
  return "/" + std::string(name_into(std::string_view(pointer).substr(1, end - 1), into)) +
         pointer.substr(end);
}

Json flag_into(const Json& flag, Into into) {
  if (!flag.is_object()) return flag;
  Json result = flag;
  if (flag.contains("cell")) result["cell"] = cell_into(flag["cell"], into);
  if (flag.contains("reason")) result["reason"] = reworded(flag["reason"], texts, into);
  return result;
}

Json config_into(const Json& config, Into into) {
  const auto each = [&](const Json& list, const auto& change) {
    if (!list.is_array()) return list;
    Json result = Json::array();
    for (const Json& element : list) result.push_back(change(element));
    return result;
  };
  return renamed(config, into, [&](std::string_view name, const Json& value) {
    if (name == "title" || name == "question") return reworded(value, texts, into);
    if (name == "grid") return cell_into(value, into);
    if (name == "expected_flags") {
      return each(value, [&](const Json& flag) { return flag_into(flag, into); });
    }
    if (name == "shared_across") {
      return each(value, [&](const Json& pointer) {
        return pointer.is_string() ? Json(pointer_into(pointer.get<std::string>(), into)) : pointer;
      });
    }
    return value;
  });
}

Json counts_into(const Json& counts, Into into) {
  return renamed(counts, into, [](std::string_view, const Json& value) { return value; });
}

}  // namespace

std::string_view name_of_today(std::string_view name) { return name_into(name, Into::today); }
std::string_view name_in_format_1(std::string_view name) { return name_into(name, Into::format_1); }

std::string pointer_in_format_1(const std::string& pointer) {
  return pointer_into(pointer, Into::format_1);
}

Json counts_of_today(const Json& counts) { return counts_into(counts, Into::today); }
Json counts_in_format_1(const Json& counts) { return counts_into(counts, Into::format_1); }

Json cell_of_today(const Json& cell) { return cell_into(cell, Into::today); }
Json cell_in_format_1(const Json& cell) { return cell_into(cell, Into::format_1); }

Json config_of_today(const Json& config) { return config_into(config, Into::today); }
Json config_in_format_1(const Json& config) { return config_into(config, Into::format_1); }

Json provenance_of_today(const Json& provenance) {
  const auto peers = provenance.find("peers");
  if (peers == provenance.end() || !peers->is_array()) return provenance;
  Json result = provenance;
  for (Json& peer : result["peers"]) peer = counts_of_today(peer);
  return result;
}

}  // namespace bloomlab::record
