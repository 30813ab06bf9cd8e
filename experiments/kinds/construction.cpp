#include "experiments/kinds/construction.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <utility>

#include "core/keys/keyed_permutation.hpp"
#include "experiments/speed/noise.hpp"
#include "experiments/speed/timed_loops.hpp"

namespace bloomlab::experiments {
namespace {

using BuildAt = Construction::Point::Parameters;

constexpr std::uint64_t asked_at_once = 8192;

std::uint64_t threads_of(const BuildAt& at) { return at.threads.value_or(1); }

SpeedSetup build_setup(const BuildAt& at, const BatchTuning& tuning = {}) {
  return Throughput::Point::setup({.implementation = at.implementation,
                                   .hash = at.hash,
                                   .n = at.n,
                                   .bits_per_key = at.bits_per_key},
                                  tuning);
}

/// How many of the keys `first` .. `first + count - 1` are reported.
std::uint64_t reported(Asker& asker, const KeyedPermutation& keys, std::uint64_t first,
                       std::uint64_t count) {
  TimedKeys taken(KeyLength::bytes_8);
  std::uint64_t reported = 0;
  for (std::uint64_t done = 0; done < count; done += asked_at_once) {
    taken.take_range(keys, first + done,
                     static_cast<std::size_t>(std::min(asked_at_once, count - done)));
    reported += asker.count_contained(taken.batch());
  }
  return reported;
}

/// The keys in as many parts as there are threads, one after the other and of one size but for one
/// key.
std::vector<KeyBatch> shares_of(const KeyBatch& keys, std::size_t threads) {
  std::vector<KeyBatch> shares;
  std::size_t first = 0;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    const std::size_t count = (keys.size() - first) / (threads - thread);
    shares.push_back(keys.slice(first, count));
    first += count;
  }
  return shares;
}

void insert_keys(Implementation& implementation, const KeyBatch& inserted_keys,
                 std::uint64_t threads) {
  const auto count = static_cast<std::size_t>(threads);
  if (threads == 1) {
    implementation.insert(inserted_keys);
  } else if (!implementation.insert_by_own_threads(inserted_keys, count)) {
    implementation.insert_by_threads(shares_of(inserted_keys, count),
                                     [](unsigned thread) { stay_on_one_processor(thread); });
  }
}

/// Why the implementation cannot be built by so many threads, or nothing.
std::optional<std::string> threads_fault(std::string_view implementation, std::uint64_t threads) {
  if (threads == 1 || speed_implementation_takes_threads(implementation)) return std::nullopt;
  return "\"" + std::string(implementation) + "\" cannot be built by " + std::to_string(threads) +
         " threads; write \"threads\": 1, or take one of " +
         quoted_implementations(speed_implementation_takes_threads);
}

}  // namespace

std::optional<std::string> Construction::check(const Parameters& /*p*/, const BuildAt& at) {
  if (auto fault = threads_fault(build_setup(at).implementation, threads_of(at))) return fault;
  return Throughput::check({}, {.implementation = at.implementation,
                                .hash = at.hash,
                                .n = at.n,
                                .bits_per_key = at.bits_per_key,
                                .threads = 1,
                                .rotation = 1});
}

std::uint64_t Construction::memory_bytes(const BuildAt& at) {
  // Beside keys and filter: filters that are built at once keep digests, and work on them.
  constexpr std::uint64_t bracket = std::uint64_t{64} << 20;
  const SpeedSetup setup = build_setup(at);
  const std::uint64_t filters = speed_implementation_copies(setup.implementation, threads_of(at));
  return filters * speed_implementation_bytes(setup) + 56 * at.n + bracket;
}

double Construction::seconds(const Parameters& p, const BuildAt& at) {
  return 0.05 + 80e-9 * static_cast<double>(at.n) + 20e-9 * static_cast<double>(p.absent_keys);
}

std::vector<Measurement> Construction::measure(const Parameters& p, const BuildAt& at,
                                               std::uint64_t seed, const BatchTuning& tuning) {
  const SpeedSetup setup = build_setup(at, tuning);
  if (!speed_implementation_is_available(setup.implementation)) {
    return {{std::nullopt, {{"available", false}}, record::Json::object()}};
  }
  stay_on_one_processor(0);
  Bracket bracket;
  choose_pages(at.pages);
  const KeyedPermutation keys(seed);
  TimedKeys inserted_keys(KeyLength::bytes_8);
  inserted_keys.take_range(keys, 0, static_cast<std::size_t>(at.n));
  if (threads_of(at) > 1) use_every_processor();
  SpeedImplementation built;
  const auto build = [&](unsigned /*thread*/, std::uint64_t /*pass*/) {
    built = make_speed_implementation(setup, seed);
    insert_keys(*built.implementation, inserted_keys.batch(), threads_of(at));
    static_cast<void>(built.implementation->count_contained(inserted_keys.batch().slice(0, 0)));
  };
  const std::array<TimedLoop, 1> loop = {
      {{.name = "build_ns", .prepare = [](unsigned, std::uint64_t) {}, .run = build}}};
  record::Json timing = {{"build_ns", run_timed(loop, {.counted = 1}).front()}};
  timing.update(bracket.close());
  if (const auto ahead = lookahead_of(*built.implementation)) timing["lookahead"] = *ahead;

  const FilterState state = built.implementation->state();
  record::Json measured = {{"inserted", at.n}};
  if (!built.filter.is_null()) {
    const auto asker = built.implementation->asker();
    const std::uint64_t held = reported(*asker, keys, 0, at.n);
    // A key that a full filter turned away may be denied; one that it took may not.
    if (at.n - held > state.refused) {
      throw std::runtime_error("the filter denies " + std::to_string(at.n - held) + " of " +
                               std::to_string(at.n) + " inserted keys, having turned away " +
                               std::to_string(state.refused));
    }
    const std::uint64_t hits = reported(*asker, keys, at.n, p.absent_keys);
    measured.update({{"true_positives", held},
                     {"false_negatives", at.n - held},
                     {"false_positives", hits},
                     {"true_negatives", p.absent_keys - hits},
                     {"bits", state.bits},
                     {"bits_set", state.bits_set}});
    if (state.refused > 0) measured["refused"] = state.refused;
  }
  measured["memory_bits"] = state.memory_bits;
  if (at.threads) {
    // As a text: no reader of JSON may round it.
    if (const auto checksum = built.implementation->contents_checksum()) {
      measured["contents"] = std::to_string(*checksum);
    }
  }
  if (!built.filter.is_null()) measured["filter"] = built.filter;
  return {{std::nullopt, std::move(measured), std::move(timing)}};
}

}  // namespace bloomlab::experiments
