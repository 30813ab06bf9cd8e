// What the laboratory's page says of a cause stands in docs/lab/source in Chinese and Russian, by
// the English sentence without its numbers; what to change, by the cause's class.
#include <catch2/catch.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "audit/observed_causes.hpp"
#include "record/strict_json.hpp"
#include "tests/paths.hpp"

namespace {

using namespace bloomlab::audit;

/// Every cause that is compared with counts of a filter of that layout.
std::vector<Cause> causes_of(const Observed& observed) {
  Place at;
  at.layout = observed.layout;
  at.cell.size = observed.planned;
  at.cell.inserted = observed.planned;
  at.cell.filters = 1;
  at.cell.queries = 1000;
  at.cell.hits = 100;
  at.expected = rate(observed.layout, observed.planned);
  return bloomlab::audit::detail::observed_causes(observed, std::vector<Place>{at});
}

}  // namespace

TEST_CASE("every cause that the laboratory's page can show is translated", "[audit][observed]") {
  Observed small{.planned = 1000};
  small.layout.kind = Layout::Kind::standard;
  small.layout.bits = 10'000.0;
  small.layout.k = 5;
  // So many bits that hashes of 32 bits and positions below 2^24 are too short.
  Observed large{.planned = 1'000'000};
  large.layout.kind = Layout::Kind::standard;
  large.layout.bits = 1e10;
  large.layout.k = 7;
  const std::regex number(R"(\d+(\.\d+)*(e[+-]?\d+|×10(⁻|⁰|¹|²|³|⁴|⁵|⁶|⁷|⁸|⁹)+)?)");
  for (const char* language : {"zh", "ru"}) {
    const nlohmann::json texts = nlohmann::json::parse(bloomlab::record::read_text(
        std::string(BLOOMLAB_SOURCE_DIR "/docs/lab/source/causes.") + language + ".json",
        std::uintmax_t{1} << 20));
    std::size_t seen = 0;
    for (const Observed& observed : {small, large}) {
      for (const Cause& cause : causes_of(observed)) {
        CAPTURE(language, cause.text);
        ++seen;
        CHECK(texts.at("causes").contains(std::regex_replace(cause.text, number, "#")));
        const std::string kind(name(cause.kind));
        CHECK(texts.at("mends").contains(kind) !=
              bloomlab::audit::detail::mend_of(cause.kind).empty());
      }
    }
    CHECK(seen > 100);
  }
}
