#include "experiments/kinds/map_against_filter.hpp"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiments/applications/counted_memory.hpp"
#include "experiments/applications/draws.hpp"
#include "experiments/speed/noise.hpp"
#include "experiments/speed/timed_loops.hpp"

namespace bloomlab::experiments {
namespace {

using MapPoint = MapAgainstFilter::Point::Parameters;

bool is_filter(const MapPoint& at) {
  return static_cast<std::uint32_t>(at.structure) == MapAgainstFilter::Point::filter;
}

/// Keys of given numbers, a thousand at a time: few enough for a core's own cache, and so many that
/// halting the clock for them is no part of their time.
class NumberedKeys {
 public:
  static constexpr std::size_t at_once = 1024;

  explicit NumberedKeys(std::string_view prefix) : prefix_size_(prefix.size()) {
    for (std::string& text : texts_) {
      text.assign(prefix);
      text.resize(prefix.size() + most_digits);
    }
    views_.resize(at_once);
  }

  /// @param count at most at_once   @param number the i-th key's number
  template <class Number>
  std::span<const std::string_view> make(std::size_t count, Number&& number) {
    for (std::size_t i = 0; i < count; ++i) {
      char* const digits = texts_[i].data() + prefix_size_;
      const char* const end = std::to_chars(digits, digits + most_digits, number(i)).ptr;
      views_[i] = {texts_[i].data(), static_cast<std::size_t>(end - texts_[i].data())};
    }
    return std::span<const std::string_view>(views_).first(count);
  }

 private:
  static constexpr std::size_t most_digits = 20;

  std::size_t prefix_size_;
  std::vector<std::string> texts_ = std::vector<std::string>(at_once);
  std::vector<std::string_view> views_;
};

/// Bytes that the system's allocator has given out.
std::uint64_t heap_bytes() {
  const auto state = ::mallinfo2();
  return state.uordblks + state.hblkhd;
}

/// A set and the keys that it is given, as loops: making keys is in no time.
class TimedSet {
 public:
  using Number = std::function<std::uint64_t(std::uint64_t i)>;

  TimedSet(Membership& set, NumberedKeys& keys) : set_(set), keys_(keys) {}

  [[nodiscard]] TimedLoop inserting(std::uint64_t n) {
    return {.name = "insert_ns",
            .passes = passes_of(n) + 1,
            .prepare = [](unsigned, std::uint64_t) {},
            .run =
                [this, n](unsigned, std::uint64_t pass) {
                  if (pass == passes_of(n)) return set_.ready();
                  for (const std::string_view key : made_) set_.insert(key);
                },
            .between =
                [this, n](std::uint64_t pass) {
                  make(pass * NumberedKeys::at_once, n, [](std::uint64_t i) { return i; });
                  for (const std::string_view key : made_) key_bytes_ += key.size();
                }};
  }

  /// Lookups 0 .. `total` - 1 in order, shared among the repetitions; `found` is added to.
  [[nodiscard]] TimedLoop looking_up(const char* name, std::uint64_t total,
                                     std::uint64_t repetitions, Number number,
                                     std::uint64_t& found) {
    // A repetition's share is known when it is prepared, the number of its passes before.
    const auto share = std::make_shared<std::pair<std::uint64_t, std::uint64_t>>();
    return {.name = name,
            .passes = passes_of((total + repetitions - 1) / repetitions),
            .prepare =
                [share, total, repetitions](unsigned, std::uint64_t i) {
                  *share = {total * i / repetitions, total * (i + 1) / repetitions};
                },
            .run =
                [this, &found](unsigned, std::uint64_t) {
                  for (const std::string_view key : made_) found += set_.contains(key) ? 1 : 0;
                },
            .between =
                [this, share, number](std::uint64_t pass) {
                  make(share->first + pass * NumberedKeys::at_once, share->second, number);
                }};
  }

  [[nodiscard]] std::uint64_t key_bytes() const noexcept { return key_bytes_; }

 private:
  static std::uint64_t passes_of(std::uint64_t total) {
    return (total + NumberedKeys::at_once - 1) / NumberedKeys::at_once;
  }
  /// The keys from the first-th on, none where that is not below `end`.
  void make(std::uint64_t first, std::uint64_t end, const Number& number) {
    const std::uint64_t left = end - std::min(first, end);
    made_ =
        keys_.make(static_cast<std::size_t>(std::min<std::uint64_t>(NumberedKeys::at_once, left)),
                   [&](std::size_t i) { return number(first + i); });
  }

  Membership& set_;
  NumberedKeys& keys_;
  std::span<const std::string_view> made_;
  std::uint64_t key_bytes_ = 0;
};

}  // namespace

std::optional<std::string> MapAgainstFilter::check(const Parameters& p,
                                                   const Point::Parameters& /*at*/) {
  if (p.repetitions <= p.lookups) return std::nullopt;
  return "repetitions is " + std::to_string(p.repetitions) +
         ", which share lookups = " + std::to_string(p.lookups) +
         " among them; fewer repetitions, or more lookups";
}

std::uint64_t MapAgainstFilter::memory_bytes(const Point::Parameters& at) {
  return is_filter(at) ? at.n / 8 * at.bits_per_key + 65536 : 220 * at.n;
}

double MapAgainstFilter::seconds(const Parameters& p, const Point::Parameters& at) {
  const double ns = is_filter(at) ? 100.0 : 1000.0;
  return 1e-9 * ns * static_cast<double>(at.n + 2 * p.lookups);
}

Measurement MapAgainstFilter::measure_with(const MakeMembership& make, const Parameters& p,
                                           const Point::Parameters& at, std::uint64_t seed) {
  const std::uint64_t m = is_filter(at) ? at.bits_per_key * at.n : 0;
  const std::uint64_t k = is_filter(at) ? fitting_probes(at.bits_per_key) : 0;
  KeyedDraws draws(seed);
  stay_on_one_processor(0);
  NumberedKeys keys(p.prefix);
  const std::uint64_t heap_before = heap_bytes();
  const std::uint64_t requested_before = allocated_bytes;
  const auto known = make(m, k, draws.number());
  TimedSet set(*known, keys);
  const auto insert_ns = run_timed(std::array{set.inserting(at.n)}, {.counted = 1}).front();
  const std::uint64_t heap = heap_bytes() - heap_before;
  const std::uint64_t requested = allocated_bytes - requested_before;

  // Distinct numbers all over a span that is prime, as far from each other as the golden section.
  constexpr std::uint64_t span = 999'999'937;
  constexpr std::uint64_t step = 618'033'989;
  std::uint64_t found = 0;
  std::uint64_t alarms = 0;
  const std::array loops = {set.looking_up(
                                "present_ns", p.lookups, p.repetitions,
                                [&](std::uint64_t) { return draws.below(at.n); }, found),
                            set.looking_up(
                                "absent_ns", p.lookups, p.repetitions,
                                [&](std::uint64_t i) { return at.n + i * step % span; }, alarms)};
  const auto lookups = run_timed(loops, {.counted = p.repetitions});
  return {std::nullopt,
          {{"inserted", at.n},
           {"key_bytes", set.key_bytes()},
           {"true_positives", found},
           {"false_negatives", p.lookups - found},
           {"false_positives", alarms},
           {"true_negatives", p.lookups - alarms},
           {"m", m},
           {"k", k},
           {"requested_bytes", is_filter(at) ? (m + 63) / 64 * 8 : requested}},
          {{"insert_ns", insert_ns},
           {"present_ns", lookups[0]},
           {"absent_ns", lookups[1]},
           {"heap_bytes", heap}}};
}

std::vector<Measurement> MapAgainstFilter::measure(const Parameters& p, const Point::Parameters& at,
                                                   std::uint64_t seed) {
  const auto container = [&](std::uint64_t, std::uint64_t, std::uint64_t) {
    return make_container(static_cast<Container>(at.structure));
  };
  return {measure_with(is_filter(at) ? MakeMembership(default_filter) : container, p, at, seed)};
}

}  // namespace bloomlab::experiments
