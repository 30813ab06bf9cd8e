// Compressed filters: what was sent is held against the entropy of the measured bits.
#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/exhibits/catalogue.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

/// A filter of 14 bits per key and two probes of which `sent_per_key` bits a key are sent.
Content compressed(std::uint64_t sent_per_key) {
  constexpr std::uint64_t n = 10000;
  auto file = synthetic::results({.stem = "compression",
                                  .n = n,
                                  .m = {14 * n},
                                  .k = {2},
                                  .trials = 10,
                                  .queries = 100000,
                                  .seed = 9});
  for (auto& observation : file.observations) {
    observation.cell["filter"]["kind"] = "compressed";
    if (sent_per_key > 0) observation.measured["transmitted_bits"] = sent_per_key * n;
  }
  return compression_exhibit(analyse({.stem = "compression",
                                      .file_name = "compression.json",
                                      .file = std::move(file),
                                      .confirmation = {}}),
                             Words("en"));
}

}  // namespace

TEST_CASE("a compressed filter's entropy is Mitzenmacher's, and its gain is seen",
          "[analysis][exhibits]") {
  const Content content = compressed(8);
  const auto& row = content.tables.front().rows.at(0);
  // Mitzenmacher 2002: m/n = 14, k = 2 gives z/n = 7.92 and f = 0.0177.
  CHECK(std::get<double>(row[3].value) == Approx(7.923).epsilon(0.002));
  CHECK(std::get<double>(row[4].value) == 8);
  // 0.0177 / 0.6185^8 = 0.825.
  CHECK(std::get<double>(row[8].value) == Approx(0.825).epsilon(0.05));
  CHECK_FALSE(row[8].marked);
}

TEST_CASE("a coder that eats the gain is marked", "[analysis][exhibits]") {
  const Content content = compressed(9);
  const auto& row = content.tables.front().rows.at(0);
  CHECK(std::get<double>(row[8].value) > 1);
  CHECK(row[8].marked);
}

TEST_CASE("without sizes there is nothing to show", "[analysis][exhibits]") {
  const Content content = compressed(0);
  CHECK(content.tables.front().rows.empty());
  CHECK(content.figures.front().series.empty());
  CHECK(content.values.at("best_gain") == "–");
}
