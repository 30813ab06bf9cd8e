// Keys with a structure: rates of other key sources, and absent keys that resemble inserted ones.

#include <functional>
#include <string>

#include "audit/attempt.hpp"
#include "audit/batches.hpp"
#include "audit/measure.hpp"

namespace bloomlab::audit::detail {
namespace {

constexpr std::uint64_t source_size = 1000;

/// Key number i of a source: an integer, or a text.
struct Source {
  std::string name;
  std::function<std::uint64_t(std::uint64_t)> integer = {};
  std::function<std::string(std::uint64_t)> text = {};
};

std::string zero_padded(std::uint64_t number, std::size_t width) {
  std::string digits = std::to_string(number);
  return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

std::vector<Source> sources() {
  return {
      {"integers from 0 on", [](std::uint64_t i) { return i; }},
      {"multiples of 1024", [](std::uint64_t i) { return i << 10; }},
      {"multiples of 2^32", [](std::uint64_t i) { return i << 32; }},
      {"numbers as text", {}, [](std::uint64_t i) { return std::to_string(i); }},
      {"addresses in the web",
       {},
       [](std::uint64_t i) {
         return "https://www.example.org/item/" + std::to_string(i) + "/index.html";
       }},
      {"names with a number in front",
       {},
       [](std::uint64_t i) { return zero_padded(i, 9) + "@example.com"; }},
  };
}

/// `count` keys of the source from number `first` on.
class Batch {
 public:
  Batch(const Source& source, std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      if (source.text) {
        texts_.push_back(source.text(first + i));
      } else {
        integers_.push_back(source.integer(first + i));
      }
    }
    views_.assign(texts_.begin(), texts_.end());
  }
  [[nodiscard]] KeyBatch keys() const {
    return views_.empty() ? KeyBatch::integers(integers_, 8) : KeyBatch::texts(views_);
  }

 private:
  std::vector<std::uint64_t> integers_;
  std::vector<std::string> texts_;
  std::vector<std::string_view> views_;
};

/// Counts into the cell, filter by filter.
void measure_source(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
                    const Source& source, RateCell& cell) {
  const Batch inserted(source, 0, source_size);
  for (std::uint64_t t = 0; t < plan.source_filters; ++t) {
    filter.create(examined.request(source_size, plan.seed + 500 + t));
    if (!filter.insert(inserted.keys())) break;
    // Other absent keys for every filter: one whose hash ignores its seed shows new ones, too.
    const Batch absent(source, source_size + t * plan.source_queries, plan.source_queries);
    const std::uint64_t hits = filter.count_contained(absent.keys());
    const std::uint64_t lost = source_size - filter.count_contained(inserted.keys());
    cell.memory_bits = filter.memory_bits();
    ++cell.filters;
    cell.queries += plan.source_queries;
    cell.hits += hits;
    cell.squares += static_cast<double>(hits) * static_cast<double>(hits);
    cell.inserted_queries += source_size;
    cell.lost += lost;
  }
}

/// A way in which a key and its twin differ: the two of number i.
struct Difference {
  std::string name;
  std::function<std::string(std::uint64_t, bool)> key;
};

std::vector<Difference> differences() {
  const auto number = [](std::uint64_t i) { return zero_padded(i, 8); };
  const auto long_key = [number](std::size_t prefix) {
    return [number, prefix](std::uint64_t i, bool twin) {
      return number(i) + std::string(prefix - 8, '-') + (twin ? "one end" : "another");
    };
  };
  return {
      {"after a zero byte",
       [number](auto i, bool twin) { return number(i) + '\0' + (twin ? "one" : "two"); }},
      {"after byte 8", long_key(8)},
      {"after byte 16", long_key(16)},
      {"after byte 32", long_key(32)},
      {"after byte 64", long_key(64)},
      {"after byte 256", long_key(256)},
      {"before the last 8 bytes",
       [number](auto i, bool twin) { return (twin ? "head " : "tail ") + number(i); }},
      {"in small and capital letters",
       [number](auto i, bool twin) { return (twin ? "key" : "KEY") + number(i); }},
      {"in the order of their bytes",
       [number](auto i, bool twin) {
         const std::string digits = number(i);
         return twin ? digits + "ab" : "ba" + std::string(digits.rbegin(), digits.rend());
       }},
      {"in bytes from 128 on, which are no text",
       [number](auto i, bool twin) { return number(i) + (twin ? "\xFE\xFF" : "\xC0\xC1"); }},
      {"by blanks at the end",
       [number](auto i, bool twin) { return number(i) + (twin ? "  " : ""); }},
  };
}

Twins twins(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
            const Difference& difference) {
  constexpr std::uint64_t pairs = 400;
  const auto make = [&](bool twin) {
    return Source{"", {}, [&difference, twin](std::uint64_t i) {
                    return difference.key(10'000'000 + 9173 * i, twin);
                  }};
  };
  filter.create(examined.request(source_size, plan.seed + 5));
  filter.insert(Batch(make(false), 0, pairs).keys());
  Twins result{.difference = difference.name, .pairs = pairs, .absent = 4 * pairs};
  result.reported = filter.count_contained(Batch(make(true), 0, pairs).keys());
  result.hits = filter.count_contained(Batch(make(true), pairs, result.absent).keys());
  return result;
}

/// Integers that differ from inserted ones in one half only.
Twins integer_twins(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
                    bool upper) {
  std::vector<std::uint64_t> keys(400);
  std::vector<std::uint64_t> others(1600);
  KeyedPermutation(plan.seed).apply_range(0, keys);
  KeyedPermutation(plan.seed).apply_range(first_absent, others);
  filter.create(examined.request(source_size, plan.seed + 6));
  filter.insert(KeyBatch::integers(keys, 8));
  Twins result{
      .difference = upper ? "in the upper 32 bits of integers" : "in the lower 32 bits of integers",
      .pairs = keys.size(),
      .absent = others.size()};
  result.hits = filter.count_contained(KeyBatch::integers(others, 8));
  for (std::uint64_t& key : keys) key ^= upper ? 0x5a5a'5a5a'0000'0000U : 0x5a5a'5a5aU;
  result.reported = filter.count_contained(KeyBatch::integers(keys, 8));
  return result;
}

}  // namespace

void measure_keys(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
                  Evidence& evidence) {
  for (const Source& source : sources()) {
    RateCell cell{.keys = source.name, .size = source_size, .inserted = source_size};
    attempted(evidence, "rates of " + source.name,
              [&] { measure_source(filter, examined, plan, source, cell); });
    if (cell.filters > 0) evidence.sources.push_back(cell);
  }
  for (const Difference& difference : differences()) {
    attempted(evidence, "keys that differ only " + difference.name,
              [&] { evidence.twins.push_back(twins(filter, examined, plan, difference)); });
  }
  for (const bool upper : {true, false}) {
    attempted(evidence, "integers that differ in one half",
              [&] { evidence.twins.push_back(integer_twins(filter, examined, plan, upper)); });
  }
}

}  // namespace bloomlab::audit::detail
