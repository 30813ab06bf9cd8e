#include "record/names.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace bloomlab::record {
namespace {

struct Pair {
  std::string_view first;   ///< in format 1
  std::string_view second;  ///< in format 2
};

constexpr std::array names = {
    Pair{"subject", "implementation"},
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

std::string_view translated(std::span<const Pair> pairs, std::string_view word,
                            std::string_view Pair::*from, std::string_view Pair::*to) {
  const auto found = std::ranges::find(pairs, word, from);
  return found == pairs.end() ? word : (*found).*to;
}

}  // namespace

std::string_view name_in_format_2(std::string_view name) {
  return translated(names, name, &Pair::first, &Pair::second);
}

std::string_view name_in_format_1(std::string_view name) {
  return translated(names, name, &Pair::second, &Pair::first);
}

std::string_view word_in_format_2(std::string_view name, std::string_view word) {
  return name == parameter_with_words ? translated(words, word, &Pair::first, &Pair::second) : word;
}

std::string_view word_in_format_1(std::string_view name, std::string_view word) {
  return name == parameter_with_words ? translated(words, word, &Pair::second, &Pair::first) : word;
}

}  // namespace bloomlab::record
