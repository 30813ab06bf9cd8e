#include "experiments/cells/k_sliced.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/standard.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "experiments/cells/implementation.hpp"
#include "experiments/cells/implementation_factory.hpp"
#include "experiments/engine/unit.hpp"
#include "tests/experiments/engine_configs.hpp"

namespace bloomlab::experiments {
namespace {

constexpr std::uint64_t hash_seed_of_test = 0x1234;

struct Question {
  std::string hash;
  std::string family;
  std::string reduction;
  std::uint64_t m;
  std::vector<std::uint64_t> probes;
};

std::vector<std::uint64_t> keys_from(std::uint64_t first, std::size_t count) {
  std::vector<std::uint64_t> keys(count);
  KeyedPermutation(5).apply_range(first, keys);
  return keys;
}

/// One filter of the slice, on its own: its state, and how many of each batch it reports.
void check_against_separate_filter(const Question& question, std::uint64_t k,
                                   const KeyBatch& inserted_keys, const KeyBatch& absent_keys,
                                   const FilterState& state, std::uint64_t inserted_keys_reported,
                                   std::uint64_t absent_keys_reported) {
  INFO(question.hash << " " << question.family << " " << question.reduction << " m " << question.m
                     << " k " << k);
  const Hasher hasher = make_hasher(question.hash);
  const Probe probe = make_probe(question.family, question.reduction);
  Standard filter({question.m, k}, probe);
  DigestBuffer buffer;
  const DigestNeed need = probe.need(static_cast<int>(k));
  filter.insert(hasher.digest(inserted_keys, hash_seed_of_test, need, buffer));
  CHECK(state == filter.state());
  CHECK(inserted_keys_reported ==
        filter.count_contained(hasher.digest(inserted_keys, hash_seed_of_test, need, buffer)));
  CHECK(absent_keys_reported ==
        filter.count_contained(hasher.digest(absent_keys, hash_seed_of_test, need, buffer)));
}

void check_slice(const Question& question, const KeyBatch& inserted_keys,
                 const KeyBatch& absent_keys) {
  KSliced slice(question.m, question.probes, make_hasher(question.hash),
                make_probe(question.family, question.reduction), hash_seed_of_test);
  slice.insert(inserted_keys);
  slice.ask(inserted_keys);
  const auto inserted_keys_reported = slice.take_counts();
  slice.ask(absent_keys);
  const auto absent_keys_reported = slice.take_counts();
  const auto states = slice.states();
  REQUIRE(states.size() == question.probes.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    check_against_separate_filter(question, question.probes[i], inserted_keys, absent_keys,
                                  states[i], inserted_keys_reported[i], absent_keys_reported[i]);
    CHECK(inserted_keys_reported[i] == inserted_keys.size());
  }
}

void check_slice_of_integers(const Question& question, int bytes = 8) {
  // More than one batch of the pass, and not a multiple of it.
  const auto inserted_keys = keys_from(0, 2500);
  const auto absent_keys = keys_from(2500, 3700);
  check_slice(question, KeyBatch::integers(inserted_keys, bytes),
              KeyBatch::integers(absent_keys, bytes));
}

}  // namespace

TEST_CASE("sliced filters equal separate ones for every family and reduction",
          "[experiments][k_sliced]") {
  for (const std::string family :
       {"independent", "double_hashing", "enhanced_double_hashing", "remix"}) {
    for (const std::string reduction : {"multiply_shift", "modulo", "mask"}) {
      check_slice_of_integers({"xxhash3_64", family, reduction, 16384, {1, 2, 3, 4, 5, 6, 7, 8}});
    }
  }
}

TEST_CASE("sliced filters equal separate ones for several hashes and widths of keys",
          "[experiments][k_sliced]") {
  for (const std::string hash : {"murmur3_128", "fnv1a_64", "md5", "xxhash3_128"}) {
    for (const std::string family : {"independent", "double_hashing"}) {
      check_slice_of_integers({hash, family, "multiply_shift", 20011, {2, 3, 9}});
      check_slice_of_integers({hash, family, "multiply_shift", 20011, {2, 3, 9}}, 4);
    }
  }
}

TEST_CASE("sliced filters equal separate ones for sets of k with gaps, in any order",
          "[experiments][k_sliced]") {
  for (const std::vector<std::uint64_t>& probes :
       {std::vector<std::uint64_t>{1, 5, 24}, {24, 1, 5}, {7, 40}, {3, 64, 255}}) {
    check_slice_of_integers({"xxhash3_64", "independent", "multiply_shift", 30000, probes});
    check_slice_of_integers({"xxhash3_64", "double_hashing", "multiply_shift", 30000, probes});
  }
}

TEST_CASE("sliced filters equal separate ones from nearly empty to full",
          "[experiments][k_sliced]") {
  for (const std::uint64_t m : {1ULL, 2ULL, 7ULL, 64ULL, 1000ULL, 8000ULL, 1'000'003ULL}) {
    check_slice_of_integers({"xxhash3_64", "independent", "multiply_shift", m, {1, 2, 4, 10}});
    check_slice_of_integers({"xxhash3_64", "enhanced_double_hashing", "modulo", m, {1, 2, 4, 10}});
  }
}

TEST_CASE("sliced filters equal separate ones for texts", "[experiments][k_sliced]") {
  std::vector<std::string> texts;
  for (int i = 0; i < 3000; ++i) texts.push_back("key number " + std::to_string(i * i));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const KeyBatch keys = KeyBatch::texts(views);
  for (const std::string family : {"independent", "double_hashing"}) {
    check_slice({"xxhash3_64", family, "multiply_shift", 15000, {1, 2, 6}}, keys.slice(0, 1500),
                keys.slice(1500, 1500));
  }
}

namespace {

/// The hashes in `text` as a list, the other axes fixed.
Config config_of_several_sizes(const testing::TemporaryFolder& folder, const std::string& hashes,
                               const std::string& source = R"({"source": "uniform"})") {
  return testing::config_with(folder, R"({"keys": )" + source + R"(, "n": 1500,
    "filter": {"kind": "standard", "m": [6000, 20011], "k": [1, 3, 8]},
    "hash": )" + hashes + "}",
                              R"(["/filter/m", "/filter/k", "/hash"])");
}

/// A unit of all cells that share keys, by slices and filter by filter.
void check_unit_of_several_sizes(const Config& config, bool digests_are_shared) {
  std::vector<const Cell*> cells;
  for (const Cell& cell : config.cells) cells.push_back(&cell);
  CHECK(share_digests(cut_into_slices(cells)) == digests_are_shared);
  const std::vector<Unit> units = units_of(config, cells);
  REQUIRE(units.front().cells.size() == cells.size());
  const auto sliced = measure(config, units.front());
  const auto separate = measure(config, units.front(), make_implementation);
  REQUIRE(sliced.size() == cells.size());
  for (const record::Observation& one : sliced) {
    const auto same = std::ranges::find(separate, one.cell, &record::Observation::cell);
    REQUIRE(same != separate.end());
    CHECK(one.measured == same->measured);
  }
}

}  // namespace

TEST_CASE("sizes that share keys give the counts of separate filters, hashed once or by each",
          "[experiments][k_sliced]") {
  const testing::TemporaryFolder folder;
  const std::string remix = R"({"name": "multiply_swap_64", "probe": "remix",
                                "reduction": "multiply_shift"})";
  const std::string modulo = R"({"name": "multiply_swap_64", "probe": "remix",
                                 "reduction": "modulo"})";
  const std::string independent = R"({"name": "multiply_swap_64", "probe": "independent",
                                      "reduction": "multiply_shift"})";
  const std::string other = R"({"name": "xxhash3_64", "probe": "remix",
                                "reduction": "multiply_shift"})";
  check_unit_of_several_sizes(config_of_several_sizes(folder, remix), true);
  for (const char* source : {"uniform_32", "minstd_rand0"}) {
    const std::string keys = std::string(R"({"source": ")") + source + R"("})";
    check_unit_of_several_sizes(config_of_several_sizes(folder, remix, keys), true);
  }
  check_unit_of_several_sizes(config_of_several_sizes(folder, "[" + remix + "," + modulo + "]"),
                              true);
  check_unit_of_several_sizes(config_of_several_sizes(folder, independent), false);
  check_unit_of_several_sizes(config_of_several_sizes(folder, "[" + remix + "," + other + "]"),
                              false);
}

TEST_CASE("cells that differ in k alone make a slice, in the order of k",
          "[experiments][k_sliced]") {
  const testing::TemporaryFolder folder;
  const Config config = testing::config_with(folder, R"({"keys": {"source": "uniform"}, "n": 100,
    "filter": [{"kind": "standard", "m": [1000, 2000], "k": [7, 2, 256]},
               {"kind": "scalable_untightened", "m": 1000, "k": [2, 3], "fp": 0.01}],
    "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}})",
                                             R"(["/filter"])");
  std::vector<const Cell*> cells;
  for (const Cell& cell : config.cells) cells.push_back(&cell);
  std::vector<std::string> shapes;
  for (const auto& slice : cut_into_slices(cells)) {
    std::string shape;
    for (const Cell* cell : slice) {
      const auto filter = cell->json().at("filter");
      shape += filter.at("m").dump() + "/" + filter.at("k").dump() + " ";
    }
    shapes.push_back(shape);
  }
  CHECK(shapes == std::vector<std::string>{"1000/2 1000/7 ", "1000/256 ", "2000/2 2000/7 ",
                                           "2000/256 ", "1000/2 ", "1000/3 "});
}

TEST_CASE("every lab cell stands alone, as the lab has one k", "[experiments][k_sliced]") {
  const testing::TemporaryFolder folder;
  const Config config =
      testing::config_with(folder, R"({"keys": {"source": "minstd_rand0"}, "n": 100,
    "filter": {"kind": "standard", "m": [1000, 2000], "k": 5},
    "hash": {"name": "identity", "probe": "lab_shift_xor", "reduction": "modulo"}})",
                           R"(["/filter"])");
  CHECK(cut_into_slices({&config.cells[0], &config.cells[1]}).size() == 2);
}

}  // namespace bloomlab::experiments
