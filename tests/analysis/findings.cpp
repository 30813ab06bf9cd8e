// The README's bounds against the exact theory, scanned over the ranges that they name.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "core/theory/double_hashing.hpp"
#include "core/theory/standard.hpp"
#include "tests/paths.hpp"

using namespace bloomlab;

namespace {

/// The numbers that a sentence of the README has where `pattern` has groups.
std::vector<double> said(const std::string& pattern) {
  std::ifstream file(BLOOMLAB_SOURCE_DIR "/README.md");
  std::string text(std::istreambuf_iterator<char>(file), {});
  text = std::regex_replace(text, std::regex("\\s+"), " ");
  std::smatch found;
  REQUIRE(std::regex_search(text, found, std::regex(pattern)));
  std::vector<double> numbers;
  for (std::size_t i = 1; i < found.size(); ++i) numbers.push_back(std::stod(found[i]));
  return numbers;
}

/// What one hash function less or more than the best raises the exact rate by, at most.
double cost_of_a_neighbour(std::uint64_t m, std::uint64_t n) {
  const double rule = static_cast<double>(m) / static_cast<double>(n) * std::log(2.0);
  std::uint64_t best = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(rule));
  if (theory::exact_fpr(m, n, best + 1) < theory::exact_fpr(m, n, best)) ++best;
  const double least = theory::exact_fpr(m, n, best);
  double most = theory::exact_fpr(m, n, best + 1);
  if (best > 1) most = std::max(most, theory::exact_fpr(m, n, best - 1));
  return most / least - 1.0;
}

}  // namespace

TEST_CASE("the README's bound on a k beside the best is that of theory over its range",
          "[analysis][findings]") {
  const auto numbers = said(
      "From (\\d+) to (\\d+) bits per key, one hash function too few or too many raises the FPR by "
      "\\[at most ([0-9.]+) %\\]\\(results/pages/fpr_vs_k.md\\), by the exact theory for (\\d+) "
      "keys");
  const auto least_n = static_cast<std::uint64_t>(numbers[3]);
  double most = 0.0;
  for (const std::uint64_t n : {least_n, least_n + 1, 3 * least_n, 100 * least_n}) {
    for (double ratio = numbers[0]; ratio <= numbers[1]; ratio += 0.01) {
      const auto m = static_cast<std::uint64_t>(std::round(ratio * static_cast<double>(n)));
      most = std::max(most, cost_of_a_neighbour(m, n));
    }
  }
  CHECK(100 * most <= numbers[2]);
  CHECK(100 * most > numbers[2] - 0.1);  // the bound is met
}

TEST_CASE("the README's bound on double hashing is that of theory over its range",
          "[analysis][findings]") {
  const auto numbers = said(
      "Double hashing raises the FPR of a filter of (\\d+) bits with (\\d+) keys by \\[at most "
      "([0-9.]+) %\\]\\(results/pages/double_hashing.md\\), for k from (\\d+) to (\\d+),");
  const auto m = static_cast<std::uint64_t>(numbers[0]);
  const auto n = static_cast<std::uint64_t>(numbers[1]);
  double most = 0.0;
  for (auto k = static_cast<std::uint64_t>(numbers[3]); k <= static_cast<std::uint64_t>(numbers[4]);
       ++k) {
    const double own = theory::double_hashing_fpr(m, n, k, theory::Stride::any).rate;
    most = std::max(most, own / theory::exact_fpr(m, n, k) - 1.0);
  }
  CHECK(100 * most <= numbers[2]);
  CHECK(100 * most > numbers[2] - 0.1);
}

TEST_CASE("what two threads gain is the quotient of the rates that stand beside it",
          "[analysis][findings]") {
  std::ifstream file(BLOOMLAB_SOURCE_DIR "/results/pages/speed_atomic.atomic.csv");
  std::string line;
  std::getline(file, line);
  REQUIRE(line.starts_with(
      "implementation,threads,million keys per second,million keys per second_low,million keys per "
      "second_high,work over one thread,"));
  double alone = 0.0;
  int compared = 0;
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    const double rate = std::stod(cells.at(2));
    if (cells.at(1) == "1") {
      alone = rate;
      continue;
    }
    INFO(line);
    // A median of quotients beside the quotient of medians.
    CHECK(std::stod(cells.at(5)) == Approx(rate / alone).epsilon(0.3));
    ++compared;
  }
  CHECK(compared == 6);
}
