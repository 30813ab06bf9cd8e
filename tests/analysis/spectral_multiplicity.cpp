// Frequencies by spectral filters: the page.
#include <catch2/catch.hpp>

#include "analysis/exhibits/catalogue.hpp"
#include "counted.hpp"

using namespace bloomlab::analysis;

namespace {

Json cell(const char* method) {
  return {{"law", "zipf"}, {"copies", 10},     {"m", 7000},         {"n", 1000},
          {"k", 5},        {"method", method}, {"counter_bits", 16}};
}

Json spectral_counts(std::uint64_t above, std::uint64_t below) {
  return {{"filters", 10},  {"inserted", 99990},   {"distinct", 10000}, {"above", above},
          {"below", below}, {"excess", 2 * above}, {"shortfall", below}};
}

Experiment small(std::uint64_t selection) {
  Experiment experiment = counted::experiment("spectral_multiplicity");
  counted::add(experiment, cell("minimum_selection"),
               {spectral_counts(selection - 6, 0), spectral_counts(selection + 6, 0),
                spectral_counts(selection, 0)});
  counted::add(experiment, cell("minimal_increase"),
               {spectral_counts(80, 0), spectral_counts(90, 0), spectral_counts(85, 0)});
  counted::add(experiment, cell("recurring_minimum"),
               {spectral_counts(150, 20), spectral_counts(160, 23), spectral_counts(140, 22)});
  return experiment;
}

}  // namespace

TEST_CASE("minimum selection is tested, the other methods are compared", "[analysis][spectral]") {
  // The closed form of 7000 counters, 5 probes, 999 others: 0.0346.
  const Content content = spectral_multiplicity_exhibit(small(346), Words("en"));
  CHECK_THAT(counted::entry(content, "methods", 0, "expected").text, Catch::StartsWith("0.034"));
  CHECK_FALSE(counted::entry(content, "methods", 0, "p").marked);
  CHECK(counted::entry(content, "methods", 1, "p").text == "–");
  CHECK(std::get<double>(counted::entry(content, "methods", 1, "ratio").value) ==
        Approx(255.0 / 1038));
  CHECK(std::get<double>(counted::entry(content, "methods", 2, "error").value) ==
        Approx((900.0 + 65) / 30000));
  CHECK(content.values.at("selection_tests") == "1");
  CHECK(content.values.at("selection_flags") == "0");
  CHECK(content.values.at("recurring_below") == "65");
  CHECK(content.values.at("increase_span") == "0.25 to 0.25");
  CHECK(content.figures.front().series.size() == 4);
}

TEST_CASE("minimum selection that strays is flagged", "[analysis][spectral]") {
  const Content content = spectral_multiplicity_exhibit(small(900), Words("en"));
  CHECK(counted::entry(content, "methods", 0, "p").marked);
  CHECK(content.values.at("selection_flags") == "1");
}

TEST_CASE("the page of frequencies is written, also of a single trial", "[analysis][spectral]") {
  counted::check_section(small(346));
  Experiment one = counted::experiment("spectral_multiplicity");
  counted::add(one, cell("minimal_increase"), {spectral_counts(80, 0)});
  counted::check_section(one);
}
