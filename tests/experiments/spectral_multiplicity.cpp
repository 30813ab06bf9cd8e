// Frequencies by spectral filters: the streams, and what is counted of their estimates.
#include "experiments/kinds/spectral_multiplicity.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "experiments/kinds/own_grid.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {
namespace {

static_assert(OwnGrid<SpectralMultiplicity>);

using SpectralPoint = SpectralMultiplicity::Point::Parameters;

SpectralPoint spectral_point(const char* law, std::uint64_t copies, const char* method,
                             std::uint64_t m = 7000) {
  return record::own_parameters_of<SpectralMultiplicity::Point>(
      {{"law", law}, {"copies", copies}, {"m", m}, {"n", 1000}, {"k", 5}, {"method", method}});
}

record::Json measured(const SpectralPoint& at, std::uint64_t filters = 20, std::uint64_t seed = 3) {
  REQUIRE(SpectralMultiplicity::check({filters}, at) == std::nullopt);
  const auto measurements = SpectralMultiplicity::measure({filters}, at, seed);
  REQUIRE(measurements.size() == 1);
  return measurements[0].measured;
}

std::uint64_t sum(const std::vector<std::uint64_t>& times) {
  return std::accumulate(times.begin(), times.end(), std::uint64_t{0});
}

}  // namespace

TEST_CASE("equal streams have every key as often, Zipf's by rank", "[spectral_multiplicity]") {
  const auto equal =
      SpectralMultiplicity::frequencies(spectral_point("equal", 3, "minimum_selection"));
  CHECK(equal == std::vector<std::uint64_t>(1000, 3));
  SpectralPoint at = spectral_point("zipf", 10, "minimum_selection");
  const auto zipf = SpectralMultiplicity::frequencies(at);
  const std::uint64_t most = zipf.front();
  for (std::uint64_t rank = 1; rank <= 1000; ++rank) {
    CHECK(zipf[rank - 1] == std::max<std::uint64_t>(1, most / rank));
  }
  // The largest one that fits: one more for the first key, and the stream is too long.
  CHECK(sum(zipf) <= 10000);
  std::uint64_t longer = 0;
  for (std::uint64_t rank = 1; rank <= 1000; ++rank) {
    longer += std::max<std::uint64_t>(1, (most + 1) / rank);
  }
  CHECK(longer > 10000);
  at.copies = 1;
  CHECK(sum(SpectralMultiplicity::frequencies(at)) == 1000);
}

TEST_CASE("minimum selection is wrong as often as its closed form says",
          "[spectral_multiplicity]") {
  // The exact rate of 7000 counters, 5 probes and 999 keys is 0.0346; 200 000 keys in 200 filters
  // (whose own shares differ by 0.006) leave 0.0005: five of them here.
  for (const char* law : {"equal", "zipf"}) {
    CAPTURE(law);
    const record::Json json = measured(spectral_point(law, 4, "minimum_selection"), 200);
    CHECK(json.at("distinct") == 200000);
    CHECK(json.at("above").get<double>() / 200000 == Approx(0.0346).margin(0.0026));
    CHECK(json.at("below") == 0);
    CHECK(json.at("shortfall") == 0);
    CHECK(json.at("excess") >= json.at("above"));
  }
}

TEST_CASE("minimal increase errs less, and never below", "[spectral_multiplicity]") {
  const record::Json selection = measured(spectral_point("zipf", 10, "minimum_selection"));
  const record::Json increase = measured(spectral_point("zipf", 10, "minimal_increase"));
  CHECK(increase.at("above").get<double>() < 0.6 * selection.at("above").get<double>());
  CHECK(increase.at("below") == 0);
  CHECK(increase.at("excess") < selection.at("excess"));
  CHECK(increase.at("inserted") == selection.at("inserted"));
}

TEST_CASE("recurring minimum mends skewed streams, and may err below", "[spectral_multiplicity]") {
  const record::Json selection = measured(spectral_point("zipf", 10, "minimum_selection"));
  const record::Json recurring = measured(spectral_point("zipf", 10, "recurring_minimum"));
  CHECK(recurring.at("above") < selection.at("above"));
  CHECK((recurring.at("below") > 0) == (recurring.at("shortfall") > 0));
}

TEST_CASE("spectral counts are whole numbers that depend on the seed alone",
          "[spectral_multiplicity]") {
  const SpectralPoint at = spectral_point("zipf", 3, "recurring_minimum", 3000);
  CHECK(measured(at, 5, 8) == measured(at, 5, 8));
  CHECK(measured(at, 5, 8) != measured(at, 5, 9));
  const record::Json json = measured(at, 5);
  for (const auto& [key, value] : json.items()) {
    CAPTURE(key);
    CHECK(value.is_number_unsigned());
  }
}

TEST_CASE("every filter has another order and other keys", "[spectral_multiplicity]") {
  // Were they the same, counts of two filters would be twice those of one.
  const SpectralPoint at = spectral_point("zipf", 3, "minimal_increase", 3000);
  const record::Json one = measured(at, 1);
  const record::Json two = measured(at, 2);
  CHECK(two.at("excess") != 2 * one.at("excess").get<std::uint64_t>());
}

TEST_CASE("streams that are too long are refused", "[spectral_multiplicity][errors]") {
  SpectralPoint at = spectral_point("equal", 1 << 20, "minimum_selection");
  CHECK(SpectralMultiplicity::check({1}, at) ==
        "n copies = 1048576000 inserts are more than 2^28; fewer keys or copies");
  at = spectral_point("equal", 2, "minimum_selection");
  at.counter_bits = 1;
  CHECK(SpectralMultiplicity::check({1}, at) ==
        "spectral: counter_bits is 1; it must be from 2 to 32");
}

}  // namespace bloomlab::experiments
