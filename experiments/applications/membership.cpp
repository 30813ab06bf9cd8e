#include "experiments/applications/membership.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/filters/standard.hpp"
#include "core/hash/xxhash3_64.hpp"
#include "core/keyed_filter.hpp"
#include "core/probe/independent.hpp"
#include "core/probe/remix.hpp"
#include "core/reduction/multiply_shift.hpp"

namespace bloomlab::experiments {
namespace {

/// A filter of the library under the common roof.
template <class Filter>
class FilterMembership final : public Membership {
 public:
  FilterMembership(std::uint64_t m, std::uint64_t k, std::uint64_t seed)
      : filter_({.m = m, .k = k}, seed) {}

  void insert(std::string_view key) override { filter_.insert(key); }
  [[nodiscard]] bool contains(std::string_view key) const override {
    return static_cast<bool>(filter_.contains(key));
  }
  void clear() override { filter_.clear(); }
  void insert(std::span<const std::string_view> keys) override { filter_.insert(keys); }
  [[nodiscard]] std::uint64_t count_contained(
      std::span<const std::string_view> keys) const override {
    return filter_.count_contained(keys);
  }
  [[nodiscard]] const BitArray* bits() const override { return &filter_.filter().bits(); }

 private:
  Filter filter_;
};

using IdealFilter = KeyedFilter<XxHash3_64, Standard, Independent, MultiplyShift>;

}  // namespace

std::unique_ptr<Membership> standard_filter(std::uint64_t m, std::uint64_t k, std::uint64_t seed) {
  return std::make_unique<FilterMembership<IdealFilter>>(m, k, seed);
}

std::unique_ptr<Membership> default_filter(std::uint64_t m, std::uint64_t k, std::uint64_t seed) {
  return std::make_unique<FilterMembership<KeyedFilter<MultiplyMix64, Standard, Remix>>>(m, k,
                                                                                         seed);
}

std::uint64_t fitting_probes(std::uint64_t bits_per_key) {
  const double best = std::numbers::ln2 * static_cast<double>(bits_per_key);
  return static_cast<std::uint64_t>(std::max(1.0, std::round(best)));
}

}  // namespace bloomlab::experiments
