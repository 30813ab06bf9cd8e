#include "experiments/kinds/map_against_filter.hpp"

#include <malloc.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string>
#include <vector>

#include "experiments/applications/counted_memory.hpp"
#include "experiments/applications/draws.hpp"

namespace bloomlab::experiments {
namespace {

using MapPoint = MapAgainstFilter::Point::Parameters;
using Clock = std::chrono::steady_clock;

bool is_filter(const MapPoint& at) {
  return static_cast<std::uint32_t>(at.structure) == MapAgainstFilter::Point::filter;
}

/// Keys of given numbers, some hundreds at a time, so that they stay in a core's own cache.
class NumberedKeys {
 public:
  static constexpr std::size_t at_once = 256;

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

/// Nanoseconds that `use` takes over the keys of `total` numbers; making them is not in it.
template <class Number, class Use>
std::uint64_t timed(NumberedKeys& keys, std::uint64_t total, Number&& number, Use&& use) {
  Clock::duration spent{};
  for (std::uint64_t done = 0; done < total; done += NumberedKeys::at_once) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(NumberedKeys::at_once, total - done));
    const auto views = keys.make(count, [&](std::size_t i) { return number(done + i); });
    const auto begin = Clock::now();
    for (const std::string_view key : views) use(key);
    spent += Clock::now() - begin;
  }
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(spent).count());
}

}  // namespace

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
  NumberedKeys keys(p.prefix);
  const std::uint64_t heap_before = heap_bytes();
  const std::uint64_t requested_before = allocated_bytes;
  const auto known = make(m, k, draws.number());
  std::uint64_t key_bytes = 0;
  const auto in_order = [](std::uint64_t i) { return i; };
  std::uint64_t insert_ns = timed(keys, at.n, in_order, [&](std::string_view key) {
    key_bytes += key.size();
    known->insert(key);
  });
  const auto begin = Clock::now();
  known->ready();
  insert_ns += static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - begin).count());
  const std::uint64_t heap = heap_bytes() - heap_before;
  const std::uint64_t requested = allocated_bytes - requested_before;

  // Distinct numbers all over a span that is prime, as far from each other as the golden section.
  constexpr std::uint64_t span = 999'999'937;
  constexpr std::uint64_t step = 618'033'989;
  std::uint64_t found = 0;
  std::uint64_t alarms = 0;
  const std::uint64_t present_ns = timed(
      keys, p.lookups, [&](std::uint64_t) { return draws.below(at.n); },
      [&](std::string_view key) { found += known->contains(key) ? 1 : 0; });
  const std::uint64_t absent_ns = timed(
      keys, p.lookups, [&](std::uint64_t i) { return at.n + i * step % span; },
      [&](std::string_view key) { alarms += known->contains(key) ? 1 : 0; });
  return {std::nullopt,
          {{"inserted", at.n},
           {"key_bytes", key_bytes},
           {"true_positives", found},
           {"false_negatives", p.lookups - found},
           {"false_positives", alarms},
           {"true_negatives", p.lookups - alarms},
           {"m", m},
           {"k", k},
           {"requested_bytes", is_filter(at) ? (m + 63) / 64 * 8 : requested}},
          {{"insert_ns", insert_ns},
           {"present_ns", present_ns},
           {"absent_ns", absent_ns},
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
