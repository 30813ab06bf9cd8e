// Filters of systems in production, as their sources build and query them: the arithmetic of their
// positions, their layers, chunks, blocks and columns. Nothing here is the library's; keys are a
// counter under a keyed mixing, which stands for each system's hash.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

namespace bloomlab::tests {

using Word = std::uint64_t;

/// A keyed mixing of a counter: an ideal hash of 64 bits, and others by their number.
inline Word ideal_hash(Word key, Word number) {
  Word z = key * 0x9e3779b97f4a7c15U + (number + 1) * 0xd1b54a32d192ed03U;
  for (int round = 0; round < 2; ++round) {
    z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27U) * 0x94d049bb133111ebU;
    z ^= z >> 31U;
  }
  return z;
}

inline std::uint32_t low(Word hash) { return static_cast<std::uint32_t>(hash); }
inline std::int32_t as_int(Word hash) { return static_cast<std::int32_t>(low(hash)); }
__extension__ using Wide = unsigned __int128;
inline Word fastrange(Word hash, Word end) { return static_cast<Word>(Wide{hash} * end >> 64U); }

/// A key with two hashes; further ones by their number.
struct Key {
  Word number;
  Word a = ideal_hash(number, 0);
  Word b = ideal_hash(number, 1);
  [[nodiscard]] Word hash(Word i) const { return ideal_hash(number, i); }
};

/// Position i of a key in a filter of m bits.
using Position = Word (*)(const Key& key, Word i, Word m);

inline Word leveldb(const Key& key, Word i, Word m) {
  const std::uint32_t h = low(key.a);
  const std::uint32_t delta = h >> 17U | h << 15U;
  return (h + low(i) * delta) % low(m);
}

inline Word int32_complement(const Key& key, Word i, Word m) {
  const std::int32_t sum = as_int(key.a + (i + 1) * key.b);
  return static_cast<Word>(sum < 0 ? ~sum : sum) % m;
}

inline Word spark_v2(const Key& key, Word i, Word m) {
  const std::int64_t sum =
      std::int64_t{as_int(key.a)} * 2147483647 + static_cast<std::int64_t>(i + 1) * as_int(key.b);
  return static_cast<Word>(sum < 0 ? ~sum : sum) % m;
}

inline Word guava(const Key& key, Word i, Word m) {
  return ((key.a + i * key.b) & ~Word{0} >> 1U) % m;
}

/// The second hash is added before odd probes, the first one before even ones.
inline Word redisson(const Key& key, Word i, Word m) {
  Word hash = key.a;
  for (Word step = 0; step < i; ++step) hash += step % 2 == 0 ? key.b : key.a;
  return (hash & ~Word{0} >> 1U) % m;
}

inline Word cassandra(const Key& key, Word i, Word m) {
  const auto sum = static_cast<std::int64_t>(key.a + i * key.b);
  const std::int64_t rest = sum % static_cast<std::int64_t>(m);
  return static_cast<Word>(rest < 0 ? -rest : rest);
}

inline Word redis(const Key& key, Word i, Word m) { return (key.a + i * key.b) % m; }

inline Word valkey(const Key& key, Word i, Word m) {
  if (i < 2) return key.hash(i) % m;
  return (key.a + i * key.b) % (Word{0} - 59) % m;
}

inline Word clickhouse_grams(const Key& key, Word i, Word m) {
  return (key.a + i * key.b + i * i) % m;
}

inline Word lucene(const Key& key, Word i, Word m) {
  return (low(key.a) + low(i) * low(key.a >> 32U)) & (low(m) - 1);
}

/// ClickHouse's other index has seeds of 64 bits.
inline Word of_seeds(const Key& key, Word i, Word m) { return key.hash(i) % m; }

/// Hudi hashes the key with the hash before as the seed.
inline Word chained(const Key& key, Word i, Word m) {
  const std::int64_t rest = as_int(key.hash(i)) % static_cast<std::int64_t>(m);
  return static_cast<Word>(rest < 0 ? -rest : rest);
}

inline Word hbase(const Key& key, Word i, Word m) {
  const std::int64_t rest = as_int(key.a + i * key.b) % static_cast<std::int64_t>(m);
  return static_cast<Word>(rest < 0 ? -rest : rest);
}

inline Word rocksdb(const Key& key, Word i, Word m) {
  const Word line = low(key.a) * (m / 512) >> 32U;
  std::uint32_t h = low(key.a >> 32U);
  for (Word step = 0; step < i; ++step) h *= 0x9e3779b9U;
  return 512 * line + (h >> 23U);
}

inline Word rocksdb_legacy(const Key& key, Word i, Word m) {
  const std::uint32_t h = low(key.a);
  const std::uint32_t delta = h >> 17U | h << 15U;
  return 512 * (h % (m / 512)) + (h + low(i) * delta) % 512;
}

inline Word parquet(const Key& key, Word i, Word m) {
  constexpr std::uint32_t salts[] = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                     0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
  const Word block = (key.a >> 32U) * (m / 256) >> 32U;
  return 256 * block + 32 * i + (low(key.a) * salts[i] >> 27U);
}

constexpr Word boost_factor = 0xf1357aea2e62a9c5U;

/// filter<T, K>: K bytes, one bit of each.
inline Word boost_bytes(const Key& key, Word i, Word m) {
  Word hash = key.a | 1U;
  for (Word step = 0; step < i; ++step) hash *= boost_factor;
  return 8 * fastrange(hash, m / 8) + (hash * boost_factor >> 3U) % 8;
}

/// filter<T, 1, block<uint64_t, K'>>, K' up to 9.
inline Word boost_words(const Key& key, Word i, Word m) {
  const Word hash = key.a | 1U;
  return 64 * fastrange(hash, m / 64) + (hash * boost_factor >> 6U * (i + 1)) % 64;
}

/// A filter that takes keys one after the other, is finished, and is then queried.
class Machine {
 public:
  Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  virtual ~Machine() = default;
  virtual void insert(const Key& key) = 0;
  virtual void finish() {}
  [[nodiscard]] virtual bool contains(const Key& key) const = 0;
};

/// m bits, set and tested by k positions per key.
class Array {
 public:
  Array(Position position, Word m, Word k)
      : position_(position), m_(m), k_(k), words_((m + 63) / 64) {}

  void insert(const Key& key) {
    for (Word i = 0; i < k_; ++i) {
      const Word at = position_(key, i, m_);
      words_[at / 64] |= Word{1} << at % 64;
    }
  }
  [[nodiscard]] bool contains(const Key& key) const {
    for (Word i = 0; i < k_; ++i) {
      const Word at = position_(key, i, m_);
      if ((words_[at / 64] >> at % 64 & 1U) == 0) return false;
    }
    return true;
  }
  /// The upper half on the lower one.
  void fold() {
    for (std::size_t i = words_.size() / 2; i < words_.size(); ++i) {
      words_[i - words_.size() / 2] |= words_[i];
    }
    words_.resize(words_.size() / 2);
    m_ /= 2;
  }

 private:
  Position position_;
  Word m_;
  Word k_;
  std::vector<Word> words_;
};

class StandardMachine final : public Machine {
 public:
  StandardMachine(Position position, Word m, Word k) : array_(position, m, k) {}
  void insert(const Key& key) override { array_.insert(key); }
  [[nodiscard]] bool contains(const Key& key) const override { return array_.contains(key); }

 private:
  Array array_;
};

/// Layers that are filled one after the other; when the last one is full, in turn again.
class Layers final : public Machine {
 public:
  void add(Array layer, Word capacity) {
    layers_.push_back(std::move(layer));
    room_.push_back(capacity);
  }
  void insert(const Key& key) override {
    while (at_ < layers_.size() && room_[at_] == 0) ++at_;
    if (at_ == layers_.size()) {
      layers_[turn_++ % layers_.size()].insert(key);
    } else {
      layers_[at_].insert(key);
      --room_[at_];
    }
  }
  [[nodiscard]] bool contains(const Key& key) const override {
    return std::ranges::any_of(layers_, [&](const Array& one) { return one.contains(key); });
  }

 private:
  std::vector<Array> layers_;
  std::vector<Word> room_;
  std::size_t at_ = 0;
  std::size_t turn_ = 0;
};

/// HBase: chunks of 2^20 bits, each full before the next, the last one folded; a query goes to the
/// chunk of its range.
class Chunks final : public Machine {
 public:
  Chunks(double p, Word n) : n_(n) {
    const double ln2 = std::numbers::ln2;
    const double keys = std::floor(bits * (ln2 * ln2 / -std::log(p)));
    k_ = static_cast<Word>(std::ceil(ln2 * std::floor(bits / keys)));
    const auto probes = static_cast<double>(k_);
    most_ = static_cast<Word>(-bits / probes * std::log(1 - std::exp(std::log(p) / probes)));
  }
  void insert(const Key& key) override {
    if (inserted_++ % most_ == 0) chunks_.emplace_back(hbase, static_cast<Word>(bits), k_);
    chunks_.back().insert(key);
  }
  void finish() override {
    const Word last = (inserted_ - 1) % most_ + 1;
    for (Word room = most_; room > 2 * last; room /= 2) chunks_.back().fold();
  }
  [[nodiscard]] bool contains(const Key& key) const override {
    return chunks_[fastrange(key.hash(99), n_) / most_].contains(key);
  }

 private:
  static constexpr double bits = 1048576;
  Word n_;
  Word k_ = 0;
  Word most_ = 0;
  Word inserted_ = 0;
  std::vector<Array> chunks_;
};

/// Arrow: words of 64 bits, one of 1024 masks of 57 bits, rotated.
class MaskedWords final : public Machine {
 public:
  explicit MaskedWords(Word m) : words_(m / 64) {}
  void insert(const Key& key) override { words_[word_of(key)] |= mask_of(key); }
  [[nodiscard]] bool contains(const Key& key) const override {
    return (mask_of(key) & ~words_[word_of(key)]) == 0;
  }

 private:
  [[nodiscard]] std::size_t word_of(const Key& key) const {
    return (key.a >> 16U) & (words_.size() - 1);
  }
  static Word mask_of(const Key& key) {
    static const std::vector<Word> masks = masks_of_string();
    return std::rotl(masks[key.a % 1024], static_cast<int>(key.a >> 10U) & 63);
  }
  /// One string of bits, every 57 of which hold four or five ones; a mask begins at each.
  static std::vector<Word> masks_of_string() {
    std::seed_seq seed{0, 0, 0, 0, 0, 0, 0, 0};
    std::mt19937 engine(seed);
    std::uniform_int_distribution<std::uint64_t> draw;
    Word mask = 0;
    for (const int ones = static_cast<int>(4 + draw(engine) % 2); std::popcount(mask) < ones;) {
      mask |= Word{1} << draw(engine) % 57;
    }
    std::vector<Word> masks = {mask};
    while (masks.size() < 1024) {
      const int ones = std::popcount(mask);
      const bool leaves = (mask & 1U) != 0;
      bool next = leaves && ones == 4;
      if (!next && (leaves || ones < 5)) next = draw(engine) % 114 < 9;
      mask = mask >> 1U | Word{next} << 56U;
      masks.push_back(mask);
    }
    return masks;
  }

  std::vector<Word> words_;
};

/// PostgreSQL: the signature of the row that was inserted last, two positions for each of six
/// columns; a query has values for two of them.
class Signature final : public Machine {
 public:
  explicit Signature(Word bits) : row_(bits) {}
  void insert(const Key& key) override {
    row_.assign(row_.size(), false);
    for (int column = 0; column < 6; ++column) {
      for (const std::size_t at : positions(key, column)) row_[at] = true;
    }
  }
  [[nodiscard]] bool contains(const Key& key) const override {
    for (int column = 0; column < 2; ++column) {
      for (const std::size_t at : positions(key, column)) {
        if (!row_[at]) return false;
      }
    }
    return true;
  }

 private:
  static constexpr std::int64_t modulus = 0x7fffffff;  // Park and Miller 1988
  static std::int64_t start(std::int32_t seed) { return std::int64_t{seed} % (modulus - 1) + 1; }
  static std::int64_t step(std::int64_t state) {
    const std::int64_t next = 16807 * state % modulus;
    return next < 0 ? next + modulus : next;
  }
  [[nodiscard]] std::array<std::size_t, 2> positions(const Key& key, int column) const {
    const std::int64_t of_column = step(start(column)) - 1;
    const Word value = key.hash(static_cast<Word>(column));
    const std::int64_t first = step(start(as_int(value ^ static_cast<Word>(of_column))));
    const auto place = [this](std::int64_t state) {
      return static_cast<std::size_t>(state - 1) % row_.size();
    };
    return {place(first), place(step(first))};
  }

  std::vector<bool> row_;
};

/// RocksDB's Ribbon filter: a band of 128 coefficients from each key's start, solved for as many
/// columns as the start's block has.
class RibbonMachine final : public Machine {
 public:
  /// `lower` of the blocks, the first ones, have one column less than `columns`.
  RibbonMachine(Word blocks, Word lower, Word columns)
      : starts_(128 * blocks - 127), lower_(lower), columns_(columns), band_(128 * blocks) {}

  void insert(const Key& key) override {
    Row row = row_of(key);
    for (Word at = start_of(key); row.coefficients != 0; ++at, row.coefficients >>= 1U) {
      if ((row.coefficients & 1U) == 0) continue;
      if (band_[at].coefficients == 0) {
        band_[at] = row;
        return;
      }
      row.coefficients ^= band_[at].coefficients;
      row.result ^= band_[at].result;
    }
  }
  void finish() override {
    solution_.assign(band_.size(), 0);
    for (Word at = band_.size(); at-- > 0;) {
      if (band_[at].coefficients == 0) continue;  // free: 0
      solution_[at] = band_[at].result ^ product(band_[at].coefficients, at);
    }
  }
  [[nodiscard]] bool contains(const Key& key) const override {
    const Word start = start_of(key);
    const Row row = row_of(key);
    const Word columns = start / 128 < lower_ ? columns_ - 1 : columns_;
    return (row.result ^ product(row.coefficients, start)) << (32 - columns) == 0;
  }

 private:
  struct Row {
    Wide coefficients = 0;
    std::uint32_t result = 0;
  };
  [[nodiscard]] Word start_of(const Key& key) const { return fastrange(key.a, starts_); }
  static Row row_of(const Key& key) {
    return {Wide{key.b} << 64U | key.hash(2) | 1U, low(key.hash(3))};
  }
  [[nodiscard]] std::uint32_t product(Wide coefficients, Word at) const {
    std::uint32_t sum = 0;
    for (const Word half :
         {static_cast<Word>(coefficients), static_cast<Word>(coefficients >> 64U)}) {
      for (Word rest = half; rest != 0; rest &= rest - 1) {
        sum ^= solution_[at + static_cast<Word>(std::countr_zero(rest))];
      }
      at += 64;
    }
    return sum;
  }

  Word starts_;
  Word lower_;
  Word columns_;
  std::vector<Row> band_;
  std::vector<std::uint32_t> solution_;
};

}  // namespace bloomlab::tests
