// The rate of a case beside the closed forms, and the cause that is named.
#include "lab/rates.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/theory/models.hpp"
#include "lab/assignment.hpp"

namespace {

using namespace bloomlab;
using lab::Case;
using lab::Tried;

/// What a filter gives whose rate is that of k hash functions in `part` of the bits.
lab::Trial trial_of(const Case& one, std::uint64_t k, double part = 1.0) {
  Case other = one;
  other.bits_per_key *= part;
  const double rate = theory::evaluate(other.prediction(k)).number();
  return {.false_positives =
              static_cast<std::uint64_t>(std::lround(rate * static_cast<double>(one.queries)))};
}

const std::vector<Case> plain = {{.bits_per_key = 10.0}, {.bits_per_key = 6.0}};

struct Both {
  std::vector<lab::Trial> trials;
  std::vector<Tried> tried;

  Both(std::uint64_t k, double part) {
    for (const Case& one : plain) trials.push_back(trial_of(one, k, part));
    for (std::size_t i = 0; i < plain.size(); ++i) tried.push_back({&plain[i], &trials[i]});
  }
};

}  // namespace

TEST_CASE("a rate holds at its closed form and not far from it", "[lab]") {
  for (const Case& one : lab::given_cases().cases) {
    INFO(one.bits_per_key << " bits per key, " << one.fpr.value_or(0));
    CHECK(lab::fits(one, trial_of(one, lab::assigned_probes), lab::assigned_probes));
    CHECK_FALSE(lab::fits(one, trial_of(one, 1), lab::assigned_probes));
    lab::Trial half_more = trial_of(one, lab::assigned_probes);
    half_more.false_positives = half_more.false_positives * 3 / 2;
    CHECK_FALSE(lab::fits(one, half_more, lab::assigned_probes));
  }
}

TEST_CASE("another number of hash functions is named by the rates of several sizes", "[lab]") {
  CHECK(lab::other_k(Both(1, 1.0).tried) == 1);
  CHECK(lab::other_k(Both(3, 1.0).tried) == 3);
  CHECK_FALSE(lab::other_k(Both(lab::assigned_probes, 0.5).tried));
}

TEST_CASE("the part of its bits that a filter reaches is found", "[lab]") {
  CHECK(lab::part_of_bits(Both(lab::assigned_probes, 0.5).tried).value() ==
        Approx(0.5).epsilon(0.02));
  CHECK(lab::part_of_bits(Both(lab::assigned_probes, 2.0).tried).value() ==
        Approx(2.0).epsilon(0.05));
  CHECK_FALSE(lab::part_of_bits(Both(1, 1.0).tried));
}
