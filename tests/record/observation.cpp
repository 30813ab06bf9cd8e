#include "record/observation.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "record/result_file.hpp"

using bloomlab::record::Json;
using bloomlab::record::Observation;
using bloomlab::record::Observations;

namespace {

/// Cells 0, 0, 1, 1, 2, 2, ...; every third is a step, every fifth has a long list of times.
Observation seen(std::uint64_t number) {
  Observation one;
  one.cell = {{"n", number / 2}, {"filter", {{"kind", "standard"}, {"m", 1000 + number / 2}}}};
  one.group = std::to_string(number / 4);
  one.trial = number % 2;
  if (number % 3 == 0) one.step = number;
  one.seed = 0 - number;
  one.redrawn =
      number % 4 < 2 ? std::vector<std::string>{"keys", "hash_seed"} : std::vector<std::string>{};
  one.measured = {{"false_positives", number * number},
                  {"conditional_rate", 1.0 / static_cast<double>(1 + number)}};
  one.timing = {{"insert_ns", Json::array({number, 1})}};
  if (number % 5 == 0) one.timing["lookup_ns"] = std::vector<std::uint64_t>(30'000, number);
  return one;
}

std::vector<Observation> many(std::uint64_t count) {
  std::vector<Observation> all;
  for (std::uint64_t number = 0; number < count; ++number) all.push_back(seen(number));
  return all;
}

bool same(const Observation& a, const Observation& b) { return to_json(a) == to_json(b); }

}  // namespace

TEST_CASE("observations that were packed come back as they were", "[record][observations]") {
  const std::vector<Observation> all = many(101);
  const Observations packed(all);
  REQUIRE(packed.size() == all.size());
  std::size_t i = 0;
  for (const Observation& one : packed) CHECK(same(one, all[i++]));
  CHECK(i == all.size());
  // In any order, and cells that come again.
  for (i = all.size(); i-- > 0;) CHECK(same(packed[i], all[i]));
  CHECK(same(packed.front(), all.front()));
  CHECK(same(packed.back(), all.back()));
  const std::vector<Observation> unpacked = packed.unpacked();
  CHECK(std::equal(all.begin(), all.end(), unpacked.begin(), unpacked.end(), same));
}

TEST_CASE("a copy of packed observations stands for itself", "[record][observations]") {
  Observations first = many(12);
  Observations copy = first;
  copy.push_back(seen(40));
  first.clear();
  CHECK(first.empty());
  CHECK(first.begin() == first.end());
  REQUIRE(copy.size() == 13);
  CHECK(same(copy[3], seen(3)));
  CHECK(same(copy.back(), seen(40)));
}

TEST_CASE("observations are given cell by cell", "[record][observations]") {
  std::vector<Observation> all = many(7);
  all.push_back(seen(0));  // the first cell again, apart
  std::vector<std::size_t> sizes;
  std::vector<Json> cells;
  Observations(all).for_each_cell([&](const std::vector<Observation>& rows) {
    sizes.push_back(rows.size());
    cells.push_back(rows.front().cell);
    for (const Observation& row : rows) CHECK(row.cell == cells.back());
  });
  CHECK(sizes == std::vector<std::size_t>{2, 2, 2, 1, 1});
  CHECK(cells.back() == cells.front());
}

TEST_CASE("observations of one cell may be of two groups", "[record][observations]") {
  Observation other = seen(1);
  other.group = "other";
  const Observations packed = {seen(0), other, seen(1)};
  CHECK(packed[0].group == "0");
  CHECK(packed[1].group == "other");
  CHECK(packed[2].group == "0");
}

TEST_CASE("observations are taken out where they are told to be", "[record][observations]") {
  Observations some = many(20);
  CHECK(some.erase_if([](const Observation& one) { return one.trial == 1; }) == 10);
  REQUIRE(some.size() == 10);
  CHECK(same(some[4], seen(8)));
}
