// What `bloomlab explain` is asked to show: a small standard filter, the keys that go in and those
// that are asked for. Probes that mix keys without a hash take integers, written as texts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::analysis::explain {

/// Largest filter that is explained [bits]: what a screen can show bit by bit.
inline constexpr std::uint64_t most_bits = 256;

/// Where a lesson comes from, for the remarks that go with it.
enum class Source { own, slides };

/// A lesson. Names are those of the catalogue.
struct Lesson {
  std::uint64_t m = 16;  ///< filter bits, 1 .. most_bits
  std::uint64_t k = 3;   ///< positions per key, 1 .. max_probes
  std::uint64_t seed = 0;
  std::string hash = "xxhash3_64";
  std::string probe = "independent";
  std::string reduction = "multiply_shift";
  std::vector<std::string> inserted = {};  ///< in order; a key may come twice
  std::vector<std::string> queried = {};
  /// Positions that are given instead of hashed, by key: k of them, each below m.
  std::map<std::string, std::vector<std::uint64_t>> positions = {};
  Source source = Source::own;
};

/// The example of the course slides: baidu and tencent go in, 0voice is stopped by bit 5, taobao is
/// a false positive. The slides name positions for the first three keys; those of taobao are ours,
/// taken from both inserted keys.
[[nodiscard]] Lesson slides_lesson();

/// A fault of the lesson as one line that says what is allowed, or nothing.
[[nodiscard]] std::optional<std::string> fault_of(const Lesson& lesson);

/// The key as the low 32 bits of a whole number from -2^31 to 2^32 - 1; nothing where the text is
/// no such number.
[[nodiscard]] std::optional<std::uint64_t> mixed_key(std::string_view text);

}  // namespace bloomlab::analysis::explain
