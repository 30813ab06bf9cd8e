#include "experiments/kinds/hash_quality.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <string>
#include <utility>

#include "core/catalogue.hpp"
#include "experiments/cells/foreign_implementation.hpp"
#include "experiments/sources/key_buffer.hpp"
#include "experiments/speed/timed_loops.hpp"
#include "record/hashes.hpp"

namespace bloomlab::experiments {
namespace {

using QualityPoint = HashQuality::Point::Parameters;
using Source = HashQuality::Point::Source;

std::vector<std::string_view> collect_names() {
  std::vector<std::string_view> names = record::hash_names();
  std::erase_if(names,
                [](std::string_view name) { return record::make_hasher(name).passes_through(); });
  names.push_back(ForeignCommandFields::name);
  return names;
}

std::string_view name_of(const QualityPoint& at) {
  return quality_hashes()[static_cast<std::size_t>(at.hash)];
}

bool is_command(const QualityPoint& at) { return name_of(at) == ForeignCommandFields::name; }

/// The keys of a point, batch by batch.
class Keys {
 public:
  Keys(Source source, std::uint64_t seed) : source_(source), permutation_(seed) {}

  /// Keys `first` .. `first + count - 1`; valid until the next call.
  KeyBatch batch(std::uint64_t first, std::size_t count) {
    values_.resize(count);
    for (std::size_t i = 0; i < count; ++i) values_[i] = first + i;
    if (source_ == Source::decimal) return decimal();
    if (source_ == Source::addresses) return addresses();
    if (source_ == Source::uniform) permutation_.apply_range(first, values_);
    if (source_ == Source::shifted) {
      for (std::uint64_t& value : values_) value <<= 32;
    }
    return KeyBatch::integers(values_, 8);
  }

 private:
  using Digits = std::array<char, 20>;

  KeyBatch decimal() {
    digits_.resize(values_.size());
    texts_.clear();
    for (std::size_t i = 0; i < values_.size(); ++i) {
      Digits& digits = digits_[i];
      const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), values_[i]).ptr;
      texts_.emplace_back(digits.data(), static_cast<std::size_t>(end - digits.data()));
    }
    return KeyBatch::texts(texts_);
  }

  /// Texts of one length that differ in their last bytes alone. A hash of blocks of 8 bytes reads
  /// those last, as a partial block: 47 + 8 = 55 bytes.
  KeyBatch addresses() {
    characters_.resize(values_.size() * (address.size() + address_digits));
    texts_.clear();
    char* at = characters_.data();
    for (std::uint64_t value : values_) {
      char* const begin = at;
      at += address.copy(at, address.size()) + address_digits;
      for (char* digit = at; digit != at - address_digits; value /= 10) {
        *--digit = static_cast<char>('0' + value % 10);
      }
      texts_.emplace_back(begin, static_cast<std::size_t>(at - begin));
    }
    return KeyBatch::texts(texts_);
  }

  static constexpr std::string_view address = "https://www.example.com/articles/of/a/crawler/p";
  static constexpr std::size_t address_digits = 8;  // n is at most 2^26

  Source source_;
  KeyedPermutation permutation_;
  std::vector<std::uint64_t> values_;
  std::vector<Digits> digits_;
  std::string characters_;
  std::vector<std::string_view> texts_;
};

/// How often each position came.
class BinCounts {
 public:
  explicit BinCounts(std::uint64_t bins) : counts_(static_cast<std::size_t>(bins)) {}

  void add(std::uint64_t position) { ++counts_[position]; }
  [[nodiscard]] std::uint64_t squares() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts_) sum += count * count;
    return sum;
  }

 private:
  std::vector<std::uint32_t> counts_;
};

/// Nanoseconds that one word of every key takes, once: the repetitions are the trials.
std::uint64_t time_hash(const QualityPoint& at, const Hasher& hasher, std::uint64_t seed) {
  Keys keys(at.source, seed);
  DigestBuffer buffer;
  KeyBatch batch;
  const TimedLoop loop = {
      .name = "hash_ns",
      .passes = (at.n + keys_per_batch - 1) / keys_per_batch,
      .prepare = [](unsigned, std::uint64_t) {},
      .run =
          [&](unsigned, std::uint64_t) {
            static_cast<void>(hasher.digest(batch, hash_seed(seed), {.words = 1}, buffer));
          },
      .between =
          [&](std::uint64_t pass) {
            const std::uint64_t first = pass * keys_per_batch;
            batch = keys.batch(first, static_cast<std::size_t>(
                                          std::min<std::uint64_t>(keys_per_batch, at.n - first)));
          }};
  return run_timed(std::span(&loop, 1), {.counted = 1}).front().front();
}

record::Json count_positions(const QualityPoint& at, const Hasher& hasher, std::uint64_t seed) {
  const std::uint64_t side = HashQuality::pair_side(at.m);
  Keys keys(at.source, seed);
  DigestBuffer buffer;
  BinCounts high(at.m);
  BinCounts low(at.m);
  BinCounts pairs(side * side);
  BinCounts sums(at.m);
  for (std::uint64_t first = 0; first < at.n; first += keys_per_batch) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(keys_per_batch, at.n - first));
    const DigestBatch digests =
        hasher.digest(keys.batch(first, count), hash_seed(seed), {.words = 2}, buffer);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t word = digests.word(0)[i];
      high.add(MultiplyShift::reduce(word, at.m));
      low.add(Mask::reduce(word, at.m));
      const std::uint64_t second = digests.word(1)[i];
      pairs.add(MultiplyShift::reduce(word, side) * side + MultiplyShift::reduce(second, side));
      sums.add(MultiplyShift::reduce(word + second, at.m));
    }
  }
  return {{"keys", at.n},
          {"bins", at.m},
          {"high_squares", high.squares()},
          {"low_squares", low.squares()},
          {"pair_bins", side * side},
          {"pair_squares", pairs.squares()},
          {"sum_squares", sums.squares()}};
}

}  // namespace

std::span<const std::string_view> quality_hashes() {
  static const std::vector<std::string_view> names = collect_names();
  return names;
}

std::uint64_t HashQuality::pair_side(std::uint64_t m) {
  return std::uint64_t{1} << ((std::bit_width(m) - 1) / 2);
}

std::optional<std::string> HashQuality::check(const Parameters& /*p*/,
                                              const Point::Parameters& at) {
  const std::string m = std::to_string(at.m);
  if (!std::has_single_bit(at.m)) {
    return "m = " + m + " positions; low bits take a power of two of them";
  }
  if (at.n < 5 * at.m) {
    return "n = " + std::to_string(at.n) + " keys over m = " + m +
           " positions; a chi-square test needs at least 5 keys a position";
  }
  if (!is_command(at)) return std::nullopt;
  if (!at.command) {
    return "hash \"command\" is a program; name it by \"command\": {\"line\": ...}";
  }
  std::string fault = foreign::fault_of(target_of(*at.command, at.folder));
  if (fault.empty()) return std::nullopt;
  return fault;
}

std::uint64_t HashQuality::memory_bytes(const Point::Parameters& at) {
  constexpr std::uint64_t buffers = std::uint64_t{1} << 20;
  return 4 * at.m * sizeof(std::uint32_t) + buffers;
}

double HashQuality::seconds(const Parameters& /*p*/, const Point::Parameters& at) {
  // Some 200 ns for three words of a slow hash, 20 ns for its counts; some microseconds a word in
  // Python.
  return (is_command(at) ? 1e-5 : 1e-7) * static_cast<double>(at.n);
}

std::vector<Measurement> HashQuality::measure(const Parameters& /*p*/, const Point::Parameters& at,
                                              std::uint64_t seed) {
  std::optional<ForeignHash> program;
  if (is_command(at)) program.emplace(target_of(*at.command, at.folder));
  const Hasher hasher = program ? program->hasher() : record::make_hasher(name_of(at));
  record::Json counts = count_positions(at, hasher, seed);
  if (program) program->annotate(counts);
  return {{std::nullopt, std::move(counts), {{"hash_ns", time_hash(at, hasher, seed)}}}};
}

}  // namespace bloomlab::experiments
