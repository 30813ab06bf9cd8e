// The classifier of causes, scored: test_audit "[.score]" prints a confusion matrix over the
// seeded defects. docs/audit.md holds what it printed.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>

#include "audit/page.hpp"
#include "tests/audit/black_box.hpp"
#include "tests/audit/classes.hpp"

namespace {

using namespace bloomlab;
using namespace bloomlab::audit;
using tests::examined;

/// The finding that names the cause: what breaks a promise first, or else what is worth knowing.
const Finding* named(const Report& report) {
  for (const bool broken : {true, false}) {
    for (const Finding& finding : report.findings) {
      if (finding.breaks_promise == broken) return &finding;
    }
  }
  return nullptr;
}

/// BLOOMLAB_SCORE_ONLY=a,b: only those; for work on the classifier.
bool is_wanted(const std::string& defect) {
  const char* const only = std::getenv("BLOOMLAB_SCORE_ONLY");
  return only == nullptr ||
         ("," + std::string(only) + ",").find("," + defect + ",") != std::string::npos;
}

}  // namespace

TEST_CASE("the cause's class of the seeded defects", "[.score]") {
  std::map<Class, std::map<Class, int>> matrix;
  int right = 0;
  int wrong_and_certain = 0;
  int caught = 0;
  for (const auto& [defect, expected, matrix_catches] : tests::defect_classes) {
    if (!is_wanted(std::string(defect))) continue;
    const auto& mutant = experiments::mutant(defect);
    const Report report = audit::audit(examined(mutant), thorough_plan(0));
    const Finding* const finding = named(report);
    const Class found = finding == nullptr ? Class::none : finding->kind;
    const bool hit = found == expected;
    caught += matrix_catches ? 1 : 0;
    right += matrix_catches && hit ? 1 : 0;
    bool certain_wrong = false;
    for (const Finding& other : report.findings) {
      certain_wrong =
          certain_wrong || (other.certainty == Certainty::certain && other.kind != expected);
    }
    wrong_and_certain += certain_wrong ? 1 : 0;
    ++matrix[expected][found];
    std::cout << std::left << std::setw(24) << defect << std::setw(16) << name(expected)
              << std::setw(16) << name(found) << std::setw(10)
              << (finding == nullptr ? "" : name(finding->certainty))
              << (hit             ? "right"
                  : certain_wrong ? "WRONG AND CERTAIN"
                                  : "not right")
              << (matrix_catches ? "" : " (not caught by the matrix)") << "  "
              << (finding == nullptr       ? ""
                  : finding->cause.empty() ? finding->text
                                           : finding->cause)
              << std::endl;
    if (std::getenv("BLOOMLAB_SCORE_PAGES") != nullptr) std::cout << page(report) << std::endl;
  }
  std::cout << "\nright: " << right << " of " << caught
            << " that the matrix catches; wrong and certain: " << wrong_and_certain << "\n\n";
  for (const auto& [expected, row] : matrix) {
    std::cout << std::setw(16) << name(expected) << " ->";
    for (const auto& [found, count] : row) std::cout << " " << name(found) << " " << count;
    std::cout << "\n";
  }
}

TEST_CASE("controls are clean, twenty audits each", "[.controls]") {
  const char* const audits = std::getenv("BLOOMLAB_AUDITS");
  const int count = audits == nullptr ? 20 : std::atoi(audits);
  int flagged = 0;
  for (const experiments::Mutant& mutant : experiments::mutants()) {
    if (!mutant.is_control() || !is_wanted(std::string(mutant.name))) continue;
    int clean = 0;
    double least = 1.0;
    for (int i = 0; i < count; ++i) {
      Plan plan = std::getenv("BLOOMLAB_THOROUGH") != nullptr ? thorough_plan(0) : usual_plan(0);
      plan.seed = 1'000'000'007ULL * static_cast<std::uint64_t>(i + 1);
      const Report report = audit::audit(examined(mutant), plan);
      for (const Judged& judged : report.rates) least = std::min(least, judged.adjusted);
      clean += report.findings.empty() ? 1 : 0;
      for (const Finding& finding : report.findings) std::cout << "  " << finding.text << "\n";
    }
    flagged += count - clean;
    std::cout << std::left << std::setw(24) << mutant.name << clean << " of " << count
              << " clean; least p by Holm " << least << std::endl;
  }
  CHECK(flagged == 0);
}
