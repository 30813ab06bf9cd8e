// Where keys are lost: which ones, by inserting the same keys in other orders and batches.

#include <algorithm>

#include "audit/batches.hpp"
#include "audit/measure.hpp"

namespace bloomlab::audit::detail {
namespace {

/// More are not needed to see a pattern.
constexpr std::size_t most_lost = 5000;

/// Places of the denied keys of `count`, ascending.
std::vector<std::uint64_t> denied(foreign::ForeignFilter& filter, RandomKeys& keys,
                                  std::uint64_t count) {
  const auto answers = keys.answers(filter, 0, count);
  std::vector<std::uint64_t> places;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (answers[i] == Answer::absent) places.push_back(i);
  }
  return places;
}

double common_share(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  std::vector<std::uint64_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(std::max(a.size(), b.size()));
}

void insert_backwards(foreign::ForeignFilter& filter, std::uint64_t seed, std::uint64_t count) {
  const KeyedPermutation permutation(seed);
  std::vector<std::uint64_t> keys(batch_keys);
  for (std::uint64_t left = count; left > 0;) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(batch_keys, left));
    keys.resize(part);
    permutation.apply_range(left - part, keys);
    std::ranges::reverse(keys);
    filter.insert(KeyBatch::integers(keys, 8));
    left -= part;
  }
}

/// Whether every lost key is the last one of a batch of that many keys, or of all.
bool ends_batches(const std::vector<std::uint64_t>& places, std::uint64_t batch,
                  std::uint64_t count) {
  return std::ranges::all_of(
      places, [&](std::uint64_t place) { return (place + 1) % batch == 0 || place + 1 == count; });
}

void describe_distances(const std::vector<std::uint64_t>& places, LossPattern& pattern) {
  std::vector<std::uint64_t> distances;
  for (std::size_t i = 1; i < places.size(); ++i) distances.push_back(places[i] - places[i - 1]);
  if (distances.size() >= 2) {
    // A key whose bits others have set is reported all the same: its distance counts double.
    const std::uint64_t least = *std::ranges::min_element(distances);
    const bool equal = std::ranges::all_of(distances, [&](auto d) { return d % least == 0; });
    if (equal && distances.front() + distances.back() < 6 * least) pattern.period = least;
  }
  const bool grows = std::ranges::is_sorted(distances) && !distances.empty() &&
                     2 * distances.back() >= 3 * std::max<std::uint64_t>(1, places.front());
  pattern.at_growth = grows && pattern.period == 0 && places.size() < 30;
}

}  // namespace

void measure_pattern(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
                     Evidence& evidence) {
  // The smallest filter that lost a good number, or else the one that lost most.
  const RateCell* chosen = nullptr;
  for (const RateCell& cell : evidence.rates) {
    if (cell.lost == 0 || cell.load() > 2.0) continue;
    const std::uint64_t per_filter = cell.lost / cell.filters;
    if (chosen == nullptr ||
        (per_filter > chosen->lost / chosen->filters && chosen->lost / chosen->filters < 20)) {
      chosen = &cell;
    }
  }
  if (chosen == nullptr) return;
  const std::uint64_t n = chosen->inserted;
  const std::uint64_t seed = plan.seed + 1000 * chosen->size;
  RandomKeys keys(~seed);
  const auto remake = [&] { filter.create(examined.request(chosen->size, seed)); };
  remake();
  keys.insert(filter, 0, n);
  const auto first = denied(filter, keys, n);
  const auto again = denied(filter, keys, n);
  LossPattern pattern{.inserted = n, .lost = first.size(), .repeats = first == again};
  for (std::size_t i = 0; i < std::min<std::size_t>(6, first.size()); ++i) {
    pattern.text += (i == 0 ? "" : ", ") + std::to_string(first[i] + 1);
  }
  if (first.size() > 6) pattern.text += ", ...";
  remake();
  insert_backwards(filter, ~seed, n);
  const auto backwards = denied(filter, keys, n);
  pattern.by_key = !first.empty() && common_share(first, backwards) > 0.7;
  if (!pattern.by_key && !first.empty() && first.size() < most_lost) {
    remake();
    keys.insert(filter, 0, n, 100);
    const auto in_hundreds = denied(filter, keys, n);
    pattern.at_batch_end = in_hundreds.size() > first.size() && ends_batches(in_hundreds, 100, n);
    describe_distances(first, pattern);
  }
  evidence.pattern = pattern;
}

}  // namespace bloomlab::audit::detail
