#include "experiments/kinds/throughput.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/catalogue.hpp"
#include "core/hash/speed_hash.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "experiments/cells/cell_names.hpp"
#include "experiments/speed/fleet.hpp"
#include "experiments/speed/lookups.hpp"
#include "experiments/speed/noise.hpp"
#include "record/hashes.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;
using At = Throughput::Point::Parameters;

const std::vector<std::string_view>& all_hash_names() {
  static const std::vector<std::string_view> names = record::hash_names();
  return names;
}

/// What is counted of a fleet. The mixes tell of absent keys too, as every inserted key is
/// reported.
Json counts_json(const Fleet& fleet, const LookupCounts& counts) {
  Json json = {{"inserted", fleet.members_each() * fleet.size()}};
  const FilterState state = fleet.state();
  if (!fleet.law().is_null()) {
    json["true_positives"] = counts.reported_inserted_keys;
    json["false_negatives"] = counts.inserted_keys - counts.reported_inserted_keys;
    json["false_positives"] = counts.reported_absent_keys;
    json["true_negatives"] = counts.absent_keys - counts.reported_absent_keys;
    json["mixed_inserted_keys"] = counts.mixed_inserted_keys;
    json["mixed_positives"] = counts.reported_mixed;
    json["bits"] = state.bits;
    json["bits_set"] = state.bits_set;
  }
  json["memory_bits"] = state.memory_bits;
  if (!fleet.law().is_null()) json["filter"] = fleet.law();
  return json;
}

void require_members(const Fleet& fleet, const LookupCounts& counts) {
  if (fleet.law().is_null()) return;
  if (counts.reported_inserted_keys == counts.inserted_keys &&
      counts.reported_mixed >= counts.mixed_inserted_keys) {
    return;
  }
  throw std::runtime_error("the filter denies inserted keys: " +
                           std::to_string(counts.inserted_keys - counts.reported_inserted_keys) +
                           " of " + std::to_string(counts.inserted_keys) +
                           "; no duration of a filter that forgets means anything");
}

/// The rate of another filter of the setup on keys that count, i << 32 | i.
Json structured_json(const SpeedSetup& setup, KeyLength key_length, std::uint64_t absent_keys,
                     std::uint64_t seed) {
  constexpr std::uint64_t keys_at_once = std::uint64_t{1} << 16;
  constexpr std::uint64_t number_of_draw = std::uint64_t{3} << 61;  // no key and no filter has it
  const std::uint64_t first =
      multiply_high(KeyedPermutation(seed)(number_of_draw),
                    Throughput::distinct_structured_keys - setup.n - absent_keys + 1);
  const SpeedImplementation made = make_speed_implementation(setup, seed);
  TimedKeys keys(key_length);
  const auto for_each_part = [&](std::uint64_t begin, std::uint64_t count, const auto& use) {
    for (std::uint64_t done = 0; done < count; done += keys_at_once) {
      keys.take_structured(begin + done,
                           static_cast<std::size_t>(std::min(keys_at_once, count - done)));
      use(keys.batch());
    }
  };
  for_each_part(first, setup.n, [&](const KeyBatch& part) { made.implementation->insert(part); });
  const auto reported = [&](std::uint64_t begin, std::uint64_t count) {
    std::uint64_t sum = 0;
    for_each_part(begin, count,
                  [&](const KeyBatch& part) { sum += made.implementation->count_contained(part); });
    return sum;
  };
  if (!speed_implementation_is_foreign(setup.implementation) &&
      reported(first, setup.n) != setup.n) {
    throw std::runtime_error("the filter denies inserted keys i << 32 | i");
  }
  const std::uint64_t false_positives = reported(first + setup.n, absent_keys);
  return {{"structured_false_positives", false_positives},
          {"structured_true_negatives", absent_keys - false_positives}};
}

/// A filter from outside shows no bits, and one that denies inserted keys is a row that says so.
Json foreign_counts_json(const Fleet& fleet, const LookupCounts& counts) {
  Json json = counts_json(fleet, counts);
  json.erase("bits");
  json.erase("bits_set");
  const std::uint64_t denied = counts.inserted_keys - counts.reported_inserted_keys;
  if (denied == 0) return json;
  json["status"] = "false_negatives";
  json["reason"] = "denies " + std::to_string(denied) + " of " +
                   std::to_string(counts.inserted_keys) + " inserted keys that were looked up";
  return json;
}

/// What the point executes; empty where it is none of these implementations, or says too little.
foreign::Target target_at(const At& at) {
  const std::string_view implementation =
      speed_implementation_names()[static_cast<std::size_t>(at.implementation)];
  if (implementation == ForeignLibraryFields::name && at.library) {
    return target_of(*at.library, at.folder);
  }
  if (implementation == ForeignCommandFields::name && at.command) {
    return target_of(*at.command, at.folder);
  }
  return {};
}

std::uint64_t as_number(auto choice) { return static_cast<std::uint64_t>(choice); }

/// What is timed, and counted of what was timed.
Measurement timed_measurement(const Throughput::Parameters& p, const At& at,
                              const SpeedSetup& setup, std::uint64_t seed) {
  const int processor = stay_on_one_processor(0);
  Bracket bracket;
  choose_pages(at.pages);
  const PresentMemory before = present_memory();
  Fleet fleet(setup, at.rotation, seed);
  make_memory_present();
  const PresentMemory added = present_since(before);
  Json timing = {{"insert_ns", fleet.fill(at.key_length)}};
  Lookups lookups(fleet, {.key_length = at.key_length,
                          .regime = at.regime,
                          .threads = static_cast<unsigned>(at.threads),
                          .queries = p.queries,
                          .repetitions = {.counted = p.repetitions, .warm_up = p.warm_up},
                          .absent_keys = p.absent_keys,
                          .seed = seed});
  timing.update(lookups.time());
  timing.update(bracket.close());
  timing["present_bytes"] = added.bytes;
  timing["huge_bytes"] = added.huge_bytes;
  timing["processor"] = processor;
  if (const auto keys = lookahead_of(fleet.implementation(0))) timing["lookahead"] = *keys;
  lookups.query_further_absent_keys();
  const LookupCounts counts = lookups.counts();
  if (speed_implementation_hides_its_bits(setup.implementation)) {
    return {std::nullopt, foreign_counts_json(fleet, counts), std::move(timing)};
  }
  require_members(fleet, counts);
  return {std::nullopt, counts_json(fleet, counts), std::move(timing)};
}

}  // namespace

std::span<const std::string_view> Throughput::Point::speed_hash_names() { return all_hash_names(); }

std::size_t Throughput::Point::default_hash() {
  const auto& names = all_hash_names();
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), speed_hash) -
                                  names.begin());
}

SpeedSetup Throughput::Point::setup(const Parameters& at, const BatchTuning& tuning) {
  return {.implementation = speed_implementation_names()[as_number(at.implementation)],
          .hash = speed_hash_names()[as_number(at.hash)],
          .n = at.n,
          .bits_per_key = at.bits_per_key,
          .tuning =
              at.lookahead ? BatchTuning::always(static_cast<std::size_t>(*at.lookahead)) : tuning,
          .keys_per_call = at.keys_per_call,
          .target = target_at(at),
          .texts = at.key_length != KeyLength::bytes_8};
}

std::optional<std::string> Throughput::check(const Parameters& p, const At& at) {
  const SpeedSetup setup = Point::setup(at);
  if ((at.regime == Regime::cold) != (at.rotation > 1)) {
    return "regime \"" + std::string(regimes()[as_number(at.regime)]) +
           "\" with rotation = " + std::to_string(at.rotation) +
           "; \"cold\" takes at least 2 filters in rotation, the others exactly 1";
  }
  if (setup.implementation == "random_line" && at.key_length != KeyLength::bytes_8) {
    return "\"random_line\" hashes nothing and takes only key_length \"8\"";
  }
  if (speed_implementation_is_foreign(setup.implementation) && at.threads > 1) {
    return "\"" + std::string(setup.implementation) +
           "\" is asked by one thread; write \"threads\": 1";
  }
  if (record::make_hasher(setup.hash).passes_through()) {
    return "hash \"" + std::string(setup.hash) + "\" is no hash; choose one that mixes";
  }
  if (at.lookahead && !speed_implementation_is_tuned(setup.implementation)) {
    return "\"" + std::string(setup.implementation) +
           "\" does not ask for memory ahead; leave out " + "\"lookahead\", or take one of " +
           quoted_implementations(speed_implementation_is_tuned);
  }
  if (at.keys_per_call && at.regime != Regime::batched) {
    return "\"keys_per_call\" with regime \"" + std::string(regimes()[as_number(at.regime)]) +
           "\"; calls follow each other without waiting: leave one of them out";
  }
  if (at.keys_per_call && at.lookahead) {
    return "\"keys_per_call\" with \"lookahead\"; programs cannot set how far ahead memory is "
           "asked for: leave one of them out";
  }
  if (p.structured_keys && at.n > distinct_structured_keys - *p.structured_keys) {
    return "n = " + std::to_string(at.n) +
           " with structured_keys = " + std::to_string(*p.structured_keys) +
           "; keys i << 32 | i are distinct up to 4294967296 of them: take fewer in all, or leave "
           "out \"structured_keys\"";
  }
  return speed_implementation_fault(setup);
}

std::uint64_t Throughput::memory_bytes(const At& at) {
  constexpr std::uint64_t bracket = std::uint64_t{64} << 20;
  constexpr std::uint64_t keys_of_a_thread = std::uint64_t{128} << 20;
  return at.rotation * speed_implementation_bytes(Point::setup(at)) +
         at.threads * keys_of_a_thread + bracket;
}

double Throughput::seconds(const Parameters& p, const At& at) {
  // Making a key takes some 10 ns, inserting one 20, asking one 20 in a batch and 100 alone; a
  // process run has some 50 ms of its own.
  const double ask = at.regime == Regime::batched ? 30e-9 : 110e-9;
  const auto asked = static_cast<double>(4 * p.queries * (p.repetitions + p.warm_up));
  const double structured =
      p.structured_keys ? static_cast<double>(2 * at.n + *p.structured_keys) : 0.0;
  return 0.05 + 30e-9 * static_cast<double>(at.n * at.rotation) + ask * asked +
         20e-9 * (static_cast<double>(p.absent_keys) + structured);
}

std::vector<Measurement> Throughput::measure(const Parameters& p, const At& at, std::uint64_t seed,
                                             const BatchTuning& tuning) {
  const SpeedSetup setup = Point::setup(at, tuning);
  const bool is_foreign = speed_implementation_is_foreign(setup.implementation);
  if (!speed_implementation_is_available(setup.implementation) && !is_foreign) {
    return {{std::nullopt, {{"available", false}}, Json::object()}};
  }
  Measurement measurement = timed_measurement(p, at, setup, seed);
  if (p.structured_keys && measurement.measured.contains("filter")) {
    measurement.measured.update(structured_json(setup, at.key_length, *p.structured_keys, seed));
  }
  return {std::move(measurement)};
}

}  // namespace bloomlab::experiments
