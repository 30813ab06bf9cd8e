// bloomlab-store: one trial of the kind key_value_store or table_levels, which starts this program,
// gives it a request on its standard input, and reads what was measured, or the fault, from its
// output. The folder of the store is gone when this program is, and this program when its parent
// is.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/keyed_filter.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "core/theory/levels.hpp"
#include "core/theory/sizing.hpp"
#include "experiments/applications/draws.hpp"
#include "experiments/applications/membership.hpp"
#include "experiments/applications/scratch_folder.hpp"
#include "experiments/kinds/key_value_store.hpp"
#include "experiments/kinds/table_levels.hpp"
#include "experiments/kinds/trial_program.hpp"
#include "experiments/speed/noise.hpp"
#include "experiments/speed/timed_loops.hpp"
#include "experiments/store/pairs.hpp"
#include "experiments/store/table.hpp"

namespace bloomlab::experiments {
namespace {

using StorePoint = KeyValueStore::Point;
using record::Json;

/// Probes per key of RocksDB's own filter by its bits per key, from 0 on (RocksDB 7.8,
/// util/bloom_impl.h, FastLocalBloomImpl::ChooseNumProbes).
constexpr std::array<int, 25> own_probes = {1, 1, 1, 2, 3,  3,  4,  5,  5,  6,  6,  7, 8,
                                            8, 8, 9, 9, 10, 10, 11, 11, 11, 11, 12, 12};

std::uint64_t whole(std::uint64_t bits, std::uint64_t block) {
  return (bits + block - 1) / block * block;
}

/// The filter in front with its size.
struct Front {
  std::unique_ptr<Membership> filter;
  std::uint64_t m = 0;
  std::uint64_t k = 0;
};

Front make_front(const StorePoint::Parameters& at, std::uint64_t seed) {
  const std::uint64_t m = at.n * at.bits_per_key;
  const std::uint64_t k = fitting_probes(at.bits_per_key);
  switch (at.front) {
    case StorePoint::Front::blocked:
      return {blocked_filter(whole(m, 512), k, seed), whole(m, 512), k};
    case StorePoint::Front::split_block:
      return {split_block_filter(whole(m, 256), 8, seed), whole(m, 256), 8};
    case StorePoint::Front::standard:
      break;
  }
  return {default_filter(m, k, seed), m, k};
}

/// The numbers of keys `first` .. `first + count - 1` in the order of their texts.
std::vector<std::uint64_t> sorted_keys(const KeyedPermutation& permutation, std::uint64_t first,
                                       std::uint64_t count) {
  std::vector<std::uint64_t> keys;
  keys.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t i = first; i < first + count; ++i) keys.push_back(permutation(i));
  std::ranges::sort(keys);
  return keys;
}

Table make_table(const std::filesystem::path& folder, const TableSettings& settings,
                 std::span<const std::uint64_t> keys, std::uint64_t value_bytes) {
  return Table(folder, settings, keys, write_key,
               [value_bytes](std::uint64_t key, std::string& value) {
                 write_value(key, value_bytes, value);
               });
}

struct Lookups {
  std::vector<std::uint64_t> keys;
  std::vector<bool> is_present;
};

/// Looks every key up. @param find the table that has a key, or null
/// @return answers that were not the key's
template <class Find>
std::uint64_t count_wrong(const Lookups& lookups, std::uint64_t value_bytes, Find&& find) {
  std::uint64_t wrong = 0;
  std::string text;
  std::string value;
  for (std::size_t i = 0; i < lookups.keys.size(); ++i) {
    write_key(lookups.keys[i], text);
    const Table* const found = find(text);
    if (found != nullptr) write_value(lookups.keys[i], value_bytes, value);
    const bool is_right = (found != nullptr) == lookups.is_present[i] &&
                          (found == nullptr || found->value() == value);
    wrong += is_right ? 0 : 1;
  }
  return wrong;
}

/// Keys in a store with both filters, and keys to look up.
class GuardedStore {
 public:
  using Kind = KeyValueStore;

  GuardedStore(const KeyValueStore::Parameters& p, const StorePoint::Parameters& at,
               std::uint64_t seed)
      : p_(p),
        at_(at),
        permutation_(seed),
        draws_(seed),
        front_(make_front(at, draws_.number())),
        keys_(sorted_keys(permutation_, 0, at.n)),
        none_(make("none", 0)),
        own_(make("own", at.bits_per_key)) {
    std::string text;
    for (const std::uint64_t key : keys_) {
      write_key(key, text);
      front_.filter->insert(std::string_view(text));
      // So every block is in a cache, that of RocksDB or of the system.
      if (!none_.find(text) || !own_.find(text)) {
        throw std::runtime_error("RocksDB: key " + text + " is not found after it was stored");
      }
    }
    timed_.resize(at_once);
  }

  [[nodiscard]] Json count() {
    const Lookups lookups = draw(p_.lookups);
    std::uint64_t wrong = 0;
    const TableCounts none =
        count(lookups, none_, wrong, [this](const std::string& key) { return none_.find(key); });
    const TableCounts own =
        count(lookups, own_, wrong, [this](const std::string& key) { return own_.find(key); });
    std::uint64_t avoided = 0;
    const TableCounts ours = count(lookups, none_, wrong, [&](const std::string& key) {
      if (reports(key)) return none_.find(key);
      ++avoided;
      return false;
    });
    return {{"lookups", p_.lookups},
            {"hits", std::ranges::count(lookups.is_present, true)},
            {"none_reads", none.lookups},
            {"none_found", none.found},
            {"none_blocks", none.blocks},
            {"own_reads", own.let_by},
            {"own_found", own.found},
            {"own_blocks", own.blocks},
            {"own_avoided", own.filtered},
            {"own_false_positives", own.let_by - own.present_let_by},
            {"own_m", whole((at_.n + 2) * at_.bits_per_key, 512)},
            {"own_k", own_probes.at(static_cast<std::size_t>(at_.bits_per_key))},
            {"ours_reads", ours.lookups},
            {"ours_found", ours.found},
            {"ours_blocks", ours.blocks},
            {"ours_avoided", avoided},
            {"ours_false_positives", ours.lookups - ours.found},
            {"ours_m", front_.m},
            {"ours_k", front_.k},
            {"wrong", wrong}};
  }

  [[nodiscard]] Json time() {
    stay_on_one_processor(0);
    const auto none = [this](const std::string& key) { return none_.find(key); };
    const auto own = [this](const std::string& key) { return own_.find(key); };
    const auto filter = [this](const std::string& key) { return reports(key); };
    const auto ours = [this](const std::string& key) { return reports(key) && none_.find(key); };
    const std::array constants = {
        loop("filter_absent_ns", 0.0, filter), loop("filter_present_ns", 1.0, filter),
        loop("store_absent_ns", 0.0, none),    loop("store_present_ns", 1.0, none),
        loop("own_absent_ns", 0.0, own),       loop("own_present_ns", 1.0, own)};
    const std::array guards = {loop("none_ns", at_.hit_ratio, none),
                               loop("own_ns", at_.hit_ratio, own),
                               loop("ours_ns", at_.hit_ratio, ours)};
    Json timing = {{"looked_up", at_once}};
    keep(constants, run_timed(constants, {.counted = p_.repetitions, .warm_up = 1}), timing);
    keep(guards, run_in_every_order(guards, p_.repetitions / KeyValueStore::orders), timing);
    return timing;
  }

 private:
  static constexpr std::size_t at_once = 250;  ///< keys of a repetition

  [[nodiscard]] Table make(const char* name, std::uint64_t filter_bits) const {
    const bool is_cached = at_.store == StorePoint::Store::cached;
    const std::uint64_t cache = (std::uint64_t{64} << 20) + 2 * at_.n * (at_.value_bytes + 64);
    return make_table(folder_.path() / name,
                      {.filter_bits = filter_bits, .cache_bytes = is_cached ? cache : 0}, keys_,
                      at_.value_bytes);
  }

  [[nodiscard]] bool reports(const std::string& key) const {
    return front_.filter->contains(std::string_view(key));
  }

  /// The number of one key, and whether it is in the store.
  std::pair<std::uint64_t, bool> draw_key(double hit_ratio) {
    // In whole numbers, so that the same keys are drawn everywhere.
    const auto share = static_cast<std::uint64_t>(std::llround(hit_ratio * 0x1p32));
    const bool is_present = draws_.number() >> 32 < share;
    const std::uint64_t drawn = draws_.below(at_.n);
    return {permutation_(is_present ? drawn : at_.n + next_absent_++), is_present};
  }

  [[nodiscard]] Lookups draw(std::uint64_t count) {
    Lookups lookups;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto [key, is_present] = draw_key(at_.hit_ratio);
      lookups.keys.push_back(key);
      lookups.is_present.push_back(is_present);
    }
    return lookups;
  }

  template <class Find>
  [[nodiscard]] TableCounts count(const Lookups& lookups, Table& table, std::uint64_t& wrong,
                                  Find&& find) {
    table.start_counting();
    wrong += count_wrong(lookups, at_.value_bytes, [&](const std::string& key) -> const Table* {
      return find(key) ? &table : nullptr;
    });
    return table.stop_counting();
  }

  template <class Find>
  [[nodiscard]] TimedLoop loop(const char* name, double hit_ratio, Find find) {
    return {.name = name,
            .prepare =
                [this, hit_ratio](unsigned, std::uint64_t) {
                  for (std::string& text : timed_) write_key(draw_key(hit_ratio).first, text);
                },
            .run =
                [this, find](unsigned, std::uint64_t) {
                  for (const std::string& key : timed_) found_ += find(key) ? 1 : 0;
                }};
  }

  static void keep(std::span<const TimedLoop> loops,
                   const std::vector<std::vector<std::uint64_t>>& durations, Json& timing) {
    for (std::size_t i = 0; i < loops.size(); ++i) timing[loops[i].name] = durations[i];
  }

  KeyValueStore::Parameters p_;
  StorePoint::Parameters at_;
  ScratchFolder folder_{"bloomlab-store"};
  KeyedPermutation permutation_;
  KeyedDraws draws_;
  Front front_;
  std::vector<std::uint64_t> keys_;
  Table none_;
  Table own_;
  std::vector<std::string> timed_;
  std::uint64_t next_absent_ = 0;
  std::uint64_t found_ = 0;  ///< what the timed lookups yield
};

/// Tables in levels, with filters by each way to split the bits, and keys to look up.
class LeveledTables {
 public:
  using Kind = TableLevels;

  LeveledTables(const TableLevels::Parameters& p, const TableLevels::Point::Parameters& at,
                std::uint64_t seed)
      : p_(p),
        at_(at),
        permutation_(seed),
        draws_(seed),
        level_keys_(theory::keys_of_levels(at.n, at.levels, at.ratio)) {
    const std::uint64_t bits = at.n * at.bits_per_key;
    ways_[0].bits.resize(level_keys_.size());
    ways_[1].bits = theory::equal_bits(level_keys_, bits);
    ways_[2].bits = theory::best_bits(level_keys_, bits);
    std::uint64_t first = 0;
    for (std::size_t level = 0; level < level_keys_.size(); ++level) {
      const auto keys = sorted_keys(permutation_, first, level_keys_[level]);
      first += level_keys_[level];
      const std::uint64_t cache =
          (std::uint64_t{4} << 20) + 2 * level_keys_[level] * (TableLevels::value_bytes + 64);
      tables_.push_back(make_table(folder_.path() / std::to_string(level), {.cache_bytes = cache},
                                   keys, TableLevels::value_bytes));
      for (Way& way : ways_) add_filter(way, level, keys);
    }
  }

  [[nodiscard]] Json count() {
    const Lookups absent = draw(false);
    const Lookups present = draw(true);
    Json measured = {{"lookups", p_.lookups}, {"level_keys", level_keys_}};
    std::uint64_t wrong = 0;
    for (const Way& way : ways_) {
      const std::string name = way.name;
      measured[name + "_bits"] = way.bits;
      measured[name + "_probes"] = way.probes;
      measured[name + "_reads"] = count(way, absent, wrong).reads;
      const Counts found = count(way, present, wrong);
      measured[name + "_present_reads"] = found.reads;
      measured["level_found"] = found.found;
    }
    measured["wrong"] = wrong;
    return measured;
  }

 private:
  /// Filters by level; null where it has no bits.
  struct Way {
    const char* name;
    std::vector<std::uint64_t> bits = {};
    std::vector<std::uint64_t> probes = {};
    std::vector<std::unique_ptr<Membership>> filters = {};
  };

  /// By level, by the tables' own statistics.
  struct Counts {
    std::vector<std::uint64_t> reads = {};
    std::vector<std::uint64_t> found = {};
  };

  void add_filter(Way& way, std::size_t level, const std::vector<std::uint64_t>& keys) {
    const std::uint64_t seed = draws_.number();
    const std::uint64_t m = way.bits[level];
    const std::uint64_t k = m == 0 ? 0 : theory::optimal_k(m, keys.size()).k;
    way.probes.push_back(k);
    auto& filter = way.filters.emplace_back(m == 0 ? nullptr : standard_filter(m, k, seed));
    if (!filter) return;
    std::string text;
    for (const std::uint64_t key : keys) {
      write_key(key, text);
      filter->insert(std::string_view(text));
    }
  }

  [[nodiscard]] Lookups draw(bool is_present) {
    Lookups lookups;
    for (std::uint64_t i = 0; i < p_.lookups; ++i) {
      lookups.keys.push_back(permutation_(is_present ? draws_.below(at_.n) : at_.n + i));
      lookups.is_present.push_back(is_present);
    }
    return lookups;
  }

  [[nodiscard]] const Table* find(const Way& way, const std::string& key) {
    for (std::size_t level = 0; level < tables_.size(); ++level) {
      const auto& filter = way.filters[level];
      if (filter && !filter->contains(std::string_view(key))) continue;
      if (tables_[level].find(key)) return &tables_[level];
    }
    return nullptr;
  }

  [[nodiscard]] Counts count(const Way& way, const Lookups& lookups, std::uint64_t& wrong) {
    for (Table& table : tables_) table.start_counting();
    wrong += count_wrong(lookups, TableLevels::value_bytes,
                         [&](const std::string& key) { return find(way, key); });
    Counts counts;
    for (Table& table : tables_) {
      const TableCounts one = table.stop_counting();
      counts.reads.push_back(one.lookups);
      counts.found.push_back(one.found);
    }
    return counts;
  }

  TableLevels::Parameters p_;
  TableLevels::Point::Parameters at_;
  ScratchFolder folder_{"bloomlab-store"};
  KeyedPermutation permutation_;
  KeyedDraws draws_;
  std::vector<std::uint64_t> level_keys_;
  std::vector<Table> tables_;
  std::array<Way, 3> ways_ = {Way{"none"}, Way{"uniform"}, Way{"split"}};
};

}  // namespace
}  // namespace bloomlab::experiments

int main() {
  using namespace bloomlab::experiments;
  return answer_request<GuardedStore, LeveledTables>();
}
