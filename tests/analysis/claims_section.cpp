// The claims in the report.

#include "analysis/report/claims_section.hpp"

#include <catch2/catch.hpp>

#include "analysis/report/report.hpp"
#include "synthetic.hpp"
#include "tests/analysis/one_claim.hpp"

using namespace bloomlab::analysis;

namespace {

/// One claim that only results of "tiny" can judge.
std::vector<claims::JudgedClaim> judged_against(const claims::Results& results) {
  const std::string members = R"j("printed": "1000", "check": {"kind": "experiment",
      "config": "tiny", "cells": {"c": {"filter": {"m": 8000, "k": 3}}}, "truth": "c.inserted"})j";
  const std::vector<claims::Book> books = {
      claims::read_book(claims::book_text(members), "mine.json")};
  return claims::judge_books(books, results);
}

Report report_with(const std::string& stem) {
  std::vector<Experiment> experiments = {synthetic::experiment({.stem = stem})};
  const auto judged = judged_against(claims::Results(experiments));
  return build_report(std::move(experiments), Words("en"), {}, judged);
}

}  // namespace

TEST_CASE("a claim has its verdict in the report, with a link", "[analysis][report][claims]") {
  const Report report = report_with("tiny");
  CHECK_THAT(report.markdown,
             Catch::Contains("| T-1 | a statement | 1000 | 1000 | RIGHT | experiment | "
                             "[tiny](#tiny) |"));
  CHECK_THAT(report.markdown, Catch::Contains("(#claims_book)** Of 1 statements"));
  CHECK_THAT(report.markdown, Catch::Contains("<summary>T: test (1)</summary>"));
}

TEST_CASE("a claim whose results are missing reads not measured", "[analysis][report][claims]") {
  const Report report = report_with("another");
  CHECK_THAT(report.markdown, Catch::Contains("| T-1 | a statement | – | – | NOT MEASURED | "
                                              "experiment | tiny | no results of tiny in the "
                                              "folder |"));
}

TEST_CASE("claims.csv holds every claim", "[analysis][report][claims]") {
  const Report report = report_with("tiny");
  REQUIRE(report.csv.back().name == "claims.csv");
  CHECK(report.csv.back().text ==
        "id,statement,printed,computed,verdict,kind,evidence,reading,note\n"
        "T-1,a statement,1000,1000,RIGHT,experiment,tiny,,\n");
}
