// Audits: right filters are clean, defects are named, and filters that fail are findings.
#include "audit/audit.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "audit/attempt.hpp"
#include "audit/expected_layout.hpp"
#include "audit/page.hpp"
#include "tests/audit/black_box.hpp"
#include "tests/audit/classes.hpp"
#include "tests/foreign/examples.hpp"

namespace {

using namespace bloomlab;
using namespace bloomlab::audit;
using tests::examined;

Report quick_audit(std::string_view mutant) {
  return audit::audit(examined(experiments::mutant(mutant)), quick_plan(0));
}

const Finding* broken(const Report& report) {
  const auto found = std::ranges::find(report.findings, true, &Finding::breaks_promise);
  return found == report.findings.end() ? nullptr : &*found;
}

std::size_t promises_broken(const Report& report) {
  return static_cast<std::size_t>(
      std::ranges::count(report.findings, true, &Finding::breaks_promise));
}

Examined picky(const std::string& fault) {
  return {.name = "picky",
          .start =
              [fault] {
                return foreign::start({.command = {"python3", "picky.py", fault},
                                       .folder = BLOOMLAB_SOURCE_DIR "/tests/foreign/filters"});
              },
          .bits_per_key = 10.0};
}

}  // namespace

TEST_CASE("filters without a defect are clean", "[audit]") {
  for (const char* control : {"none_standard", "none_blocked", "none_partitioned"}) {
    CAPTURE(control);
    const Report report = quick_audit(control);
    CHECK(report.holds());
    CHECK(report.findings.empty());
    CHECK(report.rates.size() == 10 + 6);
    CHECK(page(report).find("No promise was broken.") != std::string::npos);
  }
}

TEST_CASE("gross defects are named by their class in a quick audit", "[audit]") {
  for (const char* defect : {"shift_in_32_bits", "clamped_remainder", "equal_seeds",
                             "query_probe_missing", "lost_key_in_1000", "batch_end_lost",
                             "text_keys", "cleared_too_few", "last_probe_inverted"}) {
    CAPTURE(defect);
    const Report report = quick_audit(defect);
    CHECK_FALSE(report.holds());
    REQUIRE(broken(report) != nullptr);
    const auto expected =
        std::ranges::find(tests::defect_classes, defect, &tests::DefectClass::defect)->expected;
    CHECK(name(broken(report)->kind) == name(expected));
  }
}

TEST_CASE("a hash that ignores its seed is worth knowing and no fault", "[audit]") {
  const Report report = quick_audit("seed_ignored");
  CHECK(report.holds());
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings.front().kind == Class::seed_ignored);
}

TEST_CASE("a shared library is audited in its own process", "[audit]") {
  const Examined examined{.name = "the example",
                          .start = [] { return foreign::start(tests::c_example()); },
                          .bits_per_key = 10.0};
  const Report report = audit::audit(examined, quick_plan(0));
  CHECK(report.evidence.failure.empty());
  CHECK(report.holds());
  for (const RateCell& cell : report.evidence.rates) CHECK(cell.lost == 0);
  const auto card = json(report);
  CHECK(card.at("holds") == true);
  CHECK(card.at("rates").size() == report.rates.size());
}

TEST_CASE("a filter that fails is a finding that says how", "[audit]") {
  const Examined examined{.name = "faulty",
                          .start = [] { return foreign::start(tests::faulty("crash", "query")); },
                          .bits_per_key = 10.0};
  const Report report = audit::audit(examined, quick_plan(0));
  CHECK_FALSE(report.holds());
  REQUIRE(promises_broken(report) == 1);
  CHECK_THAT(broken(report)->text, Catch::StartsWith("The filter failed: "));
}

TEST_CASE("a program that never greets could not be queried, and is not said to break a promise",
          "[audit]") {
  foreign::Target silent = tests::faulty("crash", "query");
  silent.command = {"true"};
  const Examined examined{
      .name = "silent", .start = [&] { return foreign::start(silent); }, .bits_per_key = 10.0};
  const Report report = audit::audit(examined, quick_plan(0));
  CHECK(report.evidence.never_started);
  CHECK_FALSE(report.holds());
  CHECK_THAT(audit::page(report),
             Catch::StartsWith("# Audit of silent\n\nIt could not be queried, and nothing of it is "
                               "judged: ") &&
                 !Catch::Contains("promise"));
  REQUIRE(promises_broken(report) == 1);
  CHECK(broken(report)->text ==
        "It could not be queried, and nothing of it is judged: " + report.evidence.failure + ".");
  CHECK(audit::json(report).at("findings").at(0).at("text") == broken(report)->text);
}

TEST_CASE("a filter that raises on the empty key is measured without it", "[audit]") {
  const Report report = audit::audit(picky("empty"), quick_plan(0));
  CHECK(report.evidence.failure.empty());
  CHECK(report.rates.size() == 10 + 6);
  CHECK_FALSE(report.holds());
  REQUIRE(promises_broken(report) == 1);
  CHECK_THAT(broken(report)->text, Catch::StartsWith("Fails on the key \"\" ("));
  CHECK(report.findings.front().kind == Class::refused_keys);
  for (const LossCheck& check : report.evidence.checks) {
    CAPTURE(check.situation);
    const bool has_empty =
        check.situation.starts_with("keys of 0 to 300 bytes") || check.situation == "the empty key";
    CHECK(check.refused == (has_empty ? 1 : 0));
    CHECK(check.lost == 0);
  }
}

TEST_CASE("a part of the audit that a filter raises in costs that part alone", "[audit]") {
  Plan plan{.sizes = {{64, 4, 200, {0.5, 1.0}}, {1000, 2, 200, {1.0}}}};
  plan.repeated_answers = 1000;
  plan.source_queries = 100;
  plan.source_filters = 1;
  struct Raising {
    const char* fault;
    std::string parts;
    std::size_t sources, findings;
  };
  for (const Raising& raising :
       {Raising{"save", "after save and load; after merge; bits that are reached.", 6, 1},
        {"load", "after save and load.", 6, 1},
        {"merge", "after merge.", 6, 1},
        {"remove",
         "inserted 2 times, deleted 1 times; inserted 4 times, deleted 3 times; inserted 20 times, "
         "deleted 19 times.",
         6, 1},
        {"text=https", "rates of addresses in the web.", 5, 2}}) {
    const Report report = audit::audit(picky(raising.fault), plan);
    CAPTURE(raising.fault);
    CHECK(report.evidence.failure.empty());
    CHECK_FALSE(report.holds());
    REQUIRE(promises_broken(report) == raising.findings);
    CHECK_THAT(broken(report)->text, Catch::StartsWith("The filter failed: ") &&
                                         Catch::EndsWith("Not measured: " + raising.parts));
    CHECK(report.rates.size() == 3 + raising.sources);
    CHECK(report.evidence.twins.size() == 13);
    for (const LossCheck& check : report.evidence.checks) CHECK(check.lost == 0);
    for (const FailedPart& failed : report.evidence.failed) {
      const auto check =
          std::ranges::find(report.evidence.checks, failed.part, &LossCheck::situation);
      if (check != report.evidence.checks.end()) CHECK(check->skipped == failed.error);
    }
  }
}

TEST_CASE("a filter that fails again and again is given up, with what was not tried", "[audit]") {
  Evidence evidence;
  int calls = 0;
  const auto fail_by = [&](foreign::FailureKind kind) {
    return [&, kind] {
      ++calls;
      throw foreign::Failure(kind, "out of order");
    };
  };
  for (int i = 0; i < 20; ++i) {
    audit::detail::attempted(evidence, "part " + std::to_string(i),
                             fail_by(foreign::FailureKind::ended));
  }
  CHECK(calls == 8);
  CHECK(evidence.failed.size() + evidence.untried.size() == 20);
  evidence = {};
  calls = 0;
  for (int i = 0; i < 20; ++i) {
    audit::detail::attempted(evidence, "part", fail_by(foreign::FailureKind::timeout));
  }
  CHECK(calls == 2);
}

TEST_CASE("keys of one form with a rate of their own are a finding with its interval", "[audit]") {
  const Report report = audit::audit(picky("integers"), quick_plan(0));
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings.front().kind == Class::weak_hash);
  CHECK(report.findings.front().breaks_promise);
  CHECK_THAT(report.findings.front().text, Catch::Contains("] of integers from 0 on where 0.00") &&
                                               Catch::Contains(", of random integers 0.0") &&
                                               !Catch::Contains("] of numbers as text"));
}

TEST_CASE("laws that nothing bends are the closed forms", "[audit]") {
  for (const char* kind : {"standard", "partitioned", "blocked", "split_block"}) {
    CAPTURE(kind);
    const Layout layout = layout_of({{"kind", kind}, {"m", 102'400}, {"k", 7}}, 10'240, 10'240, 1);
    for (const std::uint64_t n : {1'000U, 10'240U, 40'000U}) {
      CHECK(bent_rate(layout, static_cast<double>(n), {}) == Approx(rate(layout, n)).epsilon(0.01));
    }
  }
}

TEST_CASE("bent laws are those of the filters that the defects make", "[audit]") {
  const Layout layout =
      layout_of({{"kind", "standard"}, {"m", 100'000}, {"k", 7}}, 10'000, 10'000, 1);
  const Layout half = layout_of({{"kind", "standard"}, {"m", 50'000}, {"k", 7}}, 10'000, 10'000, 1);
  CHECK(bent_rate(layout, 10'000, {.bits_share = 0.5}) == Approx(rate(half, 10'000)).epsilon(0.01));
  // 2^15 positions are reached, and no more.
  const Layout small =
      layout_of({{"kind", "standard"}, {"m", 32'768}, {"k", 7}}, 10'000, 10'000, 1);
  CHECK(bent_rate(layout, 10'000, {.position_bits = 15}) ==
        Approx(rate(small, 10'000)).epsilon(0.01));
  CHECK(bent_rate(layout, 10'000, {.key_share = 0.5}) == Approx(rate(layout, 5'000)).epsilon(0.01));
  // Half of the probes find position 0 set: (1/2)^7 is the least.
  CHECK(bent_rate(layout, 20, {.half_negative = true}) == Approx(std::exp2(-7)).epsilon(0.05));
}

TEST_CASE("deviances of right counts are about their number, of wrong ones more", "[audit]") {
  CHECK(detail::deviance(100.0, 100.0, 0.0) == 0.0);
  CHECK(detail::deviance(120.0, 100.0, 0.0) == Approx(4.0).epsilon(0.1));
  CHECK(detail::deviance(120.0, 100.0, 0.03) == Approx(1.0).epsilon(0.2));
  CHECK(detail::deviance(1.0, 0.0, 0.0) > 1e6);
}
