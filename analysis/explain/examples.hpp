// The lessons that `bloomlab explain --example` and the scenes of its page show, and what each of
// them adds to the steps: counts and filters of core, put into words by the texts "example.*".
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/explain/trace.hpp"

namespace bloomlab::analysis::explain {

/// Every example; `bottles` is a puzzle and no lesson.
inline constexpr std::array<std::string_view, 6> example_names = {
    "slides", "bottles", "fruits", "shared_bit", "probing", "optimum"};

/// The lesson of an example; nothing for `bottles` and for unknown names.
/// `fruits`: an article's filter in JavaScript (2011). 64 bits were meant; the signed remainder
/// makes them 127.
/// `shared_bit`: two keys share one bit and each has another: 3 bits are the fewest.
/// `probing`: double hashing, beside a hash table with open addressing.
/// `optimum`: why the best filter is half full, and how far it is from the least memory.
[[nodiscard]] std::optional<Lesson> example_lesson(std::string_view name);

/// A number or a text that fills a tag.
using TagValue = std::variant<std::uint64_t, double, std::string>;

/// One sentence beyond the steps: the name of its text and the values of its tags. A tag that ends
/// in "answer" has "maybe" or "absent", which texts "answer.*" put into words.
struct Remark {
  std::string text;
  std::map<std::string, TagValue> tags;
};

/// The value as it stands in a text.
[[nodiscard]] std::string tag_text(const TagValue& value);

/// What the example adds to this trace; empty where its lesson is none of the last four, or was
/// changed.
[[nodiscard]] std::vector<Remark> remarks_of(const Trace& trace);

}  // namespace bloomlab::analysis::explain
