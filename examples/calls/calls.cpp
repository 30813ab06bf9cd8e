// What a call of the installed library costs, by the number of its keys, beside a plain filter of
// forty lines and the hash table of the standard library, in turn, with the flags of this unit:
//
//     c++ -std=c++20 -O3 -march=native examples/calls/calls.cpp -I experiments/peers
//         $(pkg-config --cflags --libs bloomlab) -o calls && ./calls 1000000 21
//
// (one line). The arguments are the number of keys, of rounds of each seed and of seeds. Times are
// medians over the rounds of all seeds, in ns per key; inserts go into a new filter, inserted keys
// are looked up in random order. Compiled with `-I FOLDER`, where FOLDER/boost/bloom/filter.hpp is
// of Boost 1.90 or later, it measures Boost.Bloom in the same rounds and prints how many times as
// fast ours are; `boost` as fourth argument leaves out the other rows, a fifth one names the only
// target that our kernels may use, such as AVX2. Large pages for all:
// GLIBC_TUNABLES=glibc.malloc.hugetlb=1 ./calls ...
#include <algorithm>
#include <array>
#include <bloomlab/core/filters/blocked.hpp>
#include <bloomlab/core/filters/split_block.hpp>
#include <bloomlab/core/hash/xxhash3_64.hpp>
#include <bloomlab/core/keyed_filter.hpp>
#include <bloomlab/core/simd/targets.hpp>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#if __has_include(<boost/bloom/filter.hpp>)
#include <boost/bloom/fast_multiblock32.hpp>
#include <boost/bloom/filter.hpp>
#define WITH_BOOST_BLOOM 1
#endif

#include "plain_block_filter.hpp"

namespace {

constexpr std::size_t bits_per_key = 10;
constexpr std::size_t most_texts = 10'000'000;  // three times as many in memory: 4 GB

template <class Key>
struct Keys {
  std::vector<Key> inserted, absent, inserted_in_disorder;
};

Keys<std::uint64_t> integers(std::size_t n, std::size_t seed) {
  std::mt19937_64 random(seed);
  Keys<std::uint64_t> keys;
  for (std::size_t i = 0; i < n; ++i) keys.inserted.push_back(2 * random());
  for (std::size_t i = 0; i < n; ++i) keys.absent.push_back(2 * random() + 1);
  keys.inserted_in_disorder = keys.inserted;
  std::ranges::shuffle(keys.inserted_in_disorder, random);
  return keys;
}

/// Texts of 53 bytes, which are put into `memory`.
Keys<std::string_view> texts(const Keys<std::uint64_t>& numbers, std::vector<std::string>& memory) {
  memory.reserve(3 * numbers.inserted.size());
  const auto as_texts = [&](const std::vector<std::uint64_t>& values) {
    std::vector<std::string_view> keys;
    for (const std::uint64_t value : values) {
      std::array<char, 64> text;
      const int size =
          std::snprintf(text.data(), text.size(), "https://www.example.org/articles/all/%016llx",
                        static_cast<unsigned long long>(value));
      keys.push_back(memory.emplace_back(text.data(), static_cast<std::size_t>(size)));
    }
    return keys;
  };
  return {as_texts(numbers.inserted), as_texts(numbers.absent),
          as_texts(numbers.inserted_in_disorder)};
}

#if defined(WITH_BOOST_BLOOM)
/// A filter of Boost.Bloom, called as ours are.
template <class Filter>
class BoostBloom {
 public:
  using Key = typename Filter::value_type;
  explicit BoostBloom(std::size_t m) : filter_(m) {}
  void insert(const Key& key) { filter_.insert(key); }
  void insert(std::span<const Key> keys) { filter_.insert(keys.begin(), keys.end()); }
  void clear() { filter_.clear(); }
  bool contains(const Key& key) const { return filter_.may_contain(key); }
  void contains(std::span<const Key> keys, std::span<bloomlab::Answer> answers) const {
    filter_.may_contain(keys.begin(), keys.end(),
                        [answer = answers.data()](const Key&, bool is) mutable {
                          *answer++ = is ? bloomlab::Answer::maybe : bloomlab::Answer::absent;
                        });
  }

 private:
  Filter filter_;
};
#endif

template <class Filter, class Key>
void insert(Filter& filter, std::span<const Key> keys, std::size_t keys_per_call) {
  if constexpr (requires { filter.insert(keys); }) {
    if (keys_per_call > 1) {
      for (; !keys.empty(); keys = keys.subspan(std::min(keys_per_call, keys.size()))) {
        filter.insert(keys.first(std::min(keys_per_call, keys.size())));
      }
      return;
    }
  }
  for (const Key key : keys) filter.insert(key);
}

template <class Filter, class Key>
std::size_t reported(const Filter& filter, std::span<const Key> keys, std::size_t keys_per_call) {
  std::size_t count = 0;
  if constexpr (requires(std::span<bloomlab::Answer> out) { filter.contains(keys, out); }) {
    if (keys_per_call > 1) {
      std::vector<bloomlab::Answer> answers(keys_per_call);
      for (; !keys.empty(); keys = keys.subspan(std::min(keys_per_call, keys.size()))) {
        const auto out = std::span(answers).first(std::min(keys_per_call, keys.size()));
        filter.contains(keys.first(out.size()), out);
        count += static_cast<std::size_t>(std::ranges::count(out, bloomlab::Answer::maybe));
      }
      return count;
    }
  }
  for (const Key key : keys) count += filter.contains(key) ? 1 : 0;
  return count;
}

/// Times of one filter, called with so many keys at a time: an entry per round.
struct Row {
  std::string name;
  std::size_t keys_per_call = 1;
  std::array<std::vector<double>, 3> times = {};  // insert, absent key, inserted key [ns per key]
  std::size_t reported_absent = 0, asked_absent = 0;
  bool forgot = false;
};

/// The median of values, and the interval of 95 % whose ends are values, by the binomial law of
/// how many are below the true one; of fewer than six, all there are.
struct Median {
  double value, low, high;
};

Median median(std::vector<double> values) {
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  const auto rank = static_cast<std::size_t>(std::max(0.0, n / 2 - 0.98 * std::sqrt(n) - 0.5));
  return {values[values.size() / 2], values[rank], values[values.size() - 1 - rank]};
}

template <class Key>
class Bench {
 public:
  explicit Bench(bool boost_only) : boost_only_(boost_only) {}

  /// Every filter once, in turn, with these keys.
  void round(const Keys<Key>& keys) {
    using namespace bloomlab;
    const std::size_t m = (keys.inserted.size() * bits_per_key + 511) / 512 * 512;
    next_ = 0;
    const std::vector<std::size_t> calls = boost_only_
                                               ? std::vector<std::size_t>{1, 4096}
                                               : std::vector<std::size_t>{1, 4, 16, 64, 4096};
    const auto standard = [m] { return KeyedFilter<>({.m = m, .k = 7}); };
    const auto split_block = [m] { return KeyedFilter<MultiplyMix64, SplitBlock>({.m = m}); };
    time(standard_name, calls, keys, standard);
    time(split_block_name, calls, keys, split_block);
#if defined(WITH_BOOST_BLOOM)
    time(boost_standard_name, {1, 4096}, keys,
         [m] { return BoostBloom<boost::bloom::filter<Key, 7>>(m); });
    time(boost_split_block_name, {1, 4096}, keys, [m] {
      using Blocks = boost::bloom::filter<Key, 1, boost::bloom::fast_multiblock32<8>>;
      return BoostBloom<Blocks>(m);
    });
#endif
    if (boost_only_) return;
    time("KeyedFilter<XxHash3_64>", calls, keys,
         [m] { return KeyedFilter<XxHash3_64>({.m = m, .k = 7}); });
    time("KeyedFilter<MultiplyMix64, Blocked>", calls, keys,
         [m] { return KeyedFilter<MultiplyMix64, Blocked>({.m = m, .k = 6, .block_bits = 512}); });
    time("a plain split block", {1}, keys, [m] { return PlainBlockFilter(m); });
    time("std::unordered_set", {1}, keys, [] { return std::unordered_set<Key>(); });
  }

  /// @return whether no filter forgot a key
  bool print(const char* what) const {
    std::printf("\n%-38s  keys/call  insert  absent  inserted [ns per key]    FPR\n", what);
    bool kept = true;
    for (const Row& row : rows_) {
      std::printf("%-38s  %9zu", row.name.c_str(), row.keys_per_call);
      for (const std::vector<double>& times : row.times) {
        std::printf("  %6.2f", median(times).value);
      }
      std::printf("%18.5f%s\n",
                  static_cast<double>(row.reported_absent) / static_cast<double>(row.asked_absent),
                  row.forgot ? "  FORGOT KEYS" : "");
      kept = kept && !row.forgot;
    }
    print_ratios(standard_name, boost_standard_name);
    print_ratios(split_block_name, boost_split_block_name);
    return kept;
  }

 private:
  static constexpr const char* standard_name = "KeyedFilter<>";
  static constexpr const char* split_block_name = "KeyedFilter<MultiplyMix64, SplitBlock>";
  static constexpr const char* boost_standard_name = "boost filter<Key, 7>";
  static constexpr const char* boost_split_block_name = "boost fast_multiblock32<8>";

  /// A row for every number of keys of a call.
  template <class Make>
  void time(const char* name, const std::vector<std::size_t>& calls, const Keys<Key>& keys,
            Make make) {
    for (const std::size_t keys_per_call : calls) {
      if (next_ == rows_.size()) rows_.push_back({name, keys_per_call});
      Row& row = rows_[next_++];
      auto filter = make();
      // Its memory is there then, for all alike.
      if constexpr (requires { filter.clear(); }) filter.clear();
      std::array<std::chrono::steady_clock::time_point, 4> at;
      at[0] = std::chrono::steady_clock::now();
      insert(filter, std::span(keys.inserted), keys_per_call);
      at[1] = std::chrono::steady_clock::now();
      row.reported_absent += reported(filter, std::span(keys.absent), keys_per_call);
      at[2] = std::chrono::steady_clock::now();
      row.forgot |= reported(filter, std::span(keys.inserted_in_disorder), keys_per_call) !=
                    keys.inserted_in_disorder.size();
      at[3] = std::chrono::steady_clock::now();
      row.asked_absent += keys.absent.size();
      for (std::size_t i = 0; i < 3; ++i) {
        row.times[i].push_back(std::chrono::duration<double, std::nano>(at[i + 1] - at[i]).count() /
                               static_cast<double>(keys.inserted.size()));
      }
    }
  }

  /// How many times as fast as the peer ours is, called alike: medians over the rounds.
  void print_ratios(const char* ours, const char* peer) const {
    for (const Row& row : rows_) {
      const auto other = std::ranges::find_if(rows_, [&](const Row& candidate) {
        return candidate.name == peer && candidate.keys_per_call == row.keys_per_call;
      });
      if (row.name != ours || other == rows_.end()) continue;
      std::printf("%s / %s, %zu a call:", peer, ours, row.keys_per_call);
      for (std::size_t i = 0; i < 3; ++i) {
        std::vector<double> ratios;
        for (std::size_t round = 0; round < row.times[i].size(); ++round) {
          ratios.push_back(other->times[i][round] / row.times[i][round]);
        }
        const Median ratio = median(ratios);
        std::printf("  %.2f [%.2f, %.2f]", ratio.value, ratio.low, ratio.high);
      }
      std::printf("\n");
    }
  }

  bool boost_only_;
  std::size_t next_ = 0;  ///< the row that is timed next in this round
  std::vector<Row> rows_;
};

}  // namespace

int main(int count, char** arguments) {
  const auto number = [&](int i, std::size_t otherwise) {
    return count > i ? std::strtoull(arguments[i], nullptr, 10) : otherwise;
  };
  const std::size_t n = number(1, 1'000'000), rounds = number(2, 21), seeds = number(3, 1);
  const bool boost_only = count > 4 && std::string_view(arguments[4]) == "boost";
  if (n == 0 || rounds == 0 || seeds == 0 || (count > 4 && !boost_only)) {
    std::fprintf(stderr,
                 "usage: calls [KEYS [ROUNDS [SEEDS [boost [TARGET]]]]], numbers at least 1\n");
    return 2;
  }
  std::optional<bloomlab::simd::ForcedTarget> target;
  if (count > 5) target.emplace(arguments[5]);
  std::printf("%zu keys, %zu bits per key, %zu seed(s) of %zu rounds, medians; kernels: %s\n", n,
              bits_per_key, seeds, rounds, bloomlab::simd::chosen_target().c_str());
  Bench<std::uint64_t> of_integers(boost_only);
  Bench<std::string_view> of_texts(boost_only);
  for (std::size_t seed = 1; seed <= seeds; ++seed) {
    const Keys<std::uint64_t> numbers = integers(n, seed);
    for (std::size_t i = 0; i < rounds; ++i) of_integers.round(numbers);
    if (n > most_texts) continue;
    std::vector<std::string> memory;
    const Keys<std::string_view> words = texts(numbers, memory);
    for (std::size_t i = 0; i < rounds; ++i) of_texts.round(words);
  }
  const bool kept = of_integers.print("integers");
  if (n > most_texts) return kept ? 0 : 1;
  return of_texts.print("texts of 53 bytes") && kept ? 0 : 1;
}
