#include "experiments/speed/called_filters.hpp"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/catalogue.hpp"
#include "core/keyed_filter.hpp"
#include "experiments/cells/cell_names.hpp"
#include "experiments/cells/cell_parts.hpp"
#include "experiments/cells/digest_askers.hpp"
#include "experiments/peers/keyed_peer.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {
namespace {

/// What is compiled: every filter with every hash. A call of one key is code of its own for each.
using CalledFilters = TypeList<Standard, Partitioned, Blocked, RegisterBlocked, CacheSectorized,
                               SplitBlock, Multiblock, Counting, Scalable, Cuckoo>;
using CalledHashes = TypeList<MultiplyMix64, XxHash3_64>;

/// Asks by calls of so many keys, whose answers are counted.
template <class Hash, class Filter>
class CallAsker final : public Asker {
 public:
  using Keyed = KeyedFilter<Hash, Filter>;

  CallAsker(const Keyed& filter, std::size_t keys_per_call)
      : filter_(filter),
        hash_(filter.seed()),
        stage_(Hasher::of<Hash>(), {.words = 1}, filter.seed()),
        answers_(keys_per_call) {}

  std::uint64_t count_contained(const KeyBatch& keys) override {
    std::uint64_t count = 0;
    if (answers_.size() == 1) {
      for_each_key(keys, [&](const auto& key) { count += filter_.contains(key) ? 1 : 0; });
    } else {
      for_each_call(keys, answers_.size(), [&](const auto& call) {
        const std::span<Answer> out(answers_.data(), call.size());
        filter_.contains(call, out);
        count += static_cast<std::uint64_t>(std::ranges::count(out, Answer::maybe));
      });
    }
    return count;
  }
  /// Key by key where the calls are so short that they hash so.
  std::uint64_t only_hash(const KeyBatch& keys) override {
    std::uint64_t fold = 0;
    if (answers_.size() <= filter_.one_by_one_up_to()) {
      for (const std::uint64_t key : keys.values()) fold ^= hash_.word(key);
      for (const std::string_view key : keys.texts()) {
        fold ^= hash_.word(std::as_bytes(std::span(key)));
      }
      return fold == 0 ? 1 : 0;
    }
    for (std::size_t first = 0; first < keys.size(); first += answers_.size()) {
      const auto call = keys.slice(first, std::min(answers_.size(), keys.size() - first));
      stage_.for_each_part(
          call, [&](std::size_t, const DigestBatch& digests) { fold |= cancels_out(digests); });
    }
    return fold;
  }

 private:
  const Keyed& filter_;
  OneKeyHasher<Hash> hash_;
  HashStage stage_;
  std::vector<Answer> answers_;
};

template <class Hash, class Filter>
class CalledFilter final : public Implementation {
 public:
  CalledFilter(const typename Filter::Parameters& parameters, std::uint64_t seed,
               std::size_t keys_per_call)
      : filter_(parameters, seed), keys_per_call_(keys_per_call) {}

  void insert(const KeyBatch& keys) override {
    if (keys_per_call_ == 1) {
      for_each_key(keys, [this](const auto& key) { static_cast<void>(filter_.insert(key)); });
    } else {
      for_each_call(keys, keys_per_call_,
                    [this](const auto& call) { static_cast<void>(filter_.insert(call)); });
    }
  }
  std::uint64_t count_contained(const KeyBatch& keys) override {
    return asker()->count_contained(keys);
  }
  [[nodiscard]] FilterState state() const override { return filter_.filter().state(); }
  [[nodiscard]] bool grows() const noexcept override { return false; }
  [[nodiscard]] std::unique_ptr<Asker> asker() const override {
    return std::make_unique<CallAsker<Hash, Filter>>(filter_, keys_per_call_);
  }

 private:
  KeyedFilter<Hash, Filter> filter_;
  std::size_t keys_per_call_;
};

template <class List>
bool is_named(std::string_view name) {
  return std::ranges::count(catalogue_names<List>(), name) != 0;
}

template <class List>
std::string quoted_names() {
  std::string quoted;
  for (const std::string_view name : catalogue_names<List>()) {
    quoted.append(quoted.empty() ? "\"" : ", \"").append(name).append("\"");
  }
  return quoted;
}

}  // namespace

bool is_called(std::string_view filter, std::string_view hash) {
  return is_named<CalledFilters>(filter) && is_named<CalledHashes>(hash);
}

std::string quoted_called_filters() { return quoted_names<CalledFilters>(); }
std::string quoted_called_hashes() { return quoted_names<CalledHashes>(); }

std::unique_ptr<Implementation> make_called_filter(const Cell& cell, std::uint64_t seed,
                                                   std::size_t keys_per_call) {
  std::unique_ptr<Implementation> made;
  visit_name<CalledHashes>(cell.hash, [&]<class Hash>(std::type_identity<Hash>) {
    visit_name<CalledFilters>(cell.filter, [&]<class Filter>(std::type_identity<Filter>) {
      made = std::make_unique<CalledFilter<Hash, Filter>>(
          record::parameters_of<Filter>(cell.json().at("filter"), "kind"), hash_seed(seed),
          keys_per_call);
    });
  });
  return made;
}

}  // namespace bloomlab::experiments
