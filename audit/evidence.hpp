// What an audit has seen: counts, and no judgement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/fields.hpp"

namespace bloomlab::audit {

/// Filters of one size and load, queried for absent and for inserted keys.
struct RateCell {
  std::string keys = "random integers";
  std::uint64_t size = 0;      ///< keys that the filter was made for
  std::uint64_t inserted = 0;  ///< n
  std::uint64_t memory_bits = 0;
  std::uint64_t filters = 0;
  std::uint64_t queries = 0;  ///< absent keys, of all filters
  std::uint64_t hits = 0;     ///< of them reported
  double squares = 0.0;       ///< sum over filters of the squared hits
  std::uint64_t inserted_queries = 0;
  std::uint64_t lost = 0;  ///< inserted keys that were denied

  [[nodiscard]] double rate() const {
    return static_cast<double>(hits) / static_cast<double>(queries);
  }
  [[nodiscard]] double load() const {
    return static_cast<double>(inserted) / static_cast<double>(size);
  }
};

/// Inserted keys that were denied in one situation.
struct LossCheck {
  std::string situation;  ///< "empty key", "after save and load", ...
  std::uint64_t inserted = 0;
  std::uint64_t lost = 0;
  std::string first = {};          ///< the first key that was lost, for people
  std::string skipped = {};        ///< why it was not checked; empty where it was
  std::uint64_t refused = 0;       ///< keys that the filter fails on, and that were left out, ...
  std::string first_refused = {};  ///< ... the first of them, for people, ...
  std::string error = {};          ///< ... and how it fails

  BLOOMLAB_FIELDS(situation, inserted, lost, first, skipped, refused, first_refused, error)
};

/// Which keys are lost, where some are: found by inserting the same keys in other orders.
struct LossPattern {
  std::uint64_t inserted = 0;
  std::uint64_t lost = 0;
  bool repeats = false;       ///< a second query denies the same keys
  bool by_key = false;        ///< another order of insertion loses the same keys
  bool at_batch_end = false;  ///< all lost keys are the last of a batch, whatever its size
  std::uint64_t period = 0;   ///< equal distance between lost keys; 0: there is none
  bool at_growth = false;     ///< the distances grow by a factor
  std::string text = {};      ///< the first places of lost keys
};

/// Absent keys that differ from an inserted key in one way only.
struct Twins {
  std::string difference;  ///< "after a zero byte"
  std::uint64_t pairs = 0;
  std::uint64_t reported = 0;
  std::uint64_t absent = 0;  ///< other absent keys of the same form ...
  std::uint64_t hits = 0;    ///< ... and how many of them are reported
};

/// The same absent keys under two seeds.
struct SeedCheck {
  std::uint64_t queries = 0;
  std::uint64_t first = 0;   ///< hits under one seed
  std::uint64_t second = 0;  ///< hits under another
  std::uint64_t both = 0;

  BLOOMLAB_FIELDS(queries, first, second, both)
};

/// Answers of equal filters to equal queries.
struct RepeatCheck {
  std::uint64_t answers = 0;
  std::uint64_t changed = 0;         ///< answers that changed from query to query
  std::uint64_t batch_changed = 0;   ///< keys more or fewer reported in a batch than one by one
  std::uint64_t empty_hits = 0;      ///< keys that a new filter reported, first time
  std::uint64_t remade_changed = 0;  ///< answers that changed when the filter was made again

  BLOOMLAB_FIELDS(answers, changed, empty_hits, batch_changed, remade_changed)
};

/// How many bits of a saved filter its keys can set: what is set after many keys and was not
/// before.
struct BitCount {
  std::uint64_t size = 0;         ///< keys that the filter was made for
  std::uint64_t memory_bits = 0;  ///< as it says
  std::uint64_t keys = 0;         ///< inserted, so many that no bit that is reached stays clear
  std::uint64_t reached = 0;      ///< bits that they have set

  [[nodiscard]] double share() const {
    return static_cast<double>(reached) / static_cast<double>(memory_bits);
  }
};

/// Median time per key as the audit calls it, the way to the filter's process included.
struct Speed {
  std::string name;
  double insert_ns = 0.0;
  double absent_ns = 0.0;
  double inserted_ns = 0.0;
  std::string failure = {};  ///< why it has no times; empty where it has
};

/// A part of the audit that could not be measured.
struct FailedPart {
  std::string part;
  std::string error;  ///< how the filter failed
  bool is_timeout = false;
};

struct Evidence {
  std::string name;
  std::string version;
  bool says_deterministic = true;
  std::vector<RateCell> rates = {};    ///< of random integers, over sizes and loads
  std::vector<RateCell> sources = {};  ///< of other keys
  std::vector<BitCount> bits = {};     ///< of filters that save their bits as they are
  std::vector<LossCheck> checks = {};
  std::optional<LossPattern> pattern = {};
  std::vector<Twins> twins = {};
  SeedCheck seeds = {};
  RepeatCheck repeats = {};
  std::vector<Speed> speeds = {};  ///< of the filter itself first, then of what stands beside it
  std::uint64_t speed_keys = 0;    ///< keys of each of those filters
  std::string failure = {};        ///< how a filter failed of which nothing could be measured
  bool never_started = false;      ///< it failed so before anything was queried
  std::vector<FailedPart> failed = {};    ///< what it failed in; the rest was measured, ...
  std::vector<std::string> untried = {};  ///< ... but for these parts, after so many failures
  std::uint64_t full_size = 0;            ///< the filter for this many keys ...
  std::uint64_t full_at = 0;              ///< ... turned one away when it held at most this many
};

}  // namespace bloomlab::audit
