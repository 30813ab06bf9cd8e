// What `bloomlab explain` is asked to show: a small standard filter, the keys that go in and those
// that are asked for. Probes that mix keys without a hash take integers, written as texts.
//
// A standard filter at work, step by step: what every key hashes to, which bits it sets, and why a
// query is answered as it is. The filter, the hash and the probe are those of core; this module
// only looks on.
//
// The arithmetic of the false-positive rate, line by line with the numbers put in: from the fill
// ratio over the textbook's formulas to the exact rate.
// Sources: Bloom 1970; Broder and Mitzenmacher 2004; Bose et al. 2008 (see
// core/theory/standard.hpp).
//
// And the puzzle of the poisoned bottle, a first lesson in distinguishing many cases by few bits.
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
  friend bool operator==(const Lesson&, const Lesson&) = default;
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

/// What a key becomes.
struct Reading {
  std::string key;
  std::vector<std::uint64_t> words = {};      ///< of the hash; empty where positions were given
  std::vector<std::uint64_t> positions = {};  ///< k of them, in the order of the probes
  bool given = false;                         ///< the positions were given, no hash made them
};

/// What an insert does to the bit at one of its positions.
enum class Touch {
  fresh,     ///< sets it
  standing,  ///< finds it set by an earlier key
  repeated,  ///< finds it set by the same key's earlier probe
};

/// The insert of one key.
struct Insertion {
  Reading reading;
  std::vector<Touch> touches = {};  ///< one a position
  std::vector<bool> bits = {};      ///< the array after it
};

/// Why a query is answered as it is.
enum class Verdict {
  absent,          ///< a bit is 0: certainly not inserted
  inserted_key,    ///< all bits are 1, and the key was inserted
  false_positive,  ///< all bits are 1, but the key was not inserted
};

/// One query.
struct Question {
  Reading reading;
  Verdict verdict = Verdict::absent;
  std::optional<std::uint64_t> stopped_by = std::nullopt;  ///< the first position whose bit is 0
};

/// All that happened.
struct Trace {
  Lesson lesson;
  std::vector<Insertion> insertions = {};
  std::vector<Question> questions = {};
  std::vector<bool> bits = {};  ///< the array at the end; bit i at index i
  /// The number of the insertion that set bit i first, for the bits that are set.
  std::vector<std::optional<std::size_t>> setter = {};
  std::uint64_t n = 0;            ///< distinct keys inserted
  std::uint64_t bits_set = 0;     ///< X
  double conditional_rate = 0.0;  ///< (X/m)^k, the filter's own
  /// The exact rate of positions as this probe makes them, where it is not that of independent
  /// ones and has a closed form.
  std::optional<double> probe_rate = std::nullopt;
};

/// Inserts the keys and asks the queries. Throws record::InputError with the text of fault_of().
[[nodiscard]] Trace trace(const Lesson& lesson);

/// One line: what it says, the formula, and what it comes to.
struct RateLine {
  std::string_view name;  ///< of the line: "share", "conditional", "one_miss", ...
  std::string formula;    ///< such as "(X/m)^k"
  std::string numbers;  ///< the formula with the numbers put in; empty where there is no such form
  double value = 0.0;
};

/// The lines, in the order in which one leads to the next:
/// share X/m; conditional (X/m)^k; one_miss 1 - 1/m; key_miss (1 - 1/m)^k; all_miss
/// (1 - 1/m)^(kn); classic (1 - (1 - 1/m)^(kn))^k; textbook (1 - e^(-kn/m))^k; exact E[(X/m)^k];
/// and probe, the exact rate of the probe's own law, where the trace has one.
[[nodiscard]] std::vector<RateLine> rate_lines(const Trace& trace);

/// Fewest mice that find the one poisoned bottle of so many at once: ceil(log2 bottles).
/// Domain: 1 <= bottles <= 2^63.
[[nodiscard]] int mice_for(std::uint64_t bottles);

/// Whether mouse number `mouse` (from 0) drinks from bottle number `bottle` (from 1): whether that
/// digit of the number, counted from the right, is 1.
[[nodiscard]] bool drinks(int mouse, std::uint64_t bottle);

/// How many bottles mouse number `mouse` drinks from, of the bottles 1 .. bottles.
[[nodiscard]] std::uint64_t bottles_of(int mouse, std::uint64_t bottles);

/// The mice that die of a bottle, as their numbers, the largest first.
[[nodiscard]] std::vector<int> dead_mice(std::uint64_t bottle, int mice);

/// The mice as people count them, from 1.
[[nodiscard]] std::vector<std::uint64_t> numbered(const std::vector<int>& mice);

/// The bottle that the dead mice name: the sum of 2^mouse; where none died, the one bottle whose
/// digits, as many as there are mice, are all 0, which is 2^mice.
[[nodiscard]] std::uint64_t named_bottle(const std::vector<int>& dead, int mice);

/// Up to how many bottles every one is tried.
inline constexpr std::uint64_t most_tried_bottles = 1'000'000;

/// How many of the bottles 1 .. bottles are named rightly if they are the poisoned one. Domain:
/// bottles <= most_tried_bottles.
[[nodiscard]] std::uint64_t rightly_named(std::uint64_t bottles);

/// The number of a bottle as so many binary digits, the lowest ones of the number.
[[nodiscard]] std::string code_of(std::uint64_t bottle, int mice);

}  // namespace bloomlab::analysis::explain
