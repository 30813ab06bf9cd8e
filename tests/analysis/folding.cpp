// Folding: what the exhibit says of a claim that rates stay.
#include <catch2/catch.hpp>

#include "analysis/exhibits/catalogue.hpp"
#include "synthetic.hpp"

using namespace bloomlab::analysis;

namespace {

constexpr std::uint64_t planned = 1000;
constexpr std::uint64_t bits = 10 * planned;

/// Filters of `bits` bits folded to `to`, with n keys, whose rates are those of a standard filter
/// of `to` bits.
void add_folded(bloomlab::record::ResultFile& file, std::uint64_t n, std::uint64_t to) {
  auto part = synthetic::results(
      {.n = n, .m = {to}, .k = {7}, .trials = 20, .queries = 100000, .seed = 3 + n + to});
  for (auto& observation : part.observations) {
    observation.cell["filter"] = {{"kind", "folded"}, {"m", bits}, {"k", 7}, {"folded_to", to}};
    file.observations.push_back(observation);
  }
  file.config = part.config;
  file.provenance = part.provenance;
}

Content folded(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& cells) {
  bloomlab::record::ResultFile file;
  for (const auto& [n, to] : cells) add_folded(file, n, to);
  return folding_exhibit(analyse({.stem = "folding",
                                  .file_name = "folding.json",
                                  .file = std::move(file),
                                  .confirmation = {}}),
                         Words("en"));
}

}  // namespace

TEST_CASE("folding to half multiplies the rate, and does not at half the keys",
          "[analysis][exhibits]") {
  const Content content = folded({{planned, bits}, {planned, bits / 2}, {planned / 2, bits / 2}});
  const auto& rows = content.tables.front().rows;
  REQUIRE(rows.size() == 3);
  // (1 - e^(-7/5))^7 / (1 - e^(-7/10))^7 = 0.1378 / 0.00819 = 16.8.
  CHECK(std::get<double>(rows[1][5].value) == Approx(16.8).epsilon(0.1));
  CHECK_THAT(content.values.at("growth_list"), Catch::StartsWith("50.0 %: ×1"));
  CHECK_THAT(content.values.at("whole_rate"), Catch::StartsWith("0.008"));
  CHECK_THAT(content.values.at("half_rate"), Catch::StartsWith("0.008"));
}

TEST_CASE("a fold to no divisor is dearer than a standard filter of these bits",
          "[analysis][exhibits]") {
  const Content content = folded({{planned, 6000}});
  const auto& row = content.tables.front().rows.at(0);
  CHECK(row[3].text == "no");
  CHECK(std::get<double>(row.back().value) > 1.1);
  CHECK(content.values.at("whole_rate") == "–");
}
