#include "record/partial_match.hpp"

#include <algorithm>

namespace bloomlab::record {

bool matches(const Json& partial, const Json& whole) {
  if (!partial.is_object() || !whole.is_object()) return partial == whole;
  const auto& members = partial.items();
  return std::all_of(members.begin(), members.end(), [&](const auto& member) {
    const auto there = whole.find(member.key());
    return there != whole.end() && matches(member.value(), *there);
  });
}

}  // namespace bloomlab::record
