#include "analysis/explain/lesson.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "analysis/text/utf8.hpp"
#include "core/filters/standard.hpp"
#include "core/hashing.hpp"
#include "record/suggest.hpp"

namespace bloomlab::analysis::explain {

namespace {

using Fault = std::optional<std::string>;

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  return result.append(text).append("\"");
}

template <class List>
std::vector<std::string_view> names_of() {
  std::vector<std::string_view> names;
  for_each_type<List>([&]<class Type>(std::type_identity<Type>) { names.push_back(Type::name); });
  return names;
}

template <class List>
Fault name_fault(std::string_view what, const std::string& name) {
  const std::vector<std::string_view> known = names_of<List>();
  if (std::ranges::find(known, name) != known.end()) return std::nullopt;
  std::string text = "unknown ";
  return text.append(what).append(" " + in_quotes(name) + "; " + record::suggestion(name, known));
}

/// Reductions that the family takes, and whether `wanted` is one of them.
template <class Family>
Fault family_fault(const std::string& wanted) {
  std::string allowed;
  bool takes = false;
  for_each_type<Reductions>([&]<class Reduction>(std::type_identity<Reduction>) {
    if constexpr (Family::template allows<Reduction>) {
      takes = takes || Reduction::name == wanted;
      allowed += (allowed.empty() ? "" : ", ") + in_quotes(Reduction::name);
    }
  });
  if (takes) return std::nullopt;
  return "the probe " + in_quotes(Family::name) + " does not take the reduction " +
         in_quotes(wanted) + "; allowed: " + allowed;
}

Fault reduction_fault(const Lesson& lesson) {
  Fault fault;
  for_each_type<HashingSchemes>([&]<class Family>(std::type_identity<Family>) {
    if (Family::name == lesson.probe) fault = family_fault<Family>(lesson.reduction);
  });
  return fault;
}

/// `identity` and the probes that mix keys themselves belong to each other.
Fault identity_fault(const Lesson& lesson) {
  const bool wanted = make_probe(lesson.probe, lesson.reduction).needs_identity();
  const bool found = make_hasher(lesson.hash).passes_through();
  if (wanted && !found) {
    return "the probe " + in_quotes(lesson.probe) + " mixes the keys itself; found the hash " +
           in_quotes(lesson.hash) + ", write \"identity\"";
  }
  if (!wanted && found) {
    return in_quotes(lesson.hash) +
           " is no hash; it goes only with the probe \"lab_shift_xor\", not with " +
           in_quotes(lesson.probe);
  }
  return std::nullopt;
}

Fault key_fault(const Lesson& lesson, const std::string& key) {
  if (key.empty()) return "a key is empty; give texts of at least one letter";
  if (clean_text(key) != key) {
    return "the key " + in_quotes(clean_text(key)) +
           " holds bytes that cannot be shown; give UTF-8 text without control characters";
  }
  if (make_hasher(lesson.hash).passes_through() && !lesson.positions.contains(key) &&
      !mixed_key(key)) {
    return "the probe " + in_quotes(lesson.probe) + " takes 32-bit integer keys; found the key " +
           in_quotes(key) + "; give whole numbers from -2147483648 to 4294967295";
  }
  return std::nullopt;
}

bool asks_for(const Lesson& lesson, const std::string& key) {
  return std::ranges::find(lesson.inserted, key) != lesson.inserted.end() ||
         std::ranges::find(lesson.queried, key) != lesson.queried.end();
}

Fault positions_fault(const Lesson& lesson, const std::string& key,
                      const std::vector<std::uint64_t>& positions) {
  const std::string where = "the positions of " + in_quotes(key);
  if (!asks_for(lesson, key)) {
    return where + " are given, but the key is neither inserted nor queried; name it there too";
  }
  if (positions.size() != lesson.k) {
    return where + " are " + std::to_string(positions.size()) +
           "; k = " + std::to_string(lesson.k) + " of them are needed";
  }
  for (const std::uint64_t position : positions) {
    if (position < lesson.m) continue;
    return where + " hold " + std::to_string(position) + "; allowed are 0 to " +
           std::to_string(lesson.m - 1) + ", as m is " + std::to_string(lesson.m);
  }
  return std::nullopt;
}

Fault size_fault(const Lesson& lesson) {
  if (lesson.m < 1 || lesson.m > most_bits) {
    return "m is " + std::to_string(lesson.m) + "; it must be from 1 to " +
           std::to_string(most_bits) +
           ", as every bit is drawn; bloomlab plan speaks of larger filters";
  }
  if (lesson.k < 1 || lesson.k > max_probes) {
    return "k is " + std::to_string(lesson.k) + "; it must be from 1 to " +
           std::to_string(max_probes);
  }
  return std::nullopt;
}

Fault hashing_fault(const Lesson& lesson) {
  if (auto fault = name_fault<Hashes>("hash", lesson.hash)) return fault;
  if (auto fault = name_fault<HashingSchemes>("probe", lesson.probe)) return fault;
  if (auto fault = name_fault<Reductions>("reduction", lesson.reduction)) return fault;
  if (auto fault = reduction_fault(lesson)) return fault;
  if (auto fault = identity_fault(lesson)) return fault;
  return Standard::check({.m = lesson.m, .k = lesson.k},
                         make_probe(lesson.probe, lesson.reduction));
}

Fault keys_fault(const Lesson& lesson) {
  for (const auto* keys : {&lesson.inserted, &lesson.queried}) {
    for (const std::string& key : *keys) {
      if (auto fault = key_fault(lesson, key)) return fault;
    }
  }
  for (const auto& [key, positions] : lesson.positions) {
    if (auto fault = positions_fault(lesson, key, positions)) return fault;
  }
  return std::nullopt;
}

}  // namespace

Lesson slides_lesson() {
  Lesson lesson;
  lesson.inserted = {"baidu", "tencent"};
  lesson.queried = {"baidu", "0voice", "taobao"};
  lesson.positions = {
      {"baidu", {1, 4, 7}}, {"tencent", {3, 4, 8}}, {"0voice", {1, 5, 8}}, {"taobao", {3, 7, 8}}};
  lesson.source = Source::slides;
  return lesson;
}

std::optional<std::string> fault_of(const Lesson& lesson) {
  if (auto fault = size_fault(lesson)) return fault;
  if (auto fault = hashing_fault(lesson)) return fault;
  return keys_fault(lesson);
}

std::optional<std::uint64_t> mixed_key(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool fits = value >= std::int64_t{INT32_MIN} && value <= std::int64_t{UINT32_MAX};
  if (error != std::errc() || stop != end || !fits) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

}  // namespace bloomlab::analysis::explain
