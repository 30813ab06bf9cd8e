// What the tests of the core share: keys, and every filter with every probe that it takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/answer.hpp"
#include "core/catalogue.hpp"
#include "core/keys/keyed_permutation.hpp"

namespace bloomlab::test {

inline constexpr std::uint64_t key_seed = 2024;

/// `count` distinct keys, from number `first` of a sequence that is the same in every test.
inline std::vector<std::uint64_t> keys(std::uint64_t first, std::size_t count) {
  std::vector<std::uint64_t> out(count);
  KeyedPermutation(key_seed).apply_range(first, out);
  return out;
}

/// Every probe of the catalogue.
inline std::vector<Probe> probes() {
  std::vector<Probe> all;
  for_each_type<IndexFamilies>([&]<class Family>(std::type_identity<Family>) {
    for_each_type<Reductions>([&]<class Reduction>(std::type_identity<Reduction>) {
      if constexpr (Family::template allows<Reduction>) {
        all.push_back(Probe::of<Family, Reduction>());
      }
    });
  });
  return all;
}

/// A hash that goes with the probe.
inline Hasher hasher_for(const Probe& probe) {
  return probe.needs_identity() ? Hasher::of<Identity>() : Hasher::of<XxHash3_64>();
}

/// A filter with hash and seed, which takes integer keys.
template <class Filter>
class Subject {
 public:
  /// @param n keys that it will be given at most
  Subject(const typename Filter::Parameters& parameters, const Probe& probe, std::uint64_t n,
          std::uint64_t seed = 1)
      : filter_(parameters, probe),
        hasher_(hasher_for(probe)),
        need_(probe.need(Filter::probes(parameters, n))),
        seed_(seed) {}

  void insert(std::span<const std::uint64_t> keys) {
    DigestBuffer buffer;
    filter_.insert(digest(keys, buffer));
  }
  void insert_one_by_one(std::span<const std::uint64_t> keys) {
    for (std::size_t i = 0; i < keys.size(); ++i) insert(keys.subspan(i, 1));
  }
  [[nodiscard]] std::vector<Answer> contains(std::span<const std::uint64_t> keys) const {
    DigestBuffer buffer;
    std::vector<Answer> answers(keys.size());
    filter_.contains(digest(keys, buffer), answers);
    return answers;
  }
  [[nodiscard]] std::uint64_t count_contained(std::span<const std::uint64_t> keys) const {
    DigestBuffer buffer;
    return filter_.count_contained(digest(keys, buffer));
  }

  [[nodiscard]] Filter& filter() { return filter_; }
  [[nodiscard]] const Filter& filter() const { return filter_; }

 private:
  DigestBatch digest(std::span<const std::uint64_t> keys, DigestBuffer& buffer) const {
    return hasher_.digest(KeyBatch::integers(keys, hasher_.passes_through() ? 4 : 8), seed_, need_,
                          buffer);
  }

  Filter filter_;
  Hasher hasher_;
  DigestNeed need_;
  std::uint64_t seed_;
};

/// Calls `test(parameters, probe)` for every example of the filter with every probe that it takes.
template <class Filter, class Test>
void for_each_setting(Test&& test) {
  for (const auto& parameters : Filter::examples()) {
    for (const Probe& probe : probes()) {
      if (!Filter::check(parameters, probe)) test(parameters, probe);
    }
  }
}

inline std::string label(const Probe& probe) {
  return std::string(probe.family()) + " + " + std::string(probe.reduction());
}

}  // namespace bloomlab::test
