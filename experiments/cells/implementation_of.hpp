// A filter of the catalogue behind the interface Implementation: one that grows, one that is built
// at once, or a structure that keeps the keys. Only the sources that CMake makes from
// implementation.cpp.in, one a filter, include this.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/built.hpp"
#include "core/filters/concepts.hpp"
#include "core/hash_stage.hpp"
#include "core/parallel/insert_parallel.hpp"
#include "experiments/cells/contents_checksum.hpp"
#include "experiments/cells/digest_askers.hpp"
#include "experiments/cells/implementation.hpp"
#include "experiments/cells/implementation_factory.hpp"

namespace bloomlab::experiments {

/// Asks a structure that keeps the keys.
template <ExactSet Set>
class ExactAsker final : public Asker {
 public:
  explicit ExactAsker(const Set& set) : set_(set) {}

  std::uint64_t count_contained(const KeyBatch& keys) override {
    return set_.count_contained(keys);
  }
  std::uint64_t only_hash(const KeyBatch& keys) override { return only_read(keys); }

 private:
  const Set& set_;
};

/// Keys -> digests -> filter.
template <Growing Filter>
class ImplementationOf final : public Implementation {
 public:
  ImplementationOf(Filter filter, HashStage hash, bool grows)
      : filter_(std::move(filter)), hash_(std::move(hash)), grows_(grows) {}

  void insert(const KeyBatch& keys) override { hash_.insert(filter_, keys); }

  void insert_by_threads(std::span<const KeyBatch> batches, const ThreadStarted& started) override {
    if constexpr (FilledInShares<Filter>) {
      fill_shares(filter_, static_cast<int>(batches.size()),
                  [&](typename Filter::Share& share, std::size_t thread) {
                    started(static_cast<unsigned>(thread));
                    for (const KeyBatch& batch : batches) hash_.insert(filter_, batch, share);
                  });
    } else if constexpr (MergedFromParts<Filter>) {
      fill_parallel(filter_, static_cast<int>(batches.size()),
                    [&](Filter& part, std::size_t thread) {
                      started(static_cast<unsigned>(thread));
                      hash_.insert(part, batches[thread]);
                    });
    } else {
      Implementation::insert_by_threads(batches, started);
    }
  }

  std::uint64_t count_contained(const KeyBatch& keys) override {
    return hash_.count_contained(filter_, keys);
  }

  FilterState state() const override { return filter_.state(); }
  bool grows() const noexcept override { return grows_; }
  void tune([[maybe_unused]] const BatchTuning& tuning) override {
    if constexpr (Tuned<Filter>) filter_.tune(tuning);
  }
  std::optional<BatchTuning> tuning() const override {
    if constexpr (Tuned<Filter>) return filter_.tuning();
    return std::nullopt;
  }
  std::optional<std::uint64_t> contents_checksum() const override {
    if constexpr (BuiltByThreads<Filter>) return contents_checksum_of(filter_);
    return std::nullopt;
  }
  std::unique_ptr<Asker> asker() const override {
    return std::make_unique<DigestAsker<Filter>>(filter_, hash_);
  }
  std::unique_ptr<Deduplicator> deduplicator() override {
    if constexpr (Deduplicates<Filter>) {
      return std::make_unique<DigestDeduplicator<Filter>>(filter_, hash_);
    } else {
      return nullptr;
    }
  }

 private:
  Filter filter_;
  HashStage hash_;
  bool grows_;
};

/// Keys -> digests, all of which are kept -> filter, built when it is first asked, and again when
/// keys have come since. Throws std::runtime_error then where building fails.
template <Built Filter>
class BuiltImplementation final : public Implementation {
 public:
  BuiltImplementation(const typename Filter::Parameters& parameters, HashStage hash)
      : parameters_(parameters),
        hash_(std::move(hash)),
        planes_(static_cast<std::size_t>(hash_.need().words)) {}

  void insert(const KeyBatch& keys) override {
    filter_.reset();
    hash_.for_each_part(keys, [this](std::size_t, const DigestBatch& digests) {
      for (std::size_t i = 0; i < planes_.size(); ++i) {
        const auto word = digests.word(static_cast<int>(i));
        planes_[i].insert(planes_[i].end(), word.begin(), word.end());
      }
    });
  }

  std::uint64_t count_contained(const KeyBatch& keys) override {
    return hash_.count_contained(built(), keys);
  }

  FilterState state() const override { return built().state(); }
  bool grows() const noexcept override { return true; }
  std::unique_ptr<Asker> asker() const override {
    return std::make_unique<DigestAsker<Filter>>(built(), hash_);
  }

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
class ExactImplementation final : public Implementation {
 public:
  explicit ExactImplementation(const typename Set::Parameters& parameters) : set_(parameters) {}

  void insert(const KeyBatch& keys) override { set_.insert(keys); }
  std::uint64_t count_contained(const KeyBatch& keys) override {
    return set_.count_contained(keys);
  }
  FilterState state() const override { return set_.state(); }
  bool grows() const noexcept override { return true; }
  std::unique_ptr<Asker> asker() const override { return std::make_unique<ExactAsker<Set>>(set_); }

 private:
  Set set_;
};

template <class Filter>
std::unique_ptr<Implementation> ImplementationFactory<Filter>::make(
    const typename Filter::Parameters& parameters, const Cell& cell, const Hasher& hasher,
    std::uint64_t seed) {
  const auto stage = [&](DigestNeed need) { return HashStage(hasher, need, hash_seed(seed)); };
  if constexpr (ExactSet<Filter>) {
    return std::make_unique<ExactImplementation<Filter>>(parameters);
  } else if constexpr (Built<Filter>) {
    return std::make_unique<BuiltImplementation<Filter>>(parameters,
                                                         stage(Filter::need(parameters)));
  } else {
    const bool grows =
        Filter::memory_bits(parameters, 1) != Filter::memory_bits(parameters, max_filter_bits);
    if constexpr (Probed<Filter>) {
      const Probe probe = make_probe(cell.probe, cell.reduction);
      return std::make_unique<ImplementationOf<Filter>>(
          Filter(parameters, probe), stage(probe.need(Filter::probes(parameters, cell.n))), grows);
    } else {
      return std::make_unique<ImplementationOf<Filter>>(Filter(parameters),
                                                        stage(Filter::need(parameters)), grows);
    }
  }
}

}  // namespace bloomlab::experiments
