// The quality of hashes: the page.
#include <catch2/catch.hpp>

#include "analysis/exhibits/catalogue.hpp"
#include "counted.hpp"

using namespace bloomlab::analysis;

namespace {

constexpr std::uint64_t quality_keys = 4096;
constexpr std::uint64_t bins = 64;

/// The sum of squares at which chi-square is `ratio` times its degrees of freedom.
std::uint64_t squares(double ratio) {
  return static_cast<std::uint64_t>((ratio * (bins - 1) + quality_keys) * quality_keys / bins);
}

Json quality_counts(double high, double low, double pairs) {
  return {{"keys", quality_keys},        {"bins", bins},      {"high_squares", squares(high)},
          {"low_squares", squares(low)}, {"pair_bins", bins}, {"pair_squares", squares(pairs)}};
}

Experiment small_quality() {
  Experiment experiment = counted::experiment("hash_quality");
  const auto add = [&](const char* hash, const char* source, const Json& measured) {
    counted::add(experiment, {{"hash", hash}, {"source", source}, {"n", quality_keys}, {"m", bins}},
                 {measured, measured, measured}, {{"hash_ns", 3 * quality_keys}});
  };
  add("good", "uniform", quality_counts(1.0, 1.1, 0.9));
  add("good", "sequential", quality_counts(0.95, 1.0, 1.05));
  add("bad_one", "uniform", quality_counts(1.0, 1.0, 1.0));
  add("bad_one", "sequential", quality_counts(12, 1.0, 0.0));
  return experiment;
}

}  // namespace

TEST_CASE("uneven positions are named with hash, keys and part", "[analysis][hash_quality]") {
  const Content content = hash_quality_exhibit(small_quality(), Words("en"));
  CHECK(content.values.at("combinations") == "4");
  CHECK(content.values.at("uneven") == "1");
  CHECK(content.values.at("uneven_list") == "bad_one (sequential)");
  CHECK(content.values.at("uniformity_tests") == "12");
  CHECK(counted::entry(content, "quality", 0, "uneven sequential").text == "even");
  const Entry& bad = counted::entry(content, "quality", 1, "uneven sequential");
  CHECK(bad.marked);
  // Too even counts are a fault as well.
  CHECK(bad.text == "high bits ×12, pairs ×0");
  CHECK_THAT(counted::entry(content, "quality", 0, "cost").text, Catch::StartsWith("3"));
  CHECK(content.tables[1].rows.size() == 12);
  CHECK(counted::entry(content, "uniformity", 9, "holm").marked);
  CHECK_FALSE(counted::entry(content, "uniformity", 10, "holm").marked);
}

TEST_CASE("the page of hashes is written", "[analysis][hash_quality]") {
  counted::check_section(small_quality());
}
