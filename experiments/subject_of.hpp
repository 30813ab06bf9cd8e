// A filter of the catalogue behind the interface Subject: one that grows, one that is built at
// once, or a structure that keeps the keys. Only the sources that CMake makes from subject.cpp.in,
// one a filter, include this.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/built.hpp"
#include "core/filters/concepts.hpp"
#include "experiments/subject.hpp"
#include "experiments/subject_factory.hpp"

namespace bloomlab::experiments {

/// A hash with what it is asked for: keys in, digests out, part by part.
class HashStage {
 public:
  HashStage(const Hasher& hasher, DigestNeed need, std::uint64_t seed)
      : hasher_(hasher), need_(need), seed_(seed) {}

  [[nodiscard]] DigestNeed need() const noexcept { return need_; }

  /// Calls `use(digests)` for parts whose digests (64 KiB) stay in the nearest caches.
  template <class Use>
  void for_each_part(const KeyBatch& keys, Use use) {
    const auto words = static_cast<std::size_t>(need_.words);
    const std::size_t part = std::clamp<std::size_t>(8192 / words, 64, 1024);
    for (std::size_t first = 0; first < keys.size(); first += part) {
      const std::size_t count = std::min(part, keys.size() - first);
      use(hasher_.digest(keys.slice(first, count), seed_, need_, buffer_));
    }
  }

 private:
  Hasher hasher_;
  DigestNeed need_;
  std::uint64_t seed_;
  DigestBuffer buffer_;
};

/// Keys -> digests -> filter.
template <Growing Filter>
class SubjectOf final : public Subject {
 public:
  SubjectOf(Filter filter, HashStage hash, bool grows)
      : filter_(std::move(filter)), hash_(std::move(hash)), grows_(grows) {}

  void insert(const KeyBatch& keys) override {
    hash_.for_each_part(keys, [this](const DigestBatch& digests) { filter_.insert(digests); });
  }

  std::uint64_t count_contained(const KeyBatch& keys) override {
    std::uint64_t count = 0;
    hash_.for_each_part(
        keys, [&](const DigestBatch& digests) { count += filter_.count_contained(digests); });
    return count;
  }

  FilterState state() const override { return filter_.state(); }
  bool grows() const noexcept override { return grows_; }

 private:
  Filter filter_;
  HashStage hash_;
  bool grows_;
};

/// Keys -> digests, all of which are kept -> filter, built when it is first asked, and again when
/// keys have come since. Throws std::runtime_error then where building fails.
template <Built Filter>
class BuiltSubject final : public Subject {
 public:
  BuiltSubject(const typename Filter::Parameters& parameters, HashStage hash)
      : parameters_(parameters),
        hash_(std::move(hash)),
        planes_(static_cast<std::size_t>(hash_.need().words)) {}

  void insert(const KeyBatch& keys) override {
    filter_.reset();
    hash_.for_each_part(keys, [this](const DigestBatch& digests) {
      for (std::size_t i = 0; i < planes_.size(); ++i) {
        const auto word = digests.word(static_cast<int>(i));
        planes_[i].insert(planes_[i].end(), word.begin(), word.end());
      }
    });
  }

  std::uint64_t count_contained(const KeyBatch& keys) override {
    const Filter& filter = built();
    std::uint64_t count = 0;
    hash_.for_each_part(
        keys, [&](const DigestBatch& digests) { count += filter.count_contained(digests); });
    return count;
  }

  FilterState state() const override { return built().state(); }
  bool grows() const noexcept override { return true; }

 private:
  const Filter& built() const {
    if (filter_) return *filter_;
    const std::size_t n = planes_.front().size();
    std::vector<std::uint64_t> words;
    if (planes_.size() > 1) {
      for (const auto& plane : planes_) words.insert(words.end(), plane.begin(), plane.end());
    }
    const std::uint64_t* const data = words.empty() ? planes_.front().data() : words.data();
    filter_ = Filter::build(parameters_, {data, n, n, static_cast<int>(planes_.size())});
    if (filter_) return *filter_;
    std::string fault(Filter::name);
    fault += ": building from " + std::to_string(n) +
             " keys failed with every hash function tried; give it more slots per key";
    throw std::runtime_error(fault);
  }

  typename Filter::Parameters parameters_;
  HashStage hash_;
  std::vector<std::vector<std::uint64_t>> planes_;
  mutable std::optional<Filter> filter_;
};

/// Keys -> structure: there is no hash stage.
template <ExactSet Set>
class ExactSubject final : public Subject {
 public:
  explicit ExactSubject(const typename Set::Parameters& parameters) : set_(parameters) {}

  void insert(const KeyBatch& keys) override { set_.insert(keys); }
  std::uint64_t count_contained(const KeyBatch& keys) override {
    return set_.count_contained(keys);
  }
  FilterState state() const override { return set_.state(); }
  bool grows() const noexcept override { return true; }

 private:
  Set set_;
};

template <class Filter>
std::unique_ptr<Subject> SubjectFactory<Filter>::make(const typename Filter::Parameters& parameters,
                                                      const Cell& cell, std::uint64_t seed) {
  const auto stage = [&](DigestNeed need) {
    return HashStage(make_hasher(cell.hash), need, hash_seed(seed));
  };
  if constexpr (ExactSet<Filter>) {
    return std::make_unique<ExactSubject<Filter>>(parameters);
  } else if constexpr (Built<Filter>) {
    return std::make_unique<BuiltSubject<Filter>>(parameters, stage(Filter::need(parameters)));
  } else {
    const bool grows =
        Filter::memory_bits(parameters, 1) != Filter::memory_bits(parameters, max_filter_bits);
    if constexpr (Probed<Filter>) {
      const Probe probe = make_probe(cell.probe, cell.reduction);
      return std::make_unique<SubjectOf<Filter>>(
          Filter(parameters, probe), stage(probe.need(Filter::probes(parameters, cell.n))), grows);
    } else {
      return std::make_unique<SubjectOf<Filter>>(Filter(parameters),
                                                 stage(Filter::need(parameters)), grows);
    }
  }
}

}  // namespace bloomlab::experiments
