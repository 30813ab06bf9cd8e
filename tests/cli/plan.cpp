#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/command_line.hpp"
#include "tests/cli/planning.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;

TEST_CASE("plan --json begins with n, p, rate, m, k, memory_bits and mode", "[cli][plan]") {
  const Json json = plan_of("--items 4000 --fpr 1e-7");
  std::vector<std::string> names;
  for (const auto& [name, value] : json.items()) names.push_back(name);
  names.resize(7);
  CHECK(names == std::vector<std::string>{"n", "p", "rate", "m", "k", "memory_bits", "mode"});
  CHECK(json.at("n") == 4000);
  CHECK(json.at("p") == 1e-7);
  CHECK(json.at("rate").get<double>() <= 1e-7);
  CHECK(json.at("m") == 134202);
  CHECK(json.at("k") == 23);
  CHECK(json.at("memory_bits") == 134208);
  CHECK(json.at("mode") == "guaranteed");
  CHECK(json.at("warnings").empty());
  CHECK(json.at("comparison").size() >= 26);
  CHECK(json.at("recommendation").at("filter") == "standard");
  CHECK(json.at("sensitivity").at("shifts").size() >= 6);
  CHECK_FALSE(json.contains("break_even"));
}

TEST_CASE("plan takes quantities as judge and system do", "[cli][plan]") {
  const Json by_options = plan_of("--items 4000 --fpr 1e-7 --probes 20");
  CHECK(plan_of("n=4000 p=1e-7 k=20") == by_options);
  CHECK(plan_of("fpr=1e-7 --items 4000 k=20") == by_options);
  CHECK(plan_of("n=50M memory=64MiB") == plan_of("--items 50M --memory 64MiB"));
  CHECK(plan_of("n=1M m=9.6Mbit") == plan_of("--items 1M --bits 9.6Mbit"));
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"n=4000 --items 4000 --fpr 0.01",
            "plan: n=4000 and --items 4000 are the same quantity; give one of them"},
           {"n=4000 p=0.01 fpr=0.02",
            "plan: fpr=0.02 and --fpr 0.01 are the same quantity; give one of them"},
           {"n=4000 0.01", "plan: found \"0.01\"; quantities are written name=value, such as n=1M"},
           {"n=4000 q=0.01", "plan: unknown quantity \"q\""}}) {
    INFO(arguments);
    const Said said = plan_says(arguments);
    CHECK(said.status == 2);
    CHECK(said.err.find(message) != std::string::npos);
  }
}

TEST_CASE("plan --compatible gives the calculators' answer and says that it misses",
          "[cli][plan]") {
  const Json json = plan_of("--items 4000 --fpr 1e-7 --compatible");
  CHECK(json.at("m") == 134191);
  CHECK(json.at("k") == 23);
  CHECK(json.at("mode") == "compatible");
  CHECK(json.at("rate").get<double>() > 1e-7);
  CHECK_FALSE(json.at("keeps_promise").get<bool>());
  const Said text = plan_says("--items 4000 --fpr 1e-7 --compatible");
  CHECK(text.status == 0);
  CHECK(text.out.find("by its own formula 1 in 9 994 297") != std::string::npos);
}

TEST_CASE("the slides' ten million keys show both sizes, rounded to words and not", "[cli][plan]") {
  const Said said = plan_says("--items 10M --fpr 0.01% --compatible --all");
  CHECK(said.out.find("22.852562 MiB in whole words of 64 bits (22.852560 MiB unrounded)") !=
        std::string::npos);
}

TEST_CASE("any two of items, rate and size are enough, with their units", "[cli][plan]") {
  CHECK(plan_of("--items 50M --memory 64MiB").at("m") == 536870912);
  CHECK(plan_of("--fpr '1 in 10000' --memory '64 MiB'").at("n") ==
        plan_of("--fpr 1e-4 --bits 536870912").at("n"));
  CHECK(plan_of("--fpr 1e-4 --bits 64MiB").at("m") == 536870912);
  CHECK(plan_of("-n 1k -m 10k -k 7").at("k") == 7);
  const Json held = plan_of("--bits 134202 --fpr 1e-7");
  CHECK(held.at("n").get<std::uint64_t>() >= 4000);
  CHECK(held.at("solved_for") == Json({"n", "k"}));
}

TEST_CASE("the whole answer names everything with its unit", "[cli][plan]") {
  const Said said = plan_says("--items 1M --fpr 1e-3 --all");
  REQUIRE(said.status == 0);
  for (const char* part :
       {"A standard Bloom filter for 1 000 000 keys with a rate of at most 0.001",
        "14 377 642 bits", "10 per key", "MiB in whole words of 64 bits", "Which filter",
        "binary_fuse", "not measured on this machine", "Take blocked:", "If a guess is wrong",
        "n + 10 %", "Recommended: blocked for"}) {
    CAPTURE(part);
    CHECK(said.out.find(part) != std::string::npos);
  }
}

TEST_CASE("nonsense gets one line and status 2", "[cli][plan]") {
  const std::string rate =
      "a rate above 0 and below 1 is allowed, such as 1e-4, 0.01% or \"1 in 1000000\"";
  const std::string keys =
      "a whole number of keys from 1 to 2^63 is allowed, such as 10000000, 1e7 or 10M";
  is_refused("--items 4000 --fpr 0", "--fpr: found \"0\"; " + rate);
  is_refused("--items 4000 --fpr 1", "--fpr: found \"1\"; " + rate);
  is_refused("--items 4000 --fpr -0.1", "--fpr: found \"-0.1\"; " + rate);
  is_refused("--items 4000 --fpr nan", "--fpr: found \"nan\"; " + rate);
  is_refused("--items 0 --fpr 0.1", "--items: found \"0\"; " + keys);
  is_refused("--items -3 --fpr 0.1", "--items: found \"-3\"; " + keys);
  is_refused("--items '' --fpr 0.1", "--items: found \"\"; " + keys);
  is_refused("--items '64 M' --fpr 0.1",
             "--items: found \"64 M\"; write the prefix right behind the number, such as 64M");
  const std::string memory =
      "write a number and a unit: 64MiB, 64MB (10^6 bytes), 64Mb (10^6 bits), 512KiB, 1GiB, "
      "4096bits";
  is_refused("--items 4000 --memory '64 M'",
             "--memory: found \"64 M\"; \"M\" is no unit of memory; " + memory);
  is_refused("--items 4000 --memory 64",
             "--memory: found \"64\"; it could mean bits, bytes or megabytes; " + memory);
  is_refused("--items 4000 --bits 100 --memory 1KiB",
             "plan: --bits 100 and --memory of 8192 bits contradict each other; leave one of them "
             "out");
  is_refused("--items 4000 --fpr 0.1 --probes 0",
             "--probes: found \"0\"; a whole number of probes from 1 to 256 is allowed");
  is_refused("--items 1 --bits 5000 --probes 256",
             "plan: 5000 bits for 1 key at k = 256 have a rate below 10^-323, which no number here "
             "distinguishes from 0; leave out --probes, or give fewer");
  is_refused("--items 4000 --bits 9223372036854775809",
             "--bits: found \"9223372036854775809\"; at most 2^63 = 9.22e18 is allowed");
  is_refused("--items 4000 --bits 9223372036854775808",
             "plan: --bits is 9223372036854775808; at most 2^61 is planned with");
  for (const char* mode : {"", " --compatible", " --probes 3", " --probes 3 --compatible"}) {
    const bool by_formula = std::string(mode).ends_with("3 --compatible");
    is_refused(std::string("--items 1e18 --fpr 1e-100") + mode,
               by_formula ? "plan: the calculators' formulas lead beyond 2^61; give smaller "
                            "quantities"
                          : "plan: the --items at this --fpr need more than 2^61 bits; give fewer "
                            "or a higher rate");
  }
  is_refused("",
             "plan: found no quantity; give two of --items, --fpr and --bits (or --memory), "
             "--probes beside them if you like");
  is_refused("--items 4000 --fpr 1e-7 --filter-cost 5ns",
             "plan: --filter-cost is given without --miss-cost; say what a lookup in the store "
             "costs, such as --miss-cost 5ms");
  is_refused("--items 4000 --fpr 1e-7 --keys x",
             "plan: --keys and --absent-keys are for --verify; add it");
  is_refused("--items 4000 --fpr 1e-7 --verify --absent-keys x",
             "plan: --absent-keys is given without --keys; give both, or neither");
  is_refused("--items 4000 --fpr 1e-7 --verify --keys /no/such/file",
             "--keys /no/such/file: no such file");
}

TEST_CASE("the break-even says whether a filter pays", "[cli][plan]") {
  const Json json = plan_of(
                        "--items 10M --fpr 1e-4 --miss-cost 5ms --filter-cost 40ns --hit-ratio 30% "
                        "--lookups 20k/s --memory-price 0.05/GiB")
                        .at("break_even");
  CHECK(json.at("pays") == true);
  CHECK(json.at("filter_cost_ns") == 40.0);
  CHECK(json.at("filter_cost_source") == "as given");
  CHECK(json.at("store_lookups_saved_per_second").get<double>() == Approx(13998.6));
  CHECK(json.at("best_bits_per_key").get<double>() > 20.0);
  const Said said = plan_says("--items 10M --fpr 1e-4 --miss-cost 20ns --filter-cost 40ns");
  CHECK(said.status == 0);
  CHECK(said.out.find("the filter does not pay") != std::string::npos);
  // Not measured: lines are counted, and it is said so.
  CHECK(plan_of("--items 10M --fpr 1e-4 --miss-cost 5ms")
            .at("break_even")
            .at("filter_cost_source")
            .get<std::string>()
            .find("not measured") != std::string::npos);
}

TEST_CASE("measured times come from the calibration file", "[cli][plan]") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "bloomlab");
  write(folder / "bloomlab/calibration.json", R"({"format": "bloomlab-calibration-1",
 "filters": [{"filter": "blocked", "n": 1000, "bits_per_key": 10, "memory_bytes": 1000,
              "insert_ns": 1.0, "negative_ns": 2.0, "positive_ns": 3.0},
             {"filter": "blocked", "n": 100000000, "bits_per_key": 10, "memory_bytes": 1e9,
              "insert_ns": 7.0, "negative_ns": 8.0, "positive_ns": 9.0}]})");
  const Said said = shell("XDG_CACHE_HOME=" + (folder / "") +
                          " \"$BLOOMLAB\" plan --items 10M --fpr 1e-3 --miss-cost 1ms --json");
  INFO(said.err);
  REQUIRE(said.status == 0);
  const Json json = Json::parse(said.out);
  for (const Json& one : json.at("comparison")) {
    CHECK(one.value("measured", false) == (one.at("filter") == "blocked"));
    if (one.at("filter") != "blocked") continue;
    // Between the two sizes, over the logarithm of the memory.
    CHECK(one.at("absent_ns").get<double>() > 4.0);
    CHECK(one.at("absent_ns").get<double>() < 8.0);
  }
  CHECK(json.at("break_even").at("filter_cost_source") == "measured for blocked");
  for (const char* content : {R"({"format": "else"})", R"({"format": 7})", "{}", "[]"}) {
    INFO(content);
    write(folder / "broken.json", content);
    const Said broken = plan_says("--items 10 --fpr 0.1 --calibration " + (folder / "broken.json"));
    CHECK(broken.status == 2);
    CHECK(broken.err == "bloomlab: " + (folder / "broken.json") +
                            ": no calibration of the format bloomlab-calibration-1; write it anew "
                            "with bloomlab bench --calibrate\n");
  }
}

TEST_CASE("without a calibration plan shows the reference run's times, which decide nothing",
          "[cli][plan]") {
  const Json result =
      Json::parse(std::ifstream(std::string(BLOOMLAB_SOURCE_DIR) + "/results/throughput.json"));
  const std::string cpu = result.at("provenance").at("machine").at("cpu");
  std::vector<double> medians;
  for (const Json& entry : result.at("cells")) {
    if (entry.at("cell").at("implementation") != "standard" || entry.at("cell").at("n") != 1000000)
      continue;
    for (const Json& run : entry.at("timing").at("negative_ns")) {
      medians.push_back(run.at(0).get<double>() / result.at("config").at("queries").get<double>());
    }
  }
  std::ranges::sort(medians);
  REQUIRE(medians.size() == 10);
  const Json plan = plan_of("--items 1M --bits 10M --miss-cost 1ms");
  CHECK(plan.at("calibration").is_null());
  CHECK(plan.at("reference_processor") == cpu);
  CHECK_THAT(plan.at("break_even").at("filter_cost_source").get<std::string>(),
             Catch::Contains("not measured"));
  int shown = 0;
  for (const Json& one : plan.at("comparison")) {
    CHECK_FALSE(one.value("measured", false));
    if (one.contains("reference")) ++shown;
    if (one.at("filter") != "standard") continue;
    CHECK(one.at("reference").at("absent_ns").get<double>() ==
          Approx((medians[4] + medians[5]) / 2.0));
  }
  CHECK(shown == 7);
  // Its maker and model, without trademarks and clock.
  const std::string maker = cpu.substr(0, cpu.find_first_of(" ("));
  const std::string table = plan_says("--items 1M --bits 10M --all").out;
  const std::string advice = plan_says("--items 1M --bits 10M").out;
  CHECK_THAT(table, Catch::Contains("; ns on " + maker));
  CHECK_THAT(advice, Catch::Contains("; reference run, " + maker));
  for (const std::string& text : {table, advice}) {
    CHECK_THAT(text, !Catch::Contains("(R)") && !Catch::Contains("GHz"));
  }
}

TEST_CASE("the reference run's times are not carried beyond its sizes", "[cli][plan]") {
  for (const char* outside : {"--items 100 --fpr 1%", "--items 100M --fpr 1%"}) {
    CAPTURE(outside);
    const Json plan = plan_of(outside);
    CHECK(plan.at("reference_processor").is_null());
    for (const Json& one : plan.at("comparison")) CHECK_FALSE(one.contains("reference"));
    CHECK(plan_says(std::string(outside) + " --all").out.find("ns on") == std::string::npos);
    CHECK_THAT(plan_says(outside).out, Catch::Contains("  time          not measured; "));
  }
}

TEST_CASE("the emitted config is one that check accepts", "[cli][plan]") {
  const TemporaryFolder folder;
  for (const char* goal : {"--items 1M --fpr 1e-3", "--items 1000 --fpr 0.01"}) {
    const Said written = plan_says(std::string(goal) + " --emit-config " + (folder / "mine.json"));
    INFO(written.err);
    REQUIRE(written.status == 0);
    const Said checked = bloomlab_says("check " + (folder / "mine.json"));
    INFO(checked.err);
    CHECK(checked.status == 0);
    CHECK(checked.out.find("1 cell") != std::string::npos);
    // Another plan's config is not written over it.
    const Said other = plan_says("--items 2M --fpr 1e-3 --emit-config " + (folder / "mine.json"));
    CHECK(other.status == 2);
    CHECK(other.err.find(" is there already and holds something else") != std::string::npos);
    std::filesystem::remove(folder / "mine.json");
  }
}

TEST_CASE("a config that check would refuse is not written", "[cli][plan]") {
  const TemporaryFolder folder;
  const std::string file = folder / "mine.json";
  const Said many = plan_says("--items 1e15 --memory 64bits --emit-config " + file);
  CHECK(many.status == 2);
  CHECK(many.out.empty());
  CHECK(many.err ==
        "bloomlab: --emit-config: this plan cannot be measured here, nothing is written: " + file +
            ": /grid/n: found 1000000000000000; n must be an integer from 1 to 1099511627776\n");
  CHECK_FALSE(std::filesystem::exists(file));
  const Said large = plan_says("--items 1e12 --fpr 0.01 --emit-config " + file);
  CHECK(large.status == 2);
  CHECK(large.err.find("this plan cannot be measured here, nothing is written: " + file +
                       ": /grid/filter: needs 1.13 TiB of memory") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(file));
  const Said nameless = plan_says("--items 1000 --fpr 0.01 --emit-config ''");
  CHECK(nameless.status == 2);
  CHECK(nameless.err ==
        "bloomlab: --emit-config: found an empty name; give a file, such as mine.json\n");
}

TEST_CASE("plan --plot draws the rate against n, m and k", "[cli][plan]") {
  const TemporaryFolder folder;
  REQUIRE(plan_says("--items 1000 --fpr 0.01 --plot " + (folder / "figures")).status == 0);
  for (const char* name : {"plan_rate_by_n.svg", "plan_rate_by_m.svg", "plan_rate_by_k.svg"}) {
    CHECK(read(folder / ("figures/" + std::string(name))).find("<svg") != std::string::npos);
  }
}

TEST_CASE("plan --verify builds the filter and says that the promise holds", "[cli][plan]") {
  // One sided at 99.5 %, fixed seeds: what holds once holds always.
  const Json json = plan_of("--items 20k --fpr 0.01 --verify").at("verification");
  CHECK(json.at("holds") == true);
  CHECK(json.at("n") == 20000);
  CHECK(json.at("fraction_of_planned_n") == 1.0);
  CHECK(json.at("false_negatives") == 0);
  CHECK(json.at("rate_low").get<double>() <= 0.01);
  CHECK(json.at("rate").get<double>() == Approx(0.01).epsilon(0.1));
  CHECK(json.at("filters").get<int>() > 1);
}

TEST_CASE("plan --compatible --verify builds the filter that it prints, which misses its rate",
          "[cli][plan]") {
  // Large enough for another filter to be recommended where the form is free.
  const std::string asked = "--items 1M --fpr 1% --compatible --verify";
  const Said said = plan_says(asked + " --json");
  CHECK(said.status == 1);
  const Json json = Json::parse(said.out);
  CHECK(json.at("keeps_promise") == false);
  const Json& verified = json.at("verification");
  CHECK(verified.at("filter").at("kind") == "standard");
  CHECK(verified.at("filter").at("m") == 9'585'059);
  CHECK(verified.at("filter").at("k") == 7);
  CHECK(json.at("m") == 9'585'059);
  CHECK(verified.at("predicted_rate") == json.at("rate"));
  CHECK(verified.at("rate_holds") == true);  // no measurement notices 0.4 %
  CHECK(verified.at("exact_rate_holds") == false);
  CHECK(verified.at("holds") == false);
  const Said text = plan_says(asked);
  CHECK(text.status == 1);
  CHECK(text.out.starts_with("Take standard m=9585059 k=7 for 1 000 000 keys"));
  CHECK(text.out.find("the calculators' answer was asked for, though it misses the rate\n") !=
        std::string::npos);
  CHECK(text.out.find("Verified: standard, k = 7, with 1 000 000 keys") != std::string::npos);
  CHECK(text.out.ends_with(
      "The exact rate of this filter is above the promised one, measured or not.\n"
      "The promise does not hold.\n"));
}

TEST_CASE("headline, recommendation, break-even and verification speak of one filter",
          "[cli][plan]") {
  for (const char* goal :
       {"--items 1M --fpr 1%", "--items 100k --fpr 1% --probes 5", "--items 20k --fpr 0.01",
        "--fpr 1% --memory 2MiB", "--items 1M --memory 1300kB", "--items 1M --fpr 1% --bits 9.7M",
        "--items 100k --fpr 1% --compatible"}) {
    INFO(goal);
    const std::string costs = std::string(goal) + " --miss-cost 5ms --filter-cost 100ns";
    const Json json = Json::parse(plan_says(costs + " --verify --json").out);
    const Json& taken = json.at("recommendation");
    CHECK(json.at("verification").at("filter") == taken.at("parameters"));
    CHECK(json.at("verification").at("predicted_rate") == taken.at("rate"));
    CHECK(json.at("verification").at("memory_holds") == true);
    const Json& store = json.at("break_even");
    CHECK(store.at("filter") == taken.at("filter"));
    CHECK(store.at("rate") == taken.at("rate"));
    CHECK(store.at("with_filter_ns").get<double>() ==
          Approx(100.0 + taken.at("rate").get<double>() * 5e6).epsilon(1e-12));
    if (taken.at("filter") == "standard") {
      CHECK(taken.at("parameters").at("m") == json.at("m"));
      CHECK(taken.at("parameters").at("k") == json.at("k"));
      CHECK(taken.at("rate") == json.at("rate"));
    }
    const std::string text = plan_says(costs).out;
    const std::string name = taken.at("filter");
    CHECK(text.starts_with("Take " + name + " "));
    const std::string whole = plan_says(costs + " --all").out;
    CHECK(whole.starts_with(name == "standard" ? "A standard Bloom filter for "
                                               : "Recommended: " + name + " for "));
    CHECK(whole.find("Take " + name) != std::string::npos);
    CHECK(text.find("In front of the store, the filter " + name + " with a rate of ") !=
          std::string::npos);
  }
}

TEST_CASE("what was given is kept by the recommended filter", "[cli][plan]") {
  // A blocked filter for these keys and this rate takes more than 64 MiB.
  const Json sized = plan_of("--fpr 1% --memory 64MiB");
  CHECK(sized.at("recommendation").at("memory_bits").get<std::uint64_t>() <= 536870912);
  CHECK(sized.at("recommendation").at("filter") == "standard");
  const Json probes = plan_of("--items 10M --fpr 1e-3 --probes 4");
  CHECK(probes.at("recommendation").at("parameters").at("k") == 4);
  CHECK(probes.at("recommendation").at("parameters").at("m") == probes.at("m"));
  const Json bits = plan_of("--items 1000 --bits 10001");
  CHECK(bits.at("recommendation").at("parameters").at("m") == 10001);
  const Json three = plan_of("--items 1M --fpr 1% --memory 64MiB");
  CHECK(three.at("recommendation").at("parameters").at("m") == 536870912);
  CHECK(three.at("recommendation")
            .at("sentence")
            .get<std::string>()
            .starts_with("Take standard with this m and k: this size was asked for."));
}

TEST_CASE("filters that delete or grow are named with the memory and rate of the same request",
          "[cli][plan]") {
  const std::string given =
      plan_of("--items 40M --memory 64MiB").at("recommendation").at("sentence");
  CHECK(given.find("If keys are deleted, take cuckoo (18.5 bits per key, 88.0 MiB, rate 0.00116, "
                   "more than the memory given; within it the rate is 0.0369).") !=
        std::string::npos);
  CHECK(given.find("If n is not known, take scalable (") != std::string::npos);
  CHECK(given.find("more than the memory given; within it the rate is 0.0507).") !=
        std::string::npos);
  const std::string rate = plan_of("--items 40M --fpr 0.002").at("recommendation").at("sentence");
  CHECK(
      rate.find("If keys are deleted, take cuckoo (18.5 bits per key, 88.0 MiB, rate 0.00116).") !=
      std::string::npos);
}

TEST_CASE("tables of hashes are not called exact, since they err where two hashes are equal",
          "[cli][plan]") {
  const Json plan = plan_of("--items 1M --fpr 1e-3");
  for (const Json& one : plan.at("comparison")) {
    const std::string name = one.at("filter");
    INFO(name);
    const bool keeps_keys = name == "unordered_set" || name == "std_set" ||
                            name == "sorted_vector" || name == "linear_list" ||
                            name == "direct_bitmap";
    CHECK(one.at("exact") == keeps_keys);
    if (one.at("available") == false) continue;
    CHECK((one.at("rate") == 0.0) == keeps_keys);
  }
}

TEST_CASE("one per cent more keys have one number", "[cli][plan]") {
  const Said said = plan_says("--items 1M --fpr 1e-3 --all");
  CHECK(said.out.find("  n + 1 %       rate 0.001071, +7.1 %\n") != std::string::npos);
  CHECK(said.out.find("1 % more keys") == std::string::npos);
  // Ten keys and one more are no per cent.
  const Said few = plan_says("--items 10 --fpr 1e-3 --all");
  CHECK(few.out.find("  n + 1         rate ") != std::string::npos);
  CHECK(few.out.find("n + 1 %") == std::string::npos);
  CHECK(few.out.find("n + 10 %") == std::string::npos);
}

TEST_CASE("room for more keys is compared once the scalable filter has grown", "[cli][plan]") {
  // 40 M keys in 64 MiB: at 1.5 times as many the scalable filter has two layers.
  const Json growth = plan_of("--items 40M --memory 64MiB").at("sensitivity").at("growth");
  REQUIRE(growth.size() == 5);
  constexpr double mebibyte = 8.0 * (1 << 20);
  CHECK(growth[0].at("plain_bits").get<double>() / mebibyte == Approx(64.0).margin(0.1));
  CHECK(growth[0].at("scalable_bits").get<double>() / mebibyte == Approx(83.3).margin(0.5));
  CHECK(growth[1].at("scalable_bits").get<double>() / mebibyte == Approx(252.0).margin(1.0));
  CHECK(growth[1].at("plain_bits").get<double>() / mebibyte == Approx(96.0).margin(0.1));
  CHECK(growth[1].at("layers") == 2);
  for (const Json& row : growth) CHECK(row.at("scalable_bits") > row.at("plain_bits"));
  const Said said = plan_says("--items 40M --memory 64MiB --all");
  CHECK(said.out.find("takes less memory than a filter for the largest n") == std::string::npos);
  CHECK(said.out.find("  n x 1.5       96.00 MiB plain, 252") != std::string::npos);
  CHECK(said.out.find("less than the plain one up to 40 000 000 keys") != std::string::npos);
  CHECK(said.out.find("Once grown, the scalable filter takes more each time") != std::string::npos);
}

TEST_CASE("the columns of plan's tables never run together", "[cli][plan]") {
  // Rates of 10^-9 and less are written with an exponent, in more bytes than characters.
  const Said said = bloomlab_says("plan --items 1G --fpr 1e-9 --levels 7 --growth 300%/year");
  CHECK(said.status == 0);
  static const std::regex run_together(R"(\d\.\d+\.\d|%\d|iB\d|\d{7,})");
  std::istringstream lines(said.out);
  bool in_table = false;
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  level") || line.starts_with("  year")) in_table = true;
    if (!in_table || line.starts_with("  False") || line.starts_with("  Rebuilt")) {
      in_table = false;
      continue;
    }
    INFO(line);
    CHECK_FALSE(std::regex_search(line, run_together));
    ++rows;
  }
  CHECK(rows >= 8);
}

TEST_CASE("plan --verify takes keys and absent keys from files", "[cli][plan]") {
  const TemporaryFolder folder;
  std::string keys;
  std::string absent_keys;
  for (int i = 0; i < 3000; ++i) keys += "key " + std::to_string(i) + "\n";
  for (int i = 0; i < 60000; ++i) absent_keys += "other " + std::to_string(i) + "\n";
  write(folder / "keys", keys);
  write(folder / "absent_keys", absent_keys + keys);  // lines that are keys are left out
  const Json json = plan_of("--items 3000 --fpr 0.02 --verify --keys " + (folder / "keys") +
                            " --absent-keys " + (folder / "absent_keys"))
                        .at("verification");
  CHECK(json.at("holds") == true);
  CHECK(json.at("queries").get<std::uint64_t>() == 60000 * json.at("filters").get<std::uint64_t>());
  const Json fewer =
      plan_of("--items 6000 --fpr 0.02 --verify --keys " + (folder / "keys")).at("verification");
  CHECK(fewer.at("n") == 3000);
  CHECK(fewer.at("fraction_of_planned_n") == 0.5);
}
