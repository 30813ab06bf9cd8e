#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "analysis/data/with_theory.hpp"
#include "record/input_error.hpp"

using namespace bloomlab::analysis;

namespace {

/// The sum as it stands.
double mean_rate(const Json& cell, std::uint64_t n) {
  double sum = 0.0;
  for (std::uint64_t i = 0; i < n; ++i) sum += predicted_rate(cell, i);
  return sum / static_cast<double>(n);
}

}  // namespace

TEST_CASE("the rate of a stream is the closed form averaged over every fill",
          "[analysis][theory]") {
  // One bit: the first key is new to an empty filter, all others are reported.
  const Json one_bit = {{"filter", {{"kind", "standard"}, {"m", 1}, {"k", 1}}}};
  CHECK(predict_stream(one_bit, 1, "r.json").rate == 0.0);
  CHECK(predict_stream(one_bit, 4, "r.json").rate == Approx(0.75));
  for (const std::uint64_t n : {1U, 200U, 256U, 257U, 1000U}) {
    const std::vector<std::pair<double, Json>> filters = {
        {13, {{"kind", "standard"}, {"m", 19 * n}, {"k", 13}}},
        {6, {{"kind", "blocked"}, {"m", (n / 32 + 1) * 512}, {"k", 6}, {"block_bits", 512}}},
        {8, {{"kind", "split_block"}, {"m", (n / 16 + 1) * 256}}}};
    for (const auto& [k, filter] : filters) {
      const Json cell = {{"filter", filter}};
      CAPTURE(n, cell.dump());
      const double allowed = n <= 256 ? 1e-12 : std::pow(k / (2.0 * static_cast<double>(n)), 2);
      CHECK(predict_stream(cell, n, "r.json").rate ==
            Approx(mean_rate(cell, n)).epsilon(allowed).margin(1e-300));
    }
  }
}

TEST_CASE("the deviation of a stream's rate is known where that of the filter is",
          "[analysis][theory]") {
  const Json standard = {{"filter", {{"kind", "standard"}, {"m", 9585}, {"k", 7}}}};
  const Prediction stream = predict_stream(standard, 1000, "r.json");
  CHECK(stream.model == "standard_exact");
  CHECK(stream.sd_rate > 0);
  CHECK(stream.sd_rate < predict(standard, 1000, "r.json").sd_rate);
  const Json split = {{"filter", {{"kind", "split_block"}, {"m", 10240}}}};
  CHECK(std::isnan(predict_stream(split, 1000, "r.json").sd_rate));
  CHECK_THROWS_AS(predict_stream({{"filter", {{"kind", "none"}}}}, 10, "r.json"),
                  bloomlab::record::InputError);
}
