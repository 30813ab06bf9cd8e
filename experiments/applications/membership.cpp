#include "experiments/applications/membership.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/filters/standard.hpp"
#include "core/hash/xxhash3_64.hpp"
#include "core/keyed_filter.hpp"
#include "core/probe/independent.hpp"
#include "core/reduction/multiply_shift.hpp"

namespace bloomlab::experiments {
namespace {

class StandardMembership final : public Membership {
 public:
  StandardMembership(std::uint64_t m, std::uint64_t k, std::uint64_t seed)
      : filter_({.m = m, .k = k}, seed) {}

  void insert(std::string_view key) override { filter_.insert(key); }
  [[nodiscard]] bool contains(std::string_view key) const override {
    return static_cast<bool>(filter_.contains(key));
  }
  void clear() override { filter_.clear(); }
  [[nodiscard]] const BitArray* bits() const override { return &filter_.filter().bits(); }

 private:
  KeyedFilter<XxHash3_64, Standard, Independent, MultiplyShift> filter_;
};

}  // namespace

std::unique_ptr<Membership> standard_filter(std::uint64_t m, std::uint64_t k, std::uint64_t seed) {
  return std::make_unique<StandardMembership>(m, k, seed);
}

std::uint64_t fitting_probes(std::uint64_t bits_per_key) {
  const double best = std::numbers::ln2 * static_cast<double>(bits_per_key);
  return static_cast<std::uint64_t>(std::max(1.0, std::round(best)));
}

}  // namespace bloomlab::experiments
