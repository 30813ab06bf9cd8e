#include "experiments/kinds/deduplication.hpp"

#include <array>
#include <memory>
#include <utility>

#include "core/answer.hpp"
#include "core/catalogue.hpp"
#include "experiments/speed/key_stream.hpp"
#include "experiments/speed/noise.hpp"
#include "experiments/speed/stream_counts.hpp"
#include "experiments/speed/timed_loops.hpp"
#include "record/hashes.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;
using StreamAt = Deduplication::Point::Parameters;

/// Keys that are made at once: with their texts they stay in a core's own cache.
constexpr std::size_t made_at_once = 1024;

std::string_view implementation_name(const StreamAt& at) {
  return stream_implementation_names()[static_cast<std::size_t>(at.implementation)];
}

/// Precondition: the rate can be had.
SpeedSetup stream_setup(const StreamAt& at) {
  return {.implementation = implementation_name(at),
          .hash = Throughput::Point::speed_hash_names()[static_cast<std::size_t>(at.hash)],
          .n = at.n,
          .bits_per_key = bits_per_key_for(implementation_name(at), at.n, at.fpr).value()};
}

/// One implementation and its stream, which every loop takes from its first key on.
class StreamLoops {
 public:
  StreamLoops(const StreamAt& at, SpeedImplementation& made, std::uint64_t seed)
      : length_(stream_length(at.n, at.repeated)),
        stream_({.distinct = at.n, .length = length_, .key_length = at.key_length, .seed = seed}),
        asker_(made.implementation->asker()),
        deduplicator_(made.implementation->deduplicator()) {}

  /// Runs each loop once. @return {"dry_ns", "hash_ns", "deduplicate_ns"}
  [[nodiscard]] Json time() {
    const std::array<TimedLoop, 3> loops = {loop("dry_ns", &StreamLoops::read),
                                            loop("hash_ns", &StreamLoops::hash),
                                            loop("deduplicate_ns", &StreamLoops::deduplicate)};
    const auto durations = run_timed(loops, {.counted = 1});
    Json timing;
    for (std::size_t i = 0; i < loops.size(); ++i) timing[loops[i].name] = durations[i];
    return timing;
  }

  [[nodiscard]] std::uint64_t length() const { return length_; }
  [[nodiscard]] const StreamCounts& counts() const { return counts_; }

 private:
  [[nodiscard]] TimedLoop loop(const char* name, void (StreamLoops::*work)()) {
    return {.name = name,
            .passes = (length_ + made_at_once - 1) / made_at_once,
            .threads = 1,
            .prepare = [this](unsigned, std::uint64_t) { stream_.restart(); },
            .run =
                [this, work](unsigned, std::uint64_t) {
                  stream_.take(made_at_once);
                  (this->*work)();
                }};
  }

  void read() {}
  void hash() { folded_ += asker_->only_hash(stream_.batch()); }
  void deduplicate() {
    const std::span<Answer> known = std::span(known_).first(stream_.is_new().size());
    deduplicator_->take(stream_.batch(), known);
    counts_.add(known, stream_.is_new());
  }

  std::uint64_t length_;
  KeyStream stream_;
  std::unique_ptr<Asker> asker_;
  std::unique_ptr<Deduplicator> deduplicator_;
  std::array<Answer, made_at_once> known_{};
  StreamCounts counts_;
  std::uint64_t folded_ = 0;  ///< what the loop of the hash yields
};

}  // namespace

std::optional<std::string> Deduplication::check(const Parameters& /*p*/, const StreamAt& at) {
  const std::string_view implementation = implementation_name(at);
  if (!bits_per_key_for(implementation, at.n, at.fpr)) {
    return "fpr = " + Json(at.fpr).dump() + ": \"" + std::string(implementation) +
           "\" does not reach it with up to " +
           std::to_string(static_cast<int>(most_stream_bits_per_key)) +
           " bits per key; choose a larger rate or another implementation";
  }
  const SpeedSetup setup = stream_setup(at);
  if (record::make_hasher(setup.hash).passes_through()) {
    return "hash \"" + std::string(setup.hash) + "\" is no hash; choose one that mixes";
  }
  return speed_implementation_fault(setup);
}

std::uint64_t Deduplication::memory_bytes(const StreamAt& at) {
  constexpr std::uint64_t bracket = std::uint64_t{64} << 20;
  constexpr std::uint64_t program_and_keys = std::uint64_t{16} << 20;
  return speed_implementation_bytes(stream_setup(at)) + bracket + program_and_keys;
}

double Deduplication::seconds(const Parameters& /*p*/, const StreamAt& at) {
  // Three loops make all keys, 20 ns each; two hash them, some 10 ns; a filter costs up to 50.
  return 0.1 + 130e-9 * static_cast<double>(stream_length(at.n, at.repeated));
}

std::vector<Measurement> Deduplication::measure(const Parameters& /*p*/, const StreamAt& at,
                                                std::uint64_t seed) {
  const SpeedSetup setup = stream_setup(at);
  if (!speed_implementation_is_available(setup.implementation)) {
    return {{std::nullopt, {{"available", false}}, Json::object()}};
  }
  stay_on_one_processor(0);
  Bracket bracket;
  choose_pages(at.pages);
  const PresentMemory before = present_memory();
  SpeedImplementation made = make_speed_implementation(setup, seed);
  make_memory_present();
  const PresentMemory added = present_since(before);
  StreamLoops loops(at, made, seed);
  Json timing = loops.time();
  timing.update(bracket.close());
  timing["present_bytes"] = added.bytes;
  timing["huge_bytes"] = added.huge_bytes;

  const std::uint64_t repeated = loops.length() - at.n;
  const FilterState state = made.implementation->state();
  Json measured = {{"stream", loops.length()},
                   {"repeated", repeated},
                   {"inserted", at.n},
                   {"memory_bits", state.memory_bits}};
  if (!made.filter.is_null()) {
    measured.update(loops.counts().json(at.n, repeated));
    measured.update({{"bits", state.bits}, {"bits_set", state.bits_set}, {"filter", made.filter}});
  }
  return {{std::nullopt, std::move(measured), std::move(timing)}};
}

}  // namespace bloomlab::experiments
