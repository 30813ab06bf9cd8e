// `bloomlab audit` as a user calls it: what it takes, its exit status, and known mistakes by name.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "core/catalogue.hpp"
#include "tests/catch_runner.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

namespace {

using namespace bloomlab::tests;
using Catch::Contains;
using Json = nlohmann::ordered_json;

const std::string known_cases = BLOOMLAB_BINARY_DIR "/tests/libknown_cases.so";

/// Its JSON, of the library with this fault.
Json card_of(const std::string& fault, const std::string& more, int status) {
  const Said said = bloomlab_says("audit " + known_cases + " --options '{\"fault\": \"" + fault +
                                  "\"}' --json " + more);
  CAPTURE(said.err);
  CHECK(said.status == status);
  return Json::parse(said.out);
}

/// The first finding that breaks a promise.
Json broken(const Json& card) {
  for (const Json& finding : card.at("findings")) {
    if (finding.at("breaks_promise") == true) return finding;
  }
  return {{"class", "none"}, {"cause", ""}};
}

/// The filter and the two that this program runs beside it are timed, each by every call. Built
/// with a sanitizer the program starts within no limit of memory: the first alone.
void check_timed(const Json& card) {
  const Json& speeds = card.at("speed").at("ns_per_key");
  REQUIRE(speeds.size() == 3);
  CHECK(speeds[1].at("name") == "ours of the same layout");
  for (const Json& speed : speeds) {
    CAPTURE(speed.at("name"));
    if (is_sanitized && &speed != &speeds[0]) continue;
    CHECK(speed.at("failure") == "");
    for (const char* const call : {"insert", "absent", "inserted"}) CHECK(speed.at(call) > 0.0);
  }
}

}  // namespace

TEST_CASE("a filter that keeps its promises ends with 0, and every part of its card is there",
          "[audit][cli]") {
  const Json card = card_of("none", "--quick --bits-per-key 10", 0);
  CHECK(card.at("holds") == true);
  CHECK(card.at("findings").empty());
  CHECK(card.at("rates").size() == 16);
  CHECK(card.at("memory").size() == 2);
  CHECK(card.at("memory")[1].at("promised_bits") == 10'000.0);
  CHECK(card.at("attack").at("tries") > 50.0);
  CHECK(card.at("attack").at("hold_under_another") < card.at("attack").at("found_under_one_seed"));
  std::string situations;
  for (const Json& check : card.at("false_negative_checks")) {
    situations += check.at("situation").get<std::string>() + "\n";
  }
  for (const char* const situation :
       {"the empty key", "a key of 1 MiB", "inserted twice", "after save and load", "after merge",
        "after growth to 4 times the keys it was made for", "queried one by one",
        "the last of a batch of absent keys"}) {
    CHECK_THAT(situations, Contains(situation));
  }
  check_timed(card);
  CHECK(card.at("speed").at("processor") != "");
}

TEST_CASE("a filter that speaks lines is timed beside ours by lines", "[audit][cli]") {
  const Said said = shell("cd " BLOOMLAB_SOURCE_DIR
                          "/examples/foreign/python && \"$BLOOMLAB\" audit 'python3 my_filter.py' "
                          "--quick --json");
  CHECK(said.status == 0);
  check_timed(Json::parse(said.out));
}

TEST_CASE("a size rounded down to a power of two is named", "[audit][cli]") {
  const Json card = card_of("power_of_two", "--quick --bits-per-key 10", 1);
  bool named = false;
  for (const Json& finding : card.at("findings")) {
    named = named || (finding.at("class") == "size_formula" &&
                      finding.at("cause") == "every size is a power of two: rounded down");
  }
  CHECK(named);
}

TEST_CASE("a remainder with a sign is named", "[audit][cli]") {
  const Json finding = broken(
      card_of("signed_remainder", R"(--quick --expected '{"kind": "standard", "k": 7}')", 1));
  CHECK(finding.at("class") == "sign");
  CHECK(finding.at("cause") == "negative positions have no memory");
}

TEST_CASE("even strides are named", "[audit][cli]") {
  const Json finding = broken(card_of(
      "even_strides", R"(--bits-per-key 32 --expected '{"kind": "standard", "k": 22}')", 1));
  CHECK(finding.at("class") == "strides");
}

TEST_CASE("hashes of 32 bits are named where there are many keys", "[audit][cli]") {
  const std::string narrow =
      R"( --fpr 0.0001 --options '{"hash": "truncated_32", "probe": "remix"}' --quick --json)";
  const Said few = bloomlab_says("audit standard" + narrow);
  CHECK(few.status == 0);
  const Said many = bloomlab_says("audit standard --items 3M" + narrow);
  CHECK(many.status == 1);
  const Json finding = broken(Json::parse(many.out));
  CHECK(finding.at("class") == "hash_width");
  CHECK(finding.at("cause") == "hash values of 32 bits");
}

TEST_CASE("every filter of the catalogue that takes single keys is clean", "[audit][cli]") {
  bloomlab::for_each_type<bloomlab::Filters>([]<class Filter>(std::type_identity<Filter>) {
    const std::string name(Filter::name);
    CAPTURE(name);
    const Said said = bloomlab_says("audit " + name + " --fpr 0.01 --quick");
    if (name == "direct_bitmap") {
      CHECK(said.status == 2);
      CHECK(said.err ==
            "bloomlab: audit: direct_bitmap: needs integer keys below a known bound: one bit for "
            "each possible key\n");
    } else {
      CHECK(said.status == 0);
      CHECK_THAT(said.out, Contains("No promise was broken.") && Contains("| limit: "));
    }
  });
}

TEST_CASE("audit refuses what it cannot examine", "[audit][cli]") {
  const auto refused = [](const std::string& arguments, const std::string& line) {
    const Said said = bloomlab_says("audit " + arguments);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK_THAT(said.err, Contains(line));
  };
  refused("stand", "or name a filter of `bloomlab list`, such as standard");
  refused("limit", "audit: limit is no filter; name one of `bloomlab list`, such as standard");
  refused("standard --fpr 2", "--fpr");
  refused("standard --options '{\"hash\": \"md6\"}'", "unknown hash \"md6\"");
  refused("standard --serve lines", "audit: --serve is \"lines\"; give text or binary");
  refused("./none.so --serve text", "none.so");
  for (const std::string bits : {"nan", "inf", "0x10", "''", "0", "1e300"}) {
    refused("standard --bits-per-key " + bits, "; give one number above 0 and up to 1000000\n");
  }
  refused("standard --bits-per-key 1e6 --items 1G",
          "audit: 1e+06 bits per key for 1000000000 keys are more than a filter has, 2^48 bits; "
          "give fewer --items or --bits-per-key");
  refused("standard --out ''", "--out: found an empty text; the name of a folder is allowed");
  refused("standard --out /dev/null", "/dev/null: is no folder; name one by --out");
  refused(known_cases + R"( --expected '{"kind": 5}')",
          "audit: expected: kind is 5; give a text such as \"standard\"");
  refused(known_cases + R"( --expected '{"model": []}')",
          "audit: expected: model is an array; give a text such as \"standard\"");
  refused(known_cases + R"( --expected '{"k": 5, "probe": 5}')",
          "audit: expected: probe is 5; give a text such as \"standard\"");
  refused(known_cases + R"( --expected '{"k": 5, "k": 6}')",
          "audit: --expected: /k: the key \"k\" stands twice in one object; keep one of the two");
  refused("unordered_set --bits-per-key 12", "audit: unordered_set: no size for 1000 keys");
}
