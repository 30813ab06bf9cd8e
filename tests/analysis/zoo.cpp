// The section on every filter of the catalogue.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "analysis/exhibits/catalogue.hpp"
#include "core/catalogue.hpp"
#include "synthetic.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::analysis;

namespace {

Json config(const std::string& path) {
  std::ifstream file(std::string(BLOOMLAB_SOURCE_DIR) + "/configs/" + path);
  return Json::parse(file);
}

}  // namespace

TEST_CASE("the zoo's config holds every filter but the one for small integers",
          "[analysis][exhibits]") {
  for (const char* path : {"filter_zoo.json", "smoke/filter_zoo.json"}) {
    INFO(path);
    std::vector<std::string> kinds;
    const Json whole = config(path);
    for (const Json& filter : whole.at("grid").at("filter")) {
      kinds.push_back(filter.at("kind"));
    }
    bloomlab::for_each_type<bloomlab::Filters>([&]<class Filter>(std::type_identity<Filter>) {
      if (Filter::name == "direct_bitmap") return;
      INFO(Filter::name);
      CHECK(std::find(kinds.begin(), kinds.end(), Filter::name) != kinds.end());
    });
  }
}

TEST_CASE("filters that were not measured are named", "[analysis][exhibits]") {
  const Content content = zoo_exhibit(
      synthetic::experiment({.stem = "filter_zoo", .m = {8000}, .k = {5}}), Words("en"));
  CHECK(content.values.at("filters") == "1");
  CHECK(content.values.at("flagged") == "0");
  CHECK_THAT(content.values.at("not_measured"), Catch::StartsWith("partitioned; blocked"));
  CHECK_THAT(content.values.at("not_measured"), !Catch::Contains("standard"));
  REQUIRE(content.tables.front().rows.size() == 1);
  CHECK(std::get<std::string>(content.tables.front().rows[0][2].value) == "standard_exact");
}

TEST_CASE("a filter off its closed form is flagged in the zoo", "[analysis][exhibits]") {
  synthetic::Plan plan{.stem = "filter_zoo", .m = {8000}, .k = {5}, .trials = 20};
  plan.factor = [](const Json&) { return 1.3; };
  const Content content = zoo_exhibit(synthetic::experiment(plan), Words("en"));
  CHECK(content.values.at("flagged") == "1");
  CHECK(content.values.at("worst") == "standard");
  CHECK(content.tables.front().rows[0].back().marked);
}
