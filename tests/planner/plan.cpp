#include "planner/plan.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "core/filters/detail/search.hpp"
#include "core/theory/standard.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "tests/paths.hpp"
#include "tests/thrown.hpp"

using namespace bloomlab::planner;
using bloomlab::theory::exact_fpr;

namespace {

nlohmann::json golden_rows(const std::string& name) {
  std::ifstream file(BLOOMLAB_SOURCE_DIR "/tests/theory/golden/" + name + ".json");
  return nlohmann::json::parse(file).at("rows");
}

std::string refusal_of(const Request& request) {
  return bloomlab::tests::thrown([&] { (void)plan(request); });
}

}  // namespace

TEST_CASE("the slides' example: the calculator misses its rate, the guaranteed plan keeps it",
          "[planner]") {
  const Plan popular = plan({.n = 4000, .p = 1e-7, .mode = Mode::compatible});
  CHECK(popular.m == 134191);
  CHECK(popular.k == 23);
  CHECK(one_in_text(popular.approximate_rate) == "1 in 9 994 297");
  CHECK_FALSE(popular.keeps_promise());
  REQUIRE(popular.warnings.size() == 1);
  CHECK(popular.warnings.front() ==
        "misses the requested rate: exactly 1 in 9 987 888 (by its own formula 1 in 9 994 297) "
        "instead of 1 in 10 000 000, +0.12 %; 134 202 bits and k = 23 keep it");
  const Plan kept = plan({.n = 4000, .p = 1e-7});
  CHECK(kept.m == 134202);
  CHECK(kept.k == 23);
  CHECK(kept.keeps_promise());
  CHECK(kept.warnings.empty());
  CHECK(kept.memory_bits == 134208);
  CHECK(kept.solved_for == std::vector<std::string>{"m", "k"});
}

TEST_CASE("ten million keys at 1e-4 take the slides' 22.852562 MiB in whole words", "[planner]") {
  const Plan popular = plan({.n = 10'000'000, .p = 1e-4, .mode = Mode::compatible});
  CHECK(popular.m == 191'701'168);
  CHECK(static_cast<double>(popular.memory_bits) / 8 / 1048576 == Approx(22.852562).margin(5e-7));
}

TEST_CASE("every golden size and every golden k is found", "[planner][golden]") {
  for (const auto& row : golden_rows("optimal_sizing")) {
    const auto n = row.at("n").get<std::uint64_t>();
    const auto p = row.at("p").get<double>();
    CAPTURE(n, p);
    CHECK(plan({.n = n, .p = p}).m == row.at("value").get<std::uint64_t>());
    const Plan popular = plan({.n = n, .p = p, .mode = Mode::compatible});
    CHECK(popular.m == row.at("hurst_m").get<std::uint64_t>());
    CHECK(popular.k == row.at("hurst_k").get<std::uint64_t>());
  }
  for (const auto& row : golden_rows("optimal_k")) {
    const auto m = row.at("m").get<std::uint64_t>();
    const auto n = row.at("n").get<std::uint64_t>();
    CAPTURE(m, n);
    CHECK(plan({.n = n, .m = m}).k == row.at("value").get<std::uint64_t>());
  }
}

TEST_CASE("a thousand random plans keep their rate and are the smallest that do", "[planner]") {
  std::mt19937_64 random(20261121);
  for (int i = 0; i < 1000; ++i) {
    const double share = static_cast<double>(random() % 10000) / 10000.0;
    const auto n = static_cast<std::uint64_t>(std::pow(10.0, 9.0 * share));
    const double p = std::pow(10.0, -9.0 * static_cast<double>(1 + random() % 9999) / 10000.0);
    CAPTURE(n, p);
    const Plan made = plan({.n = n, .p = p});
    CHECK(made.rate <= p);
    CHECK(made.rate == exact_fpr(made.m, n, made.k));
    for (std::uint64_t k = 1; k <= 48; ++k) {
      if (made.m > 1) CHECK(exact_fpr(made.m - 1, n, k) > p);
      CHECK(exact_fpr(made.m, n, k) >= made.rate);
    }
    // There and back: the filter holds its keys, and its capacity is rounded down.
    const Plan back = plan({.p = p, .m = made.m});
    CHECK(back.n >= n);
    CHECK(back.rate <= p);
    for (std::uint64_t k = 1; k <= 48; ++k) CHECK(exact_fpr(made.m, back.n + 1, k) > p);
  }
}

TEST_CASE("a given k is kept: the size is the smallest for it, the capacity the largest",
          "[planner]") {
  std::mt19937_64 random(20261122);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t n = 1 + random() % 100000;
    const std::uint64_t k = 1 + random() % 20;
    const double p = std::pow(10.0, -5.0 * static_cast<double>(1 + random() % 999) / 1000.0);
    CAPTURE(n, k, p);
    const Plan sized = plan({.n = n, .p = p, .k = k});
    CHECK(sized.k == k);
    CHECK(exact_fpr(sized.m, n, k) <= p);
    if (sized.m > 1) CHECK(exact_fpr(sized.m - 1, n, k) > p);
    const Plan held = plan({.p = p, .m = sized.m, .k = k});
    CHECK(held.n >= n);
    CHECK(exact_fpr(sized.m, held.n, k) <= p);
    CHECK(exact_fpr(sized.m, held.n + 1, k) > p);
  }
}

TEST_CASE("n and m give the rate, and memory counts as m", "[planner]") {
  const Plan rated = plan({.n = 1000, .m = 10000, .k = 7});
  CHECK(rated.rate == exact_fpr(10000, 1000, 7));
  CHECK(rated.p == rated.rate);
  CHECK(rated.solved_for == std::vector<std::string>{"p"});
  CHECK(plan({.n = 1000, .m = 10000}).k == 7);
  const Plan memory = plan({.n = 50'000'000, .memory_bits = std::uint64_t{64} << 23});
  CHECK(memory.m == 536'870'912);
  CHECK(memory.solved_for == std::vector<std::string>{"p", "k"});
  // As many words as the bits need is no contradiction.
  CHECK(plan({.n = 10, .m = 100, .memory_bits = 128}).m == 100);
}

TEST_CASE("the calculators' other formulas: n is rounded up, p is approximate", "[planner]") {
  const auto compatible = Mode::compatible;
  const Plan rated = plan({.n = 1000, .m = 10000, .mode = compatible});
  CHECK(rated.k == 7);
  CHECK(rated.p == bloomlab::theory::approx_fpr(10000, 1000, 7));
  CHECK(rated.rate > rated.p);
  const Plan held = plan({.p = 0.01, .m = 10000, .k = 7, .mode = compatible});
  CHECK(static_cast<double>(held.n) ==
        std::ceil(10000.0 / (-7.0 / std::log(1.0 - std::exp(std::log(0.01) / 7.0)))));
  CHECK(plan({.p = 0.01, .m = 10000, .k = 7}).n == held.n - 1);
  const Plan sized = plan({.n = 1000, .p = 0.01, .k = 3, .mode = compatible});
  CHECK(static_cast<double>(sized.m) ==
        std::ceil(1000.0 * -3.0 / std::log(1.0 - std::exp(std::log(0.01) / 3.0))));
}

TEST_CASE("extreme plans are made at once and keep their rate", "[planner]") {
  for (const std::uint64_t n : {1ULL, 2ULL, 1'000'000'000'000ULL}) {
    for (const double p : {0.999, 0.5, 1e-9, 1e-30}) {
      CAPTURE(n, p);
      const Plan made = plan({.n = n, .p = p});
      CHECK(made.rate <= p);
      CHECK(plan({.p = p, .m = made.m}).n >= n);
    }
  }
}

TEST_CASE("too little, too much and contradictions are one line each", "[planner]") {
  CHECK(refusal_of({}) ==
        "plan: found no quantity; give two of --items, --fpr and --bits (or --memory), --probes "
        "beside them if you like");
  CHECK(refusal_of({.n = 5, .k = 3}) ==
        "plan: found only --items and --probes; give two of --items, --fpr and --bits (or "
        "--memory), --probes beside them if you like");
  CHECK(refusal_of({.n = 10, .m = 100, .memory_bits = 8192}) ==
        "plan: --bits 100 and --memory of 8192 bits contradict each other; leave one of them out");
  CHECK(refusal_of({.n = 4000, .p = 1e-7, .m = 134201}) ==
        "plan: 134201 bits for 4000 keys cannot keep the rate 1\xC3\x97"
        "10\xE2\x81\xBB\xE2\x81\xB7: the lowest, at k = 23, is 1.00002\xC3\x97"
        "10\xE2\x81\xBB\xE2\x81\xB7; give at least 134202 bits, or leave one of the three out");
  CHECK(refusal_of({.n = 100, .p = 0.01, .m = 1000, .k = 2}) ==
        "plan: 1000 bits for 100 keys cannot keep the rate 0.01 with 2 probes: it is 0.0329026; "
        "give at least 1899 bits, or leave one of the three out");
  CHECK(refusal_of({.p = 1e-9, .m = 3}) ==
        "plan: 3 bits for 1 key cannot keep the rate 1\xC3\x97"
        "10\xE2\x81\xBB\xE2\x81\xB9; give more bits or a higher rate");
  CHECK(refusal_of({.n = 0, .p = 0.1}) == "plan: --items is 0; a filter is planned for at least 1");
  CHECK(refusal_of({.n = 5, .m = 0}) == "plan: --bits is 0; a filter has at least 1 bit");
  CHECK(refusal_of({.n = 5, .memory_bits = 0}) ==
        "plan: --memory is 0; a filter has at least 1 bit");
  for (const double p : {0.0, 1.0, -0.5, 2.0, std::nan("")}) {
    CHECK(refusal_of({.n = 5, .p = p}) ==
          "plan: --fpr is outside 0 to 1; a rate lies strictly between");
  }
  CHECK(refusal_of({.n = 5, .p = 0.1, .k = 0}) == "plan: --probes is 0; from 1 to 256 is allowed");
  CHECK(refusal_of({.n = 5, .m = std::uint64_t{1} << 62}) ==
        "plan: --bits is 4611686018427387904; at most 2^61 is planned with");
}

TEST_CASE("a plan warns of filters that hardly filter, and of those larger than a table",
          "[planner]") {
  const Plan full = plan({.n = 1000, .m = 100});
  REQUIRE(full.warnings.size() == 1);
  CHECK(full.warnings.front().find("it hardly filters") != std::string::npos);
  const Plan empty = plan({.n = 1000, .p = 1e-30});
  REQUIRE(empty.warnings.size() == 2);
  CHECK(empty.warnings.front().find("a table of 8-byte fingerprints is smaller") !=
        std::string::npos);
  CHECK(empty.warnings.back().find("a hash of 64 bits is too short here") == 0);
}

TEST_CASE("a plan says where hashes of 64 bits alone miss its rate", "[planner]") {
  // Of ten million keys equal hashes of 64 bits have a rate of 10^7 / 2^64 = 5.42e-13.
  const Plan low = plan({.n = 10'000'000, .p = 1e-15});
  REQUIRE(low.warnings.size() == 1);
  CHECK(low.warnings.front() ==
        "a hash of 64 bits is too short here: equal hashes alone give a rate of "
        "5.42×10⁻¹³; take positions from more bits, as the scheme independent does");
  CHECK(plan({.n = 10'000'000, .p = 5.0e-11}).warnings.size() == 1);
  CHECK(plan({.n = 10'000'000, .p = 5.5e-11}).warnings.empty());
}

TEST_CASE("the ends of a property are found from any guess", "[planner][search]") {
  for (std::uint64_t end = 1; end <= 41; ++end) {
    for (std::uint64_t guess = 0; guess <= 50; ++guess) {
      CAPTURE(end, guess);
      CHECK(bloomlab::detail::smallest(1, 40, guess, [&](std::uint64_t x) { return x >= end; }) ==
            end);
      CHECK(bloomlab::detail::largest(1, 40, guess, [&](std::uint64_t x) { return x < end; }) ==
            end - 1);
    }
  }
}
