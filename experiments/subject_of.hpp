// A Growing filter of the catalogue behind the interface Subject. Only the sources that CMake makes
// from subject.cpp.in, one a filter, include this.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <utility>

#include "core/catalogue.hpp"
#include "core/filters/concepts.hpp"
#include "experiments/subject.hpp"
#include "experiments/subject_factory.hpp"

namespace bloomlab::experiments {

/// Keys -> digests -> filter.
template <Growing Filter>
class SubjectOf final : public Subject {
 public:
  SubjectOf(Filter filter, const Hasher& hasher, DigestNeed need, std::uint64_t seed, bool grows)
      : filter_(std::move(filter)), hasher_(hasher), need_(need), seed_(seed), grows_(grows) {}

  void insert(const KeyBatch& keys) override {
    for_each_part(keys, [this](const DigestBatch& digests) { filter_.insert(digests); });
  }

  std::uint64_t count_contained(const KeyBatch& keys) override {
    std::uint64_t count = 0;
    for_each_part(keys,
                  [&](const DigestBatch& digests) { count += filter_.count_contained(digests); });
    return count;
  }

  FilterState state() const override { return filter_.state(); }
  bool grows() const noexcept override { return grows_; }

 private:
  /// Parts whose digests (64 KiB) stay in the nearest caches.
  template <class Use>
  void for_each_part(const KeyBatch& keys, Use use) {
    const auto words = static_cast<std::size_t>(need_.words);
    const std::size_t part = std::clamp<std::size_t>(8192 / words, 64, 1024);
    for (std::size_t first = 0; first < keys.size(); first += part) {
      const std::size_t count = std::min(part, keys.size() - first);
      use(hasher_.digest(keys.slice(first, count), seed_, need_, buffer_));
    }
  }

  Filter filter_;
  Hasher hasher_;
  DigestNeed need_;
  std::uint64_t seed_;
  bool grows_;
  DigestBuffer buffer_;
};

template <class Filter>
std::unique_ptr<Subject> SubjectFactory<Filter>::make(const typename Filter::Parameters& parameters,
                                                      const Cell& cell, std::uint64_t seed) {
  const Hasher hasher = make_hasher(cell.hash);
  const bool grows =
      Filter::memory_bits(parameters, 1) != Filter::memory_bits(parameters, max_filter_bits);
  if constexpr (Probed<Filter>) {
    const Probe probe = make_probe(cell.probe, cell.reduction);
    const DigestNeed need = probe.need(Filter::probes(parameters, cell.n));
    return std::make_unique<SubjectOf<Filter>>(Filter(parameters, probe), hasher, need,
                                               hash_seed(seed), grows);
  } else {
    return std::make_unique<SubjectOf<Filter>>(Filter(parameters), hasher, Filter::need(parameters),
                                               hash_seed(seed), grows);
  }
}

}  // namespace bloomlab::experiments
