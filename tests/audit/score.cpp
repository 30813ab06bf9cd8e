// Hidden tests that score the audit; docs/audit.md says how they are run and what came out.
//   [.score]     audits every case and appends a line of JSON per audit to a file
//   [.controls]  audits filters without a defect
//   [.page]      writes what the file says into docs/audit.md

#include "tests/audit/score.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "audit/page.hpp"
#include "record/atomic_file.hpp"
#include "tests/audit/classes.hpp"
#include "tests/paths.hpp"

namespace bloomlab::tests {
namespace {

using namespace audit;
using record::Json;

/// Of the freeze that is scored: keys and seeds that no audit had before it.
constexpr std::uint64_t freeze_seed = 20'261'124;

std::string setting(const char* name, const char* otherwise = "") {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

/// BLOOMLAB_SCORE_ONLY=a,b: only those.
bool is_wanted(const std::string& name) {
  const std::string only = setting("BLOOMLAB_SCORE_ONLY");
  return only.empty() || ("," + only + ",").find("," + name + ",") != std::string::npos;
}

/// The rows that are there already: an audit that was done is not repeated.
class Rows {
 public:
  Rows() : path_(setting("BLOOMLAB_SCORE_ROWS", "score.jsonl")) {
    std::ifstream in(path_);
    for (std::string line; std::getline(in, line);) rows.push_back(Json::parse(line));
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::ranges::any_of(rows, [&](const Json& row) { return row.at("name") == name; });
  }
  void add(const Json& row) {
    std::ofstream(path_, std::ios::app) << row.dump() << std::endl;
    rows.push_back(row);
  }

  std::vector<Json> rows;

 private:
  std::string path_;
};

/// The finding that names the cause: what breaks a promise first, or else what is worth knowing.
const Finding* named(const Report& report) {
  for (const bool broken : {true, false}) {
    for (const Finding& finding : report.findings) {
      if (finding.breaks_promise == broken) return &finding;
    }
  }
  return nullptr;
}

Json row_of(const Case& scored) {
  Plan plan = thorough_plan(0);
  plan.seed = freeze_seed;
  const Report report = audit::audit(
      examined([&](std::uint64_t n, std::uint64_t seed) { return scored.make(n, seed); },
               *scored.right),
      plan);
  if (!setting("BLOOMLAB_SCORE_PAGES").empty()) std::cout << page(report) << std::endl;
  const Finding* const finding = named(report);
  const Class found = finding == nullptr ? Class::none : finding->kind;
  const auto is_expected = [&](Class kind) {
    return std::ranges::find(scored.expected, kind) != scored.expected.end();
  };
  const bool false_and_certain = std::ranges::any_of(report.findings, [&](const Finding& other) {
    return other.certainty == Certainty::certain && !is_expected(other.kind);
  });
  Json expected = Json::array();
  for (const Class kind : scored.expected) expected.push_back(name(kind));
  return {{"set", scored.set},
          {"name", scored.name},
          {"counts", scored.counts},
          {"expected", expected},
          {"found", name(found)},
          {"certainty", finding == nullptr ? "" : name(finding->certainty)},
          {"cause", finding == nullptr       ? ""
                    : finding->cause.empty() ? finding->text
                                             : finding->cause},
          {"right", is_expected(found)},
          {"false_and_certain", false_and_certain}};
}

void score(const std::vector<Case>& cases) {
  Rows rows;
  for (const Case& scored : cases) {
    if (!is_wanted(scored.name) || rows.has(scored.name)) continue;
    const Json row = row_of(scored);
    std::cout << row.dump() << std::endl;
    rows.add(row);
  }
}

}  // namespace

std::vector<Case> seeded_defects() {
  std::vector<Case> cases;
  for (const auto& [defect, expected, matrix_catches] : defect_classes) {
    const experiments::Mutant& mutant = experiments::mutant(defect);
    cases.push_back({"defects",
                     std::string(defect),
                     {expected},
                     matrix_catches,
                     room_to_grow(mutant),
                     mutant.right});
  }
  return cases;
}

TEST_CASE("the cause's class of the seeded defects", "[.score]") { score(seeded_defects()); }
TEST_CASE("the cause's class of defects of other sizes", "[.other]") { score(other_sizes()); }
TEST_CASE("the cause's class of pairs of defects", "[.pairs]") { score(pairs()); }

TEST_CASE("controls are clean, twenty audits each", "[.controls]") {
  const int count = std::stoi(setting("BLOOMLAB_AUDITS", "20"));
  Rows rows;
  int flagged = 0;
  for (const experiments::Mutant& mutant : experiments::mutants()) {
    const std::string control(mutant.name);
    if (!mutant.is_control() || !is_wanted(control) || rows.has(control)) continue;
    int clean = 0;
    double least = 1.0;
    for (int i = 0; i < count; ++i) {
      Plan plan = usual_plan(0);
      plan.seed = freeze_seed + 1'000'000'007ULL * static_cast<std::uint64_t>(i + 1);
      const Report report = audit::audit(examined(mutant), plan);
      for (const Judged& judged : report.rates) least = std::min(least, judged.adjusted);
      clean += report.findings.empty() ? 1 : 0;
      for (const Finding& finding : report.findings) std::cout << "  " << finding.text << "\n";
    }
    flagged += count - clean;
    rows.add({{"set", "controls"},
              {"name", control},
              {"audits", count},
              {"clean", clean},
              {"alpha", usual_plan(0).alpha},
              {"least_p", least}});
    std::cout << control << " " << clean << " of " << count << " clean" << std::endl;
  }
  CHECK(flagged == 0);
}

TEST_CASE("what the score says is written into docs/audit.md", "[.page]") {
  const std::string path = BLOOMLAB_SOURCE_DIR "/docs/audit.md";
  std::ifstream in(path);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::string begin = "<!-- score: written by test_audit \"[.page]\" -->\n";
  const std::string end = "<!-- end of the score -->\n";
  const auto first = text.find(begin);
  const auto last = text.find(end);
  REQUIRE(first != std::string::npos);
  REQUIRE(last != std::string::npos);
  record::write_atomically(path, text.substr(0, first) + begin + "\n" + score_page(Rows().rows) +
                                     "\n" + text.substr(last));
}

}  // namespace bloomlab::tests
