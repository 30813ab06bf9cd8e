// A standard filter at work, step by step: what every key hashes to, which bits it sets, and why a
// query is answered as it is. The filter, the hash and the probe are those of core; this module
// only looks on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/explain/lesson.hpp"

namespace bloomlab::analysis::explain {

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

}  // namespace bloomlab::analysis::explain
