#include "experiments/kinds/hash_speed.hpp"

#include <algorithm>
#include <utility>

#include "core/catalogue.hpp"
#include "experiments/speed/noise.hpp"
#include "experiments/speed/timed_loops.hpp"
#include "record/hashes.hpp"

namespace bloomlab::experiments {
namespace {

using HashAt = HashSpeed::Point::Parameters;

constexpr std::uint64_t hashed_at_once = 1024;

std::string_view hash_name(const HashAt& at) {
  return Throughput::Point::speed_hash_names()[static_cast<std::size_t>(at.hash)];
}

/// Keys of one repetition, and what was made of them.
class KeysToHash {
 public:
  KeysToHash(const HashAt& at, std::uint64_t queries, std::uint64_t seed)
      : hasher_(record::make_hasher(hash_name(at))),
        need_{.words = static_cast<int>(at.words)},
        seed_(hash_seed(seed)),
        queries_(queries),
        permutation_(seed),
        keys_(at.key_length) {}

  /// Keys that no repetition of either loop had before.
  void prepare(std::uint64_t stream) {
    keys_.take_range(permutation_, stream * queries_, static_cast<std::size_t>(queries_));
    bytes_ += keys_.total_bytes();
  }

  void hash(std::uint64_t pass) {
    const DigestBatch digests = hasher_.digest(part(pass), seed_, need_, buffer_);
    for (int i = 0; i < digests.width; ++i) {
      for (const std::uint64_t word : digests.word(i)) digests_ ^= word;
    }
  }

  void read(std::uint64_t pass) {
    const KeyBatch keys = part(pass);
    for (const std::uint64_t value : keys.values()) seen_ ^= value;
    for (const std::string_view text : keys.texts()) {
      seen_ ^= static_cast<unsigned char>(text.back());
    }
  }

  [[nodiscard]] std::uint64_t passes() const {
    return (queries_ + hashed_at_once - 1) / hashed_at_once;
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t digests() const { return digests_; }
  [[nodiscard]] std::uint64_t seen() const { return seen_; }

 private:
  [[nodiscard]] KeyBatch part(std::uint64_t pass) const {
    const std::uint64_t first = pass * hashed_at_once;
    return keys_.batch().slice(
        static_cast<std::size_t>(first),
        static_cast<std::size_t>(std::min(hashed_at_once, queries_ - first)));
  }

  Hasher hasher_;
  DigestNeed need_;
  std::uint64_t seed_;
  std::uint64_t queries_;
  KeyedPermutation permutation_;
  TimedKeys keys_;
  DigestBuffer buffer_;
  std::uint64_t bytes_ = 0;
  std::uint64_t digests_ = 0;
  std::uint64_t seen_ = 0;
};

}  // namespace

std::optional<std::string> HashSpeed::check(const Parameters& /*p*/, const HashAt& at) {
  if (!record::make_hasher(hash_name(at)).passes_through()) return std::nullopt;
  return "hash \"" + std::string(hash_name(at)) + "\" is no hash; choose one that mixes";
}

std::uint64_t HashSpeed::memory_bytes(const HashAt& /*at*/) { return std::uint64_t{256} << 20; }

double HashSpeed::seconds(const Parameters& p, const HashAt& at) {
  // Cryptographic hashes take some 200 ns per key, others mostly less than 10; making a key 20.
  const bool slow = hash_name(at).starts_with("md5") || hash_name(at).starts_with("sha");
  const double each = (slow ? 200e-9 : 10e-9) * static_cast<double>(at.words) + 20e-9;
  return 0.05 + each * static_cast<double>(p.queries * (p.repetitions + p.warm_up));
}

std::vector<Measurement> HashSpeed::measure(const Parameters& p, const HashAt& at,
                                            std::uint64_t seed) {
  stay_on_one_processor(0);
  Bracket bracket;
  KeysToHash hashed(at, p.queries, seed);
  KeysToHash read(at, p.queries, seed);
  const auto loop = [](const char* name, KeysToHash& keys, auto work) {
    return TimedLoop{
        .name = name,
        .passes = keys.passes(),
        .threads = 1,
        .prepare = [&keys](unsigned, std::uint64_t repetition) { keys.prepare(repetition); },
        .run = [&keys, work](unsigned, std::uint64_t pass) { (keys.*work)(pass); }};
  };
  const std::array<TimedLoop, 2> loops = {loop("hash_ns", hashed, &KeysToHash::hash),
                                          loop("read_ns", read, &KeysToHash::read)};
  const auto durations = run_timed(loops, {.counted = p.repetitions, .warm_up = p.warm_up});
  record::Json timing = {{"hash_ns", durations[0]}, {"read_ns", durations[1]}};
  timing.update(bracket.close());
  return {{std::nullopt,
           {{"hashed", p.queries * (p.repetitions + p.warm_up)},
            {"key_bytes", hashed.bytes()},
            {"digests", hashed.digests()},
            {"seen", read.seen()}},
           std::move(timing)}};
}

}  // namespace bloomlab::experiments
