#include "experiments/applications/membership.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "core/filters/blocked.hpp"
#include "core/filters/folded.hpp"
#include "core/filters/split_block.hpp"
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
  FilterMembership(const typename Filter::Parameters& parameters, std::uint64_t seed)
      : filter_(parameters, seed) {}

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
  [[nodiscard]] const BitArray* bits() const override {
    if constexpr (std::is_same_v<typename Filter::filter_type, Standard>) {
      return &filter_.filter().bits();
    } else {
      return nullptr;
    }
  }

 private:
  Filter filter_;
};

using IdealFilter = KeyedFilter<XxHash3_64, Standard, Independent, MultiplyShift>;

template <class Filter>
std::unique_ptr<Membership> membership_of(const typename Filter::Parameters& parameters,
                                          std::uint64_t seed) {
  return std::make_unique<FilterMembership<Filter>>(parameters, seed);
}

}  // namespace

std::unique_ptr<Membership> standard_filter(std::uint64_t m, std::uint64_t k, std::uint64_t seed) {
  return membership_of<IdealFilter>({.m = m, .k = k}, seed);
}

std::unique_ptr<Membership> folded_filter(std::uint64_t m, std::uint64_t folded_to, std::uint64_t k,
                                          std::uint64_t seed) {
  return membership_of<KeyedFilter<XxHash3_64, Folded, Independent, MultiplyShift>>(
      {.m = m, .k = k, .folded_to = folded_to}, seed);
}

std::unique_ptr<Membership> default_filter(std::uint64_t m, std::uint64_t k, std::uint64_t seed) {
  return membership_of<KeyedFilter<MultiplyMix64, Standard, Remix>>({.m = m, .k = k}, seed);
}

std::unique_ptr<Membership> blocked_filter(std::uint64_t m, std::uint64_t k, std::uint64_t seed) {
  return membership_of<KeyedFilter<MultiplyMix64, Blocked, Remix>>(
      {.m = m, .k = k, .block_bits = max_block_bits}, seed);
}

std::unique_ptr<Membership> split_block_filter(std::uint64_t m, std::uint64_t /*k*/,
                                               std::uint64_t seed) {
  return membership_of<KeyedFilter<MultiplyMix64, SplitBlock>>({.m = m}, seed);
}

std::uint64_t fitting_probes(std::uint64_t bits_per_key) {
  const double best = std::numbers::ln2 * static_cast<double>(bits_per_key);
  return static_cast<std::uint64_t>(std::max(1.0, std::round(best)));
}

}  // namespace bloomlab::experiments
