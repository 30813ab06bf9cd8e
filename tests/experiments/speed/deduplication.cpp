// Streams, what deduplicates them, and the kind that times it: counts are exact, durations are not
// judged.
#include "experiments/kinds/deduplication.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "experiments/cells/k_sliced_probes.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/unit.hpp"
#include "experiments/kinds/own_grid.hpp"
#include "experiments/speed/fleet.hpp"
#include "experiments/speed/key_stream.hpp"
#include "experiments/speed/speed_implementation.hpp"
#include "experiments/speed/stream_counts.hpp"
#include "record/input_error.hpp"
#include "tests/experiments/engine_configs.hpp"
#include "tests/lifetime.hpp"
#include "tests/thrown.hpp"

namespace bloomlab::experiments {
namespace {

static_assert(OwnGrid<Deduplication> && Deduplication::by_process_runs);

using testing::TemporaryFolder;

/// All keys of a stream, taken `part` at a time.
struct WholeStream {
  std::vector<std::string> texts;
  std::vector<std::uint8_t> is_new;

  WholeStream(const StreamPlan& plan, std::size_t part) {
    KeyStream stream(plan);
    while (texts.size() < plan.length) {
      stream.take(part);
      for (const std::string_view text : stream.batch().texts()) texts.emplace_back(text);
      is_new.insert(is_new.end(), stream.is_new().begin(), stream.is_new().end());
    }
  }
};

StreamPlan small_stream(std::uint64_t distinct, std::uint64_t length, std::uint64_t seed = 5) {
  return {.distinct = distinct, .length = length, .key_length = KeyLength::bytes_53, .seed = seed};
}

/// What was said of every key, and how many new ones were reported.
struct Said {
  std::vector<Answer> known;
  std::uint64_t new_reported = 0;
  std::uint64_t repeated_denied = 0;

  void add(Answer answer, bool is_new) {
    known.push_back(answer);
    new_reported += is_new && answer == Answer::maybe ? 1 : 0;
    repeated_denied += !is_new && answer == Answer::absent ? 1 : 0;
  }
};

/// One key at a time: asked, and inserted where it is not reported. Which keys are new, a set of
/// them says.
Said one_at_a_time(Implementation& implementation, const StreamPlan& plan) {
  Said said;
  std::unordered_set<std::string> seen;
  for (const std::string& text : WholeStream(plan, 1000).texts) {
    const std::string_view key = text;
    const KeyBatch one = KeyBatch::texts({&key, 1});
    const bool known = implementation.count_contained(one) == 1;
    if (!known) implementation.insert(one);
    said.add(known ? Answer::maybe : Answer::absent, seen.insert(text).second);
  }
  return said;
}

Said in_batches(Implementation& implementation, const StreamPlan& plan, std::size_t batch) {
  Said said;
  KeyStream stream(plan);
  const auto deduplicator = implementation.deduplicator();
  while (said.known.size() < plan.length) {
    stream.take(batch);
    std::vector<Answer> known(stream.is_new().size(), Answer{7});
    deduplicator->take(stream.batch(), known);
    for (std::size_t i = 0; i < known.size(); ++i) said.add(known[i], stream.is_new()[i] == 1);
  }
  return said;
}

std::string deduplication_config(const std::string& grid) {
  return R"({"$schema": "bloomlab-config-1", "kind": "deduplication", "title": "t",
             "question": "q", "seed": 7, "trials": 2, "expected_flags": [], "grid": )" +
         grid + "}";
}

Config streams_of(const TemporaryFolder& folder, const std::string& grid) {
  return read_config(folder.write("streams.json", deduplication_config(grid)));
}

}  // namespace

TEST_CASE("a stream has exactly its distinct keys, and says which are new",
          "[experiments][speed]") {
  const StreamPlan plan = small_stream(1000, 2500);
  const WholeStream stream(plan, 1024);
  REQUIRE(stream.texts.size() == 2500);
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < stream.texts.size(); ++i) {
    if (seen.insert(stream.texts[i]).second != (stream.is_new[i] == 1)) FAIL("key " << i);
  }
  CHECK(seen.size() == 1000);
  CHECK(stream.is_new.front() == 1);
  // The same in parts of another size, and from the start again.
  CHECK(WholeStream(plan, 7).texts == stream.texts);
  KeyStream again(plan);
  again.take(300);
  again.restart();
  again.take(1);
  CHECK(again.batch().texts().front() == stream.texts.front());
  CHECK(again.is_new().front() == 1);
  CHECK(WholeStream(small_stream(1000, 2500, 6), 1024).texts != stream.texts);
}

TEST_CASE("places of new keys and choices of earlier ones are uniform", "[experiments][speed]") {
  const std::uint64_t distinct = 20'000;
  const WholeStream stream(small_stream(distinct, 50'000), 1024);
  const auto first_half = std::count(stream.is_new.begin(), stream.is_new.begin() + 25'000, 1);
  // Hypergeometric: 10 000 with a standard deviation of 77; 6 of them err once in 10^9.
  CHECK(std::abs(static_cast<double>(first_half) - 10'000) < 465);
  // An earlier key stands uniformly among those seen by then: the mean of 30 000 shares has a
  // standard deviation of 0.0017.
  std::unordered_map<std::string, std::uint64_t> number;
  double shares = 0.0;
  for (std::size_t i = 0; i < stream.texts.size(); ++i) {
    if (stream.is_new[i] == 1) {
      number.emplace(stream.texts[i], number.size());
    } else {
      shares += (static_cast<double>(number.at(stream.texts[i])) + 0.5) /
                static_cast<double>(number.size());
    }
  }
  CHECK(std::abs(shares / 30'000 - 0.5) < 0.0101);
}

TEST_CASE("the length of a stream follows from the share that comes again",
          "[experiments][speed]") {
  CHECK(stream_length(10, 0.0) == 10);
  CHECK(stream_length(10, 0.5) == 20);
  CHECK(stream_length(3, 0.99) == 300);
  CHECK(stream_length(1, 0.3) == 1);
  CHECK(stream_length(100'000'000, 0.5) == 200'000'000);
  const WholeStream none_again(small_stream(500, 500), 64);
  CHECK(std::count(none_again.is_new.begin(), none_again.is_new.end(), 1) == 500);
}

TEST_CASE("deduplicating in batches is deduplicating one key at a time", "[experiments][speed]") {
  // Keys come again within a batch, one or a few keys later.
  const StreamPlan plan = small_stream(700, 2400);
  for (const std::string_view name : stream_implementation_names()) {
    if (!speed_implementation_is_available(name)) continue;
    const SpeedSetup setup{
        .implementation = name, .hash = "xxhash3_64", .n = 1000, .bits_per_key = 4.0};
    SpeedImplementation single = make_speed_implementation(setup, 9);
    const Said expected = one_at_a_time(*single.implementation, plan);
    for (const std::size_t batch : {1U, 37U, 1024U, 4096U}) {
      INFO(name << ", " << batch << " keys at once");
      SpeedImplementation batched = make_speed_implementation(setup, 9);
      const Said said = in_batches(*batched.implementation, plan, batch);
      CHECK(said.known == expected.known);
      CHECK(said.new_reported == expected.new_reported);
      CHECK(batched.implementation->state().bits_set == single.implementation->state().bits_set);
      if (batched.filter.is_null()) {
        CHECK(std::count(said.known.begin(), said.known.end(), Answer::absent) == 2400);
      } else {
        CHECK(said.new_reported > 0);
        CHECK(said.repeated_denied == 0);
      }
    }
  }
}

TEST_CASE("what deduplicates is listed, and nothing else", "[experiments][speed]") {
  const auto names = stream_implementation_names();
  for (const std::string_view name : speed_implementation_names()) {
    INFO(name);
    if (!speed_implementation_is_available(name)) continue;
    SpeedImplementation made = make_speed_implementation(
        {.implementation = name, .hash = "xxhash3_64", .n = 1000, .bits_per_key = 8.0}, 1);
    const bool listed = std::find(names.begin(), names.end(), name) != names.end();
    CHECK((made.implementation->deduplicator() != nullptr) == listed);
  }
  for (const char* wanted : {"standard", "blocked", "split_block", "student", "limit"}) {
    CHECK(std::find(names.begin(), names.end(), wanted) != names.end());
  }
}

TEST_CASE("memory for a rate is the least in sixteenths of a bit", "[experiments][speed]") {
  // bloomlab theory standard_exact n=1e6 k=13: 9.93e-5 with m = 19 187 500, 1.02e-4 with a
  // sixteenth of a bit per key less.
  CHECK(bits_per_key_for("standard", 1'000'000, 1e-4) == 19.1875);
  CHECK(bits_per_key_for("student", 1'000'000, 1e-4) == 19.1875);
  CHECK(bits_per_key_for("limit", 1'000'000, 1e-4) ==
        bits_per_key_for("split_block", 1'000'000, 1e-4));
  CHECK(bits_per_key_for("split_block", 1'000'000, 1e-4).value() > 26.0);
  CHECK_FALSE(bits_per_key_for("split_block", 1000, 1e-9));
  // Every implementation has a size for the largest rate that is taken.
  for (const std::string_view name : stream_implementation_names()) {
    CHECK(bits_per_key_for(name, 1000, 0.5).value_or(0.0) >= least_stream_bits_per_key);
  }
  // With ever more bits its many probes fill the sectors again: the rate falls and then rises.
  const auto sectorized = bits_per_key_for("cache_sectorized", 100'000, 1e-4);
  REQUIRE(sectorized);
  CHECK(*sectorized < 40.0);
}

TEST_CASE("a process run counts what one key at a time counts", "[experiments][speed]") {
  const TemporaryFolder folder;
  const Config config = streams_of(
      folder, R"({"implementation": ["standard", "blocked", "split_block", "student"], "n": 3000,
                  "fpr": 0.05, "repeated": 0.6})");
  const auto observations =
      testing::run_and_read(config, {.out = folder.path() / "out"}).observations;
  REQUIRE(observations.size() == 8);
  for (const auto& observation : observations) {
    INFO(observation.cell.dump());
    CHECK(observation.cell.at("key_length") == "53");
    const std::string implementation = observation.cell.at("implementation");
    SpeedImplementation made =
        make_speed_implementation({.implementation = implementation,
                                   .hash = "multiply_mix_64",
                                   .n = 3000,
                                   .bits_per_key = *bits_per_key_for(implementation, 3000, 0.05)},
                                  observation.seed);
    const Said said =
        one_at_a_time(*made.implementation, small_stream(3000, 7500, observation.seed));
    const record::Json& measured = observation.measured;
    CHECK(measured.at("stream") == 7500);
    CHECK(measured.at("repeated") == 4500);
    CHECK(measured.at("inserted") == 3000);
    CHECK(measured.at("true_positives") == 4500);
    CHECK(measured.at("false_negatives") == 0);
    CHECK(measured.at("false_positives") == said.new_reported);
    CHECK(measured.at("true_negatives") == 3000 - said.new_reported);
    CHECK(measured.at("bits_set") == made.implementation->state().bits_set);
    CHECK(measured.at("filter") == made.filter);
    CHECK(said.new_reported > 10);
    for (const char* name : {"dry_ns", "hash_ns", "deduplicate_ns"}) {
      CHECK(observation.timing.at(name).size() == 1);
    }
    CHECK(observation.timing.at("alu_ns").size() == 2);
  }
}

TEST_CASE("a limit has no rate, and takes the memory of split_block", "[experiments][speed]") {
  const TemporaryFolder folder;
  const Config config =
      streams_of(folder, R"({"implementation": ["split_block", "limit"], "n": 6400, "fpr": 0.01,
                             "key_length": ["8", "mixed"]})");
  const auto observations =
      testing::run_and_read(config, {.out = folder.path() / "out"}).observations;
  REQUIRE(observations.size() == 8);
  for (const auto& observation : observations) {
    INFO(observation.cell.dump());
    const bool is_limit = observation.cell.at("implementation") == "limit";
    CHECK(observation.measured.contains("filter") == !is_limit);
    CHECK(observation.measured.contains("false_positives") == !is_limit);
    CHECK(observation.measured.at("stream") == 12800);
  }
  const auto bits = [&](std::size_t i) {
    return observations[i].measured.at("memory_bits").get<std::uint64_t>();
  };
  CHECK((bits(0) + 511) / 512 * 512 == bits(4));
}

TEST_CASE("counts of streams are the same again", "[experiments][speed]") {
  const TemporaryFolder folder;
  const Config config = streams_of(
      folder,
      R"({"implementation": "standard", "n": 500, "fpr": 0.1, "repeated": [0, 0.5, 0.99]})");
  const RunOptions options{.out = folder.path() / "out", .force = true};
  static_cast<void>(testing::run_and_read(config, options));
  const std::string text = testing::canonical_text_of(folder.path() / "out/streams.json");
  static_cast<void>(testing::run_and_read(config, options));
  CHECK(testing::canonical_text_of(folder.path() / "out/streams.json") == text);
}

TEST_CASE("a filter that forgets fails its process run", "[experiments][speed]") {
  StreamCounts counts;
  counts.add(std::array{Answer::absent, Answer::maybe, Answer::maybe, Answer::absent},
             std::array<std::uint8_t, 4>{1, 0, 1, 1});
  CHECK(counts.json(3, 1) == record::Json{{"true_positives", 1},
                                          {"false_negatives", 0},
                                          {"false_positives", 1},
                                          {"true_negatives", 2}});
  counts.add(std::array{Answer::absent}, std::array<std::uint8_t, 1>{0});
  CHECK_THROWS_WITH(counts.json(3, 2), "the filter takes 1 of 2 keys that came before for new");
}

TEST_CASE("memory of a process run does not grow with the keys' texts", "[experiments][speed]") {
  const auto names = stream_implementation_names();
  const auto split_block = std::find(names.begin(), names.end(), "split_block") - names.begin();
  Deduplication::Point::Parameters at{
      .implementation = static_cast<Deduplication::Point::ImplementationName>(split_block),
      .hash = static_cast<Throughput::Point::HashName>(Throughput::Point::default_hash()),
      .n = 100'000'000,
      .fpr = 1e-4,
      .repeated = 0.5,
      .key_length = KeyLength::bytes_53};
  // 10^8 keys of 26.5 bits, and 80 MiB.
  CHECK(Deduplication::memory_bytes(at) < 420'000'000);
  CHECK(Deduplication::memory_bytes(at) > 327'000'000);
  const std::uint64_t once = Deduplication::memory_bytes(at);
  at.repeated = 0.99;
  CHECK(Deduplication::memory_bytes(at) == once);
}

TEST_CASE("streams that cannot be deduplicated are refused with a reason", "[experiments][speed]") {
  const TemporaryFolder folder;
  const auto fault_of = [&](const std::string& grid) {
    return tests::thrown([&] { static_cast<void>(streams_of(folder, grid)); });
  };
  CHECK_THAT(
      fault_of(R"({"implementation": "split_block", "n": 1000, "fpr": 1e-9})"),
      Catch::EndsWith("fpr = 1e-09: \"split_block\" does not reach it with up to 256 bits per key; "
                      "choose a larger rate or another implementation"));
  CHECK_THAT(fault_of(R"({"implementation": "standard", "hash": "identity", "n": 10, "fpr": 0.1})"),
             Catch::EndsWith("hash \"identity\" is no hash; choose one that mixes"));
  CHECK_THAT(fault_of(R"({"implementation": "cuckoo", "n": 10, "fpr": 0.1})"),
             Catch::Contains("/grid/implementation: ") && Catch::Contains("split_block"));
  CHECK_THAT(fault_of(R"({"implementation": "standard", "n": 10, "fpr": 0.1, "repeated": 1})"),
             Catch::Contains("/grid/repeated: found 1") && Catch::Contains("0.99"));
  CHECK_THAT(fault_of(R"({"implementation": "standard", "n": 10})"), Catch::Contains("fpr"));
}

TEST_CASE("no view of the keys of a temporary can be had", "[experiments][lifetime]") {
  using bloomlab::test::check_lends_only_named;
  check_lends_only_named<TimedKeys>(BLOOMLAB_VIEW(batch()));
  check_lends_only_named<KeyStream>(BLOOMLAB_VIEW(batch()));
  check_lends_only_named<KeyStream>(BLOOMLAB_VIEW(is_new()));
  check_lends_only_named<Fleet>(BLOOMLAB_VIEW(keys()));
  check_lends_only_named<ProbeByProbe>(BLOOMLAB_VIEW(keys()));
}

}  // namespace bloomlab::experiments
