// What a call of the installed library costs, by the number of its keys, beside a plain filter of
// forty lines and the hash table of the standard library, in turn, with the flags of this unit:
//
//     c++ -std=c++20 -O3 -march=native examples/calls/calls.cpp -I experiments/peers
//         $(pkg-config --cflags --libs bloomlab) -o calls && ./calls 1000000 21
//
// (one line). The arguments are the number of keys and of rounds. Times are medians over the
// rounds, in ns per key; inserts go into a new filter, inserted keys are looked up in random order.
#include <algorithm>
#include <array>
#include <bloomlab/core/filters/blocked.hpp>
#include <bloomlab/core/filters/split_block.hpp>
#include <bloomlab/core/hash/xxhash3_64.hpp>
#include <bloomlab/core/keyed_filter.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "plain_block_filter.hpp"

namespace {

constexpr std::size_t bits_per_key = 10;

template <class Key>
struct Keys {
  std::vector<Key> inserted, absent, inserted_in_disorder;
};

Keys<std::uint64_t> integers(std::size_t n) {
  std::mt19937_64 random(1);
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

struct Row {
  std::string name;
  std::size_t keys_per_call = 1;
  std::function<void(Row&)> round;
  std::array<std::vector<double>, 3> times = {};  // insert, absent key, inserted key
  std::size_t reported_absent = 0;
  bool forgot = false;
};

template <class Key>
struct Bench {
  const Keys<Key>& keys;
  std::vector<Row> rows = {};

  /// A row for every number of keys of a call.
  template <class Make>
  void add(const std::string& name, std::vector<std::size_t> calls, Make make) {
    for (const std::size_t keys_per_call : calls) {
      rows.push_back(
          {name, keys_per_call, [this, make](Row& row) {
             auto filter = make();
             std::array<std::chrono::steady_clock::time_point, 4> at;
             const auto per_key = [&](std::size_t i) {
               return std::chrono::duration<double, std::nano>(at[i + 1] - at[i]).count() /
                      static_cast<double>(keys.inserted.size());
             };
             at[0] = std::chrono::steady_clock::now();
             insert(filter, std::span(keys.inserted), row.keys_per_call);
             at[1] = std::chrono::steady_clock::now();
             row.reported_absent = reported(filter, std::span(keys.absent), row.keys_per_call);
             at[2] = std::chrono::steady_clock::now();
             row.forgot |= reported(filter, std::span(keys.inserted_in_disorder),
                                    row.keys_per_call) != keys.inserted_in_disorder.size();
             at[3] = std::chrono::steady_clock::now();
             for (std::size_t i = 0; i < 3; ++i) row.times[i].push_back(per_key(i));
           }});
    }
  }

  /// @return whether no filter forgot a key
  bool run(const char* what, std::size_t rounds) {
    for (std::size_t i = 0; i < rounds; ++i) {
      for (Row& row : rows) row.round(row);
    }
    std::printf("\n%s%*s  keys/call  insert  absent  inserted [ns per key]    FPR\n", what,
                static_cast<int>(38 - std::string_view(what).size()), "");
    bool kept = true;
    for (Row& row : rows) {
      std::printf("%-38s  %9zu", row.name.c_str(), row.keys_per_call);
      for (std::vector<double>& times : row.times) {
        std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(rounds / 2));
        std::printf("  %6.2f", times[rounds / 2]);
      }
      std::printf(
          "%18.5f%s\n",
          static_cast<double>(row.reported_absent) / static_cast<double>(keys.absent.size()),
          row.forgot ? "  FORGOT KEYS" : "");
      kept = kept && !row.forgot;
    }
    return kept;
  }
};

template <class Key>
bool measure(const char* what, const Keys<Key>& keys, std::size_t rounds) {
  using namespace bloomlab;
  const std::size_t m = (keys.inserted.size() * bits_per_key + 511) / 512 * 512;
  const std::vector<std::size_t> calls = {1, 4, 16, 64, 1024};
  Bench<Key> bench{keys};
  bench.add("KeyedFilter<>", calls, [m] { return KeyedFilter<>({.m = m, .k = 7}); });
  bench.add("KeyedFilter<XxHash3_64>", calls,
            [m] { return KeyedFilter<XxHash3_64>({.m = m, .k = 7}); });
  bench.add("KeyedFilter<MultiplyMix64, SplitBlock>", calls,
            [m] { return KeyedFilter<MultiplyMix64, SplitBlock>({.m = m}); });
  bench.add("KeyedFilter<MultiplyMix64, Blocked>", calls, [m] {
    return KeyedFilter<MultiplyMix64, Blocked>({.m = m, .k = 6, .block_bits = 512});
  });
  bench.add("a plain split block", {1}, [m] { return PlainBlockFilter(m); });
  bench.add("std::unordered_set", {1}, [] { return std::unordered_set<Key>(); });
  return bench.run(what, rounds);
}

}  // namespace

int main(int count, char** arguments) {
  const std::size_t n = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1'000'000;
  const std::size_t rounds = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 21;
  if (n == 0 || rounds == 0) {
    std::fprintf(stderr, "usage: calls [KEYS [ROUNDS]], both at least 1\n");
    return 2;
  }
  std::printf("%zu keys, %zu bits per key, medians of %zu rounds\n", n, bits_per_key, rounds);
  const Keys<std::uint64_t> numbers = integers(n);
  std::vector<std::string> memory;
  const bool kept = measure("integers", numbers, rounds);
  return measure("texts of 53 bytes", texts(numbers, memory), rounds) && kept ? 0 : 1;
}
