// Every other model against its reference values.

#include <catch2/catch.hpp>

#include "tests/theory/golden_file.hpp"

using namespace bloomlab::theory;
using nlohmann::json;

namespace {

/// A further column: its name with us, its name in the file, its tolerance.
struct ColumnCheck {
  const char* ours;
  const char* theirs;
  double tolerance;
};

/// Checks value and columns of every row of the file of the model's name.
void check_rows(std::string_view model, std::initializer_list<std::string_view> inputs,
                double tolerance, std::initializer_list<ColumnCheck> columns = {}) {
  for (const json& row : golden_rows(model)) {
    CAPTURE(row.dump());
    const Evaluation found = evaluate(golden_query(model, row, inputs));
    CHECK(relative_error(found.number(), row.at("value")) <= tolerance);
    for (const auto& [ours, theirs, column_tolerance] : columns) {
      CAPTURE(ours, found.number(ours));
      CHECK(relative_error(found.number(ours), row.at(theirs)) <= column_tolerance);
    }
  }
}

}  // namespace

TEST_CASE("partitioned equals the reference values", "[theory][golden]") {
  check_rows("partitioned", {"m", "n", "k"}, 1e-12,
             {{"standard_approx", "standard_approx", 1e-12}});
}

TEST_CASE("blocked equals the reference values", "[theory][golden]") {
  check_rows("blocked", {"nblocks", "block_bits", "n", "k"}, 1e-12,
             {{"standard_same_m", "standard_same_m", 1e-12}});
}

TEST_CASE("split_block equals the reference values", "[theory][golden]") {
  check_rows("split_block", {"nblocks", "lanes", "lane_bits", "n"}, 1e-12,
             {{"standard_same_m", "standard_same_m", 1e-12}});
}

TEST_CASE("cache_sectorized equals the reference values", "[theory][golden]") {
  check_rows("cache_sectorized",
             {"nblocks", "sectors", "sector_bits", "groups", "bits_per_group", "n"}, 1e-12,
             {{"k", "k", 0.0}});
}

TEST_CASE("dynamic equals the reference values", "[theory][golden]") {
  check_rows("dynamic", {"m", "k", "c", "n"}, 1e-12, {{"approx", "approx", 1e-12}});
}

TEST_CASE("folding equals the reference values", "[theory][golden]") {
  check_rows("folding", {"m", "m2", "n", "k"}, 1e-12,
             {{"uniform_m2_exact", "uniform_m2_exact", 1e-12}});
}

TEST_CASE("compressed equals the reference values", "[theory][golden]") {
  check_rows("compressed", {"z_over_n", "k"}, 1e-9,
             {{"m_over_n", "m_over_n", 1e-9},
              {"p_zero", "p_zero", 1e-9},
              {"uncompressed_best", "uncompressed_best_0.6185^c", 1e-12},
              {"limit", "limit_0.5^c", 1e-12}});
}

TEST_CASE("counting_overflow equals the reference values", "[theory][golden]") {
  check_rows("counting_overflow", {"m", "N_hashes", "j"}, 1e-9,
             {{"union_bound", "union_bound", 1e-9}, {"fan_bound", "fan_bound", 1e-12}});
}

TEST_CASE("double_hashing_exact equals the reference values", "[theory][golden]") {
  // The reference prints its degenerate part to 6 digits.
  check_rows(
      "double_hashing_exact", {"m", "n", "k", "stride"}, 1e-10,
      {{"standard_exact", "standard_exact", 1e-12}, {"degenerate_part", "degenerate_part", 1e-4}});
}

TEST_CASE("hash_width_floor equals the reference values", "[theory][golden]") {
  check_rows("hash_width_floor", {"hash_bits", "n", "m", "k"}, 1e-12,
             {{"collision", "collision", 1e-12},
              {"distinct_fingerprints", "distinct_fingerprints", 1e-12},
              {"no_floor_approx", "no_floor_approx", 1e-12}});
}

TEST_CASE("cardinality equals the reference values", "[theory][golden]") {
  check_rows("cardinality", {"m", "k", "popcount"}, 1e-12,
             {{"swamidass_baldi", "swamidass_baldi", 1e-12}});
}

TEST_CASE("peers equals the reference values", "[theory][golden]") {
  for (const json& row : golden_rows("peers")) {
    CAPTURE(row.dump());
    const std::string_view size = row.contains("load") ? "load" : "overhead";
    const Evaluation found = evaluate(golden_query("peers", row, {"filter", "f_bits", size}));
    CHECK(relative_error(found.number(), row.at("value")) <= 1e-12);
    CHECK(relative_error(found.number("bits_per_key"), row.at("bits_per_key")) <= 1e-12);
    if (row.contains("upper_2b_over_2^f")) {
      CHECK(relative_error(found.number("upper_bound"), row.at("upper_2b_over_2^f")) <= 1e-12);
    }
  }
}
