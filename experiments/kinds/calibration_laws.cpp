#include "experiments/kinds/calibration_laws.hpp"

#include <algorithm>

namespace bloomlab::experiments {
namespace {

constexpr double negligible_set_bits = 1e-30;
constexpr double negligible_hits = 1e-20;

// Distinct places out of `size`, `count` of them, in ascending order: Floyd's sampling without
// replacement (Bentley and Floyd 1987, "A sample of brilliance").
std::vector<std::uint64_t> distinct_places(std::uint64_t count, std::uint64_t size,
                                           CounterRandom& random) {
  std::vector<std::uint64_t> places;
  for (std::uint64_t last = size - count; last < size; ++last) {
    const std::uint64_t place = random.below(last + 1);
    const auto at = std::lower_bound(places.begin(), places.end(), place);
    if (at != places.end() && *at == place) {
      places.push_back(last);  // above all others
    } else {
      places.insert(at, place);
    }
  }
  return places;
}

}  // namespace

std::uint64_t CounterRandom::bits() noexcept {
  if (used_ == buffer_.size()) {
    permutation_.apply_range(counter_, buffer_);
    counter_ += buffer_.size();
    used_ = 0;
  }
  return buffer_[used_++];
}

double CounterRandom::unit() noexcept { return static_cast<double>(bits() >> 11) * 0x1p-53; }

std::uint64_t CounterRandom::below(std::uint64_t bound) noexcept {
  return std::min(bound - 1, static_cast<std::uint64_t>(unit() * static_cast<double>(bound)));
}

DiscreteLaw::DiscreteLaw(std::uint64_t first, std::vector<double> weights)
    : first_(first), cumulated_(std::move(weights)) {
  double sum = 0.0;
  for (double& weight : cumulated_) weight = sum += weight;
  for (double& share : cumulated_) share /= sum;
}

double DiscreteLaw::probability(std::size_t index) const noexcept {
  return index == 0 ? cumulated_[0] : cumulated_[index] - cumulated_[index - 1];
}

std::uint64_t DiscreteLaw::at(double unit) const noexcept {
  const auto place = std::upper_bound(cumulated_.begin(), cumulated_.end() - 1, unit);
  return first_ + static_cast<std::uint64_t>(place - cumulated_.begin());
}

DiscreteLaw set_bits_law(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const std::uint64_t balls = n * k;
  const std::size_t most = static_cast<std::size_t>(std::min(m, balls));
  const double share = 1.0 / static_cast<double>(m);
  // before[x]: probability of x set bits; only low .. high of it is not negligible.
  std::vector<double> before(most + 2, 0.0);
  std::vector<double> after(most + 2, 0.0);
  std::size_t low = 1;
  std::size_t high = 1;
  before[1] = 1.0;
  for (std::uint64_t ball = 1; ball < balls; ++ball) {
    const std::size_t top = std::min(high + 1, most);
    for (std::size_t x = low; x <= top; ++x) {
      const double set = static_cast<double>(x) * share;
      after[x] = before[x] * set + before[x - 1] * (1.0 - set + share);
    }
    after[low - 1] = 0.0;
    if (top < most) after[top + 1] = 0.0;
    low += after[low] < negligible_set_bits ? 1 : 0;
    high = after[top] < negligible_set_bits ? top - 1 : top;
    after[low - 1] = 0.0;
    after[high + 1] = 0.0;
    std::swap(before, after);
  }
  return {low, std::vector<double>(before.begin() + static_cast<std::ptrdiff_t>(low),
                                   before.begin() + static_cast<std::ptrdiff_t>(high) + 1)};
}

DiscreteLaw hits_law(std::uint64_t draws, double rate) {
  if (rate <= 0.0) return {0, {1.0}};
  if (rate >= 1.0) return {draws, {1.0}};
  const double odds = rate / (1.0 - rate);
  const auto mode =
      std::min(draws, static_cast<std::uint64_t>((static_cast<double>(draws) + 1.0) * rate));
  std::vector<double> weights{1.0};
  double weight = 1.0;
  for (std::uint64_t hits = mode; hits > 0 && weight > negligible_hits; --hits) {
    weight *= static_cast<double>(hits) / static_cast<double>(draws - hits + 1) / odds;
    weights.push_back(weight);
  }
  const std::uint64_t first = mode + 1 - weights.size();
  std::reverse(weights.begin(), weights.end());
  weight = 1.0;
  for (std::uint64_t hits = mode; hits < draws && weight > negligible_hits; ++hits) {
    weight *= static_cast<double>(draws - hits) / static_cast<double>(hits + 1) * odds;
    weights.push_back(weight);
  }
  return {first, std::move(weights)};
}

std::uint64_t HitSampler::hits(std::size_t sort, std::uint64_t draws, CounterRandom& random) {
  std::vector<std::optional<DiscreteLaw>>& laws = laws_[draws];
  laws.resize(rates_.size());
  std::optional<DiscreteLaw>& law = laws[sort];
  if (!law) law = hits_law(draws, rates_[sort]);
  return law->at(random.unit());
}

std::uint64_t HitSampler::queries_until(std::size_t sort, std::uint64_t wanted, std::uint64_t batch,
                                        CounterRandom& random) {
  std::uint64_t asked = 0;
  std::uint64_t found = hits(sort, batch, random);
  while (found < wanted) {
    wanted -= found;
    asked += batch;
    found = hits(sort, batch, random);
  }
  return asked + distinct_places(found, batch, random)[wanted - 1] + 1;
}

}  // namespace bloomlab::experiments
