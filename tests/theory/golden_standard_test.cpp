// The standard filter, its sizing and the growing filters against reference values.

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "core/theory/scalable.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "tests/theory/golden_file.hpp"

using namespace bloomlab::theory;
using nlohmann::json;

TEST_CASE("standard_exact and its columns equal the reference values", "[theory][golden]") {
  const std::map<std::string, double> tolerances{
      {"classic", 1e-13},       {"approx", 1e-13},       {"without_replacement", 1e-12},
      {"mean_set_bits", 1e-13}, {"var_set_bits", 1e-11}, {"sd_conditional_fpr", 1e-9}};
  for (const json& row : golden_rows("standard_exact")) {
    CAPTURE(row.dump());
    const Evaluation found = evaluate(golden_query("standard_exact", row, {"m", "n", "k"}));
    CHECK(relative_error(found.number(), row.at("value")) <= 1e-12);
    for (const auto& [name, tolerance] : tolerances) {
      CAPTURE(name, found.number(name));
      if (row.at(name).is_null()) {
        CHECK(std::isnan(found.number(name)));
      } else {
        CHECK(relative_error(found.number(name), row.at(name)) <= tolerance);
      }
    }
    CHECK(evaluate(golden_query("standard_classic", row, {"m", "n", "k"})).number() ==
          found.number("classic"));
    CHECK(evaluate(golden_query("standard_approx", row, {"m", "n", "k"})).number() ==
          found.number("approx"));
  }
}

TEST_CASE("the textbook table has its approximate, classic and exact rates", "[theory][golden]") {
  for (const json& row : golden_rows("textbook_table")) {
    CAPTURE(row.dump());
    const std::uint64_t bits_per_key = row.at("m_over_n");
    const std::uint64_t k = row.at("k");
    CHECK(relative_error(approx_fpr(bits_per_key, 1, k), row.at("value")) <= 1e-13);
    for (const std::uint64_t n : {1000ULL, 10000ULL, 1000000ULL}) {
      const std::string at = "_n" + std::to_string(n);
      if (!row.contains("exact" + at)) continue;
      const std::uint64_t m = bits_per_key * n;
      CHECK(relative_error(exact_fpr(m, n, k), row.at("exact" + at)) <= 1e-12);
      CHECK(relative_error(classic_fpr(m, n, k), row.at("classic" + at)) <= 1e-13);
    }
  }
}

TEST_CASE("the 49 printed entries are the closed form at their digits", "[theory][golden]") {
  int entries = 0;
  for (const json& row : golden_rows("textbook_printed")) {
    const std::uint64_t bits_per_key = row.at("m_over_n");
    std::uint64_t k = 0;
    for (const std::string printed : row.at("printed")) {
      ++k;
      const std::size_t digits = printed.size() - printed.find('.') - 1;
      char text[32];
      std::snprintf(text, sizeof text, "%.*f", static_cast<int>(digits),
                    approx_fpr(bits_per_key, 1, k));
      CHECK(printed == text);
      ++entries;
    }
  }
  CHECK(entries == 49);
}

TEST_CASE("optimal_k equals the reference values", "[theory][golden]") {
  for (const json& row : golden_rows("optimal_k")) {
    CAPTURE(row.dump());
    const Evaluation found = evaluate(golden_query("optimal_k", row, {"m", "n"}));
    CHECK(std::get<std::uint64_t>(found.value) == row.at("value").get<std::uint64_t>());
    CHECK(relative_error(found.number("rate"), row.at("fpr_exact_at_best")) <= 1e-12);
    CHECK(relative_error(found.number("k_real"), row.at("k_real")) <= 1e-13);
    CHECK(relative_error(found.number("k_real_classic"), row.at("k_real_classic")) <= 1e-13);
  }
}

TEST_CASE("optimal_sizing equals the reference values", "[theory][golden]") {
  for (const json& row : golden_rows("optimal_sizing")) {
    CAPTURE(row.dump());
    const Evaluation found = evaluate(golden_query("optimal_sizing", row, {"n", "p"}));
    CHECK(std::get<std::uint64_t>(found.value) == row.at("value").get<std::uint64_t>());
    for (const char* name :
         {"min_m_approx", "k_approx", "min_m_classic", "k_classic", "hurst_m", "hurst_k"}) {
      CAPTURE(name);
      CHECK(found.number(name) == row.at(name).get<double>());
    }
    // The reference names the smallest k that meets p; ours is the one with the lowest rate.
    const FilterSize size = smallest_filter_exact(row.at("n"), row.at("p"));
    CHECK(size.fewest_probes == row.at("k_exact").get<std::uint64_t>());
    CHECK(relative_error(exact_fpr(size.m, row.at("n"), size.fewest_probes),
                         row.at("exact_fpr_at_min")) <= 1e-12);
    CHECK(found.number("exact_fpr_at_min") <=
          row.at("exact_fpr_at_min").get<double>() * (1 + 1e-12));
    CHECK(exact_fpr(size.m, row.at("n"), size.k) == found.number("exact_fpr_at_min"));
    CHECK(found.number("k_exact") == static_cast<double>(size.k));
    CHECK(relative_error(found.number("hurst_p_achieved"), row.at("hurst_p_achieved")) <= 1e-12);
    CHECK(relative_error(found.number("info_lower_bound_bits"), row.at("info_lower_bound_bits")) <=
          1e-13);
    for (const Column& column : found.columns) {
      if (column.name == "hurst_meets_p") {
        CHECK(std::get<bool>(column.value) == row.at("hurst_meets_p").get<bool>());
      }
    }
  }
}

namespace {

const ColumnValue& column(const Evaluation& found, std::string_view name) {
  for (const Column& each : found.columns) {
    if (each.name == name) return each.value;
  }
  throw std::runtime_error("no column " + std::string(name));
}

using Rows = std::vector<std::vector<std::uint64_t>>;

}  // namespace

TEST_CASE("scalable equals the reference values", "[theory][golden]") {
  for (const json& row : golden_rows("scalable")) {
    CAPTURE(row.dump());
    const Evaluation found = evaluate(golden_query("scalable", row, {"P", "r", "s", "n0", "n"}));
    CHECK(relative_error(found.number(), row.at("value")) <= 1e-12);
    CHECK(relative_error(found.number("approx"), row.at("approx")) <= 1e-12);
    CHECK(found.number("layers") == row.at("layers").get<double>());
    CHECK(found.number("total_bits") == row.at("total_bits").get<double>());
    CHECK(std::get<Rows>(column(found, "layer_m_k_n")) == row.at("layer_m_k_n").get<Rows>());
  }
}

TEST_CASE("scalable_untightened predicts the lab report", "[theory][golden]") {
  for (const json& row : golden_rows("lab_report_predicted")) {
    CAPTURE(row.dump());
    const Evaluation found =
        evaluate(golden_query("scalable_untightened", row, {"m", "k", "fp", "n"}));
    CHECK(relative_error(found.number(), row.at("value")) <= 1e-12);
    CHECK(found.number("total_bits") == row.at("pred_capacity_bits").get<double>());
    CHECK(found.number("total_bits") == row.at("printed_capacity").get<double>());
    CHECK(found.number("layers") - 1 == row.at("printed_resizes").get<double>());
    Rows expected;
    for (const json& layer : row.at("layers_bits_cap_n")) {
      expected.push_back({layer.at(0), row.at("k"), layer.at(2)});
    }
    CHECK(std::get<Rows>(column(found, "layer_m_k_n")) == expected);
    CHECK(relative_error(exact_fpr(row.at("m"), row.at("n"), row.at("k")), row.at("pred_fp1")) <=
          1e-12);
  }
}
