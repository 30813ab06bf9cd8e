#include "experiments/kinds/hostile_keys.hpp"

#include <algorithm>
#include <span>

#include "core/bits/bit_array.hpp"
#include "core/filters/standard.hpp"
#include "core/hash_stage.hpp"
#include "core/theory/applications.hpp"
#include "core/theory/standard.hpp"
#include "experiments/kinds/murmur_twins.hpp"
#include "experiments/kinds/uniform_digests.hpp"
#include "record/hashes.hpp"
#include "record/number_text.hpp"

namespace bloomlab::experiments {
namespace {

using Attack = HostileKeys::Point::Attack;
using AttackPoint = HostileKeys::Point::Parameters;

// Keys are the images of counters: inserted keys from 0 on, tried ones and queries from here on.
constexpr std::uint64_t first_tried = std::uint64_t{1} << 48;
constexpr std::uint64_t first_query = std::uint64_t{1} << 60;
constexpr std::size_t part_keys = 1024;

std::string_view hash_of(const AttackPoint& at) {
  return Avalanche::hash_names()[static_cast<std::size_t>(at.hash)];
}

/// Expected tries of the attack's search, roughly; 0 where it has none.
double expected_tries(const HostileKeys::Parameters& p, const AttackPoint& at) {
  if (at.attack == Attack::fill) return theory::chosen_keys(at.m, at.n, at.k).tries;
  if (at.attack != Attack::positives) return 0.0;
  return static_cast<double>(p.forged) / theory::approx_fpr(at.m, at.n, at.k);
}

/// A filter under one seed, by whoever knows that seed.
class SeededFilter {
 public:
  SeededFilter(const AttackPoint& at, std::uint64_t seed)
      : filter_({at.m, at.k}, ideal_probe()),
        stage_(record::make_hasher(hash_of(at)), ideal_probe().need(static_cast<int>(at.k)), seed),
        memory_(part_keys * at.k) {}

  [[nodiscard]] FilterState state() const { return filter_.state(); }
  void insert(const KeyBatch& keys) { stage_.insert(filter_, keys); }
  [[nodiscard]] std::uint64_t count_contained(const KeyBatch& keys) const {
    return stage_.count_contained(filter_, keys);
  }
  void contains(const KeyBatch& keys, std::span<Answer> out) const {
    stage_.contains(filter_, keys, out);
  }
  /// Calls `use(positions)` for the keys, at most part_keys of them.
  template <class Use>
  void positions(const KeyBatch& keys, Use&& use) {
    stage_.for_each_part(keys, memory_, [&](std::size_t, const DigestBatch& digests) {
      const auto [m, k] = filter_.parameters();
      use(ideal_probe().positions(digests, m, static_cast<int>(k), buffer_));
    });
  }

 private:
  Standard filter_;
  HashStage stage_;
  std::vector<std::uint64_t> memory_;
  PositionBuffer buffer_;
};

/// Calls `use(keys)` for parts of the integer keys of the counters `first` .. `first + count - 1`.
template <class Use>
void for_each_integers(const KeyedPermutation& keys, std::uint64_t first, std::uint64_t count,
                       Use&& use) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t done = 0; done < count; done += part_keys) {
    values.resize(static_cast<std::size_t>(std::min<std::uint64_t>(part_keys, count - done)));
    keys.apply_range(first + done, values);
    use(KeyBatch::integers(values, 8));
  }
}

/// The same for the texts `key_of(0)` .. `key_of(count - 1)`.
template <class KeyOf, class Use>
void for_each_texts(std::uint64_t count, KeyOf&& key_of, Use&& use) {
  std::vector<std::string> texts;
  std::vector<std::string_view> views;
  for (std::uint64_t done = 0; done < count; done += part_keys) {
    texts.clear();
    for (std::uint64_t i = done; i < std::min(count, done + part_keys); ++i)
      texts.push_back(key_of(i));
    views.assign(texts.begin(), texts.end());
    use(KeyBatch::texts(views));
  }
}

struct Found {
  std::vector<std::uint64_t> keys;
  std::uint64_t tries = 0;
};

/// Tries keys, in parts, until `wanted` of them are found or patience ends. `choose(keys, chosen)`
/// marks those that serve; keys behind the last one that is wanted do not count.
/// @param expected tries, made of + - x / alone, so that patience ends alike on every machine
template <class Choose>
Found search(const KeyedPermutation& keys, std::uint64_t wanted, double expected, Choose&& choose) {
  const auto most = static_cast<std::uint64_t>(
      1e6 + HostileKeys::patience * std::min(expected, HostileKeys::most_tries));
  Found found;
  std::vector<std::uint64_t> values(part_keys);
  std::vector<char> is_chosen(part_keys);
  while (found.keys.size() < wanted && found.tries < most) {
    keys.apply_range(first_tried + found.tries, values);
    choose(KeyBatch::integers(values, 8), is_chosen);
    for (std::size_t i = 0; i < values.size() && found.keys.size() < wanted; ++i) {
      ++found.tries;
      if (is_chosen[i] != 0) found.keys.push_back(values[i]);
    }
  }
  return found;
}

/// Sets the positions of key `j` if they are all different and none is set.
bool take_if_new(const PositionBatch& positions, std::size_t j, BitArray& taken) {
  for (int i = 0; i < positions.k; ++i) {
    const std::uint64_t position = positions.probe(i)[j];
    if (taken.test(position)) return false;
    for (int other = 0; other < i; ++other) {
      if (positions.probe(other)[j] == position) return false;
    }
  }
  for (int i = 0; i < positions.k; ++i) taken.set(positions.probe(i)[j]);
  return true;
}

Found find_filling_keys(const AttackPoint& at, const KeyedPermutation& keys, std::uint64_t seed) {
  SeededFilter own(at, seed);
  const double expected = theory::chosen_keys(at.m, at.n, at.k).tries;
  BitArray taken(at.m);
  return search(keys, at.n, expected, [&](const KeyBatch& tried, std::span<char> is_chosen) {
    own.positions(tried, [&](const PositionBatch& positions) {
      for (std::size_t j = 0; j < positions.size; ++j)
        is_chosen[j] = static_cast<char>(take_if_new(positions, j, taken));
    });
  });
}

Found find_false_positives(const AttackPoint& at, const KeyedPermutation& keys, std::uint64_t seed,
                           std::uint64_t wanted) {
  SeededFilter own(at, seed);
  for_each_integers(keys, 0, at.n, [&](const KeyBatch& inserted) { own.insert(inserted); });
  const double expected = static_cast<double>(wanted) / own.state().conditional_rate;
  std::vector<Answer> answers(part_keys);
  return search(keys, wanted, expected, [&](const KeyBatch& tried, std::span<char> is_chosen) {
    own.contains(tried, answers);
    std::ranges::transform(answers, is_chosen.begin(), [](Answer answer) {
      return static_cast<char>(answer == Answer::maybe);
    });
  });
}

/// What somebody did to the filter.
struct Effect {
  std::uint64_t inserted = 0;
  std::uint64_t chosen = 0;
  std::uint64_t tries = 0;
  std::uint64_t forged = 0;
  std::uint64_t reported = 0;
};

/// Inserts keys with twins and looks up the twins of the first of them.
Effect send_twins(const AttackPoint& at, std::uint64_t seed, std::uint64_t forged,
                  SeededFilter& filter) {
  const MurmurTwins twins(hash_of(at), seed);
  for_each_texts(
      at.n, [&](std::uint64_t i) { return twins.key(i, 0); },
      [&](const KeyBatch& keys) { filter.insert(keys); });
  Effect effect{at.n, forged, 0, forged, 0};
  for_each_texts(
      forged,
      [&](std::uint64_t i) {
        return twins.key(i / MurmurTwins::twins, 1 + i % MurmurTwins::twins);
      },
      [&](const KeyBatch& keys) { effect.reported += filter.count_contained(keys); });
  return effect;
}

/// Fills the filter as the attack does, and looks up what was forged.
Effect attack(const HostileKeys::Parameters& p, const AttackPoint& at, std::uint64_t seed,
              std::uint64_t known_seed, SeededFilter& filter) {
  const KeyedPermutation keys(seed);
  const auto insert_unchosen = [&] {
    for_each_integers(keys, 0, at.n, [&](const KeyBatch& part) { filter.insert(part); });
  };
  switch (at.attack) {
    case Attack::none:
      break;
    case Attack::fill: {
      const Found found = find_filling_keys(at, keys, known_seed);
      filter.insert(KeyBatch::integers(found.keys, 8));
      return {found.keys.size(), found.keys.size(), found.tries, 0, 0};
    }
    case Attack::positives: {
      insert_unchosen();
      const Found found = find_false_positives(at, keys, known_seed, p.forged);
      return {at.n, found.keys.size(), found.tries, found.keys.size(),
              filter.count_contained(KeyBatch::integers(found.keys, 8))};
    }
    case Attack::multicollision:
      return send_twins(at, seed, p.forged, filter);
  }
  insert_unchosen();
  return {at.n, 0, 0, 0, 0};
}

}  // namespace

std::optional<std::string> HostileKeys::check(const Parameters& p, const Point::Parameters& at) {
  if (at.attack == Attack::fill && at.n > at.m / at.k) {
    return "n k = " + std::to_string(at.n * at.k) +
           " new bits are more than m = " + std::to_string(at.m) +
           "; the attack fill needs a larger m, or fewer keys or probes";
  }
  if (at.attack == Attack::multicollision && p.forged > MurmurTwins::twins * at.n) {
    return "forged is " + std::to_string(p.forged) + "; n = " + std::to_string(at.n) +
           " keys have " + std::to_string(MurmurTwins::twins * at.n) +
           " twins: forge fewer, or insert more keys";
  }
  const double tries = expected_tries(p, at);
  if (tries <= most_tries) return std::nullopt;
  return "the search would try " + significant(tries) + " keys in a trial, more than 10^9; fewer " +
         (at.attack == Attack::fill ? "keys or probes, or a larger m"
                                    : "probes or forged keys, or a smaller m");
}

std::uint64_t HostileKeys::memory_bytes(const Point::Parameters& at) {
  constexpr std::uint64_t buffers = std::uint64_t{1} << 24;  // chosen keys, and parts of all
  return 3 * at.m / 8 + 16 * part_keys * at.k + buffers;
}

double HostileKeys::seconds(const Parameters& p, const Point::Parameters& at) {
  const bool slow = hash_of(at).starts_with("md5") || hash_of(at).starts_with("sha");
  const double probe = slow ? 200e-9 : 8e-9;
  const double keys = static_cast<double>(2 * at.n + p.queries + p.forged) + expected_tries(p, at);
  return 1e-4 + keys * (5e-9 + probe * static_cast<double>(at.k));
}

std::vector<Measurement> HostileKeys::measure(const Parameters& p, const Point::Parameters& at,
                                              std::uint64_t seed) {
  const std::uint64_t filter_seed = hash_seed(seed);
  // No key has this counter, nor has the seed of the filter.
  const std::uint64_t other_seed = KeyedPermutation(seed)((std::uint64_t{1} << 63) + 1);
  SeededFilter filter(at, filter_seed);
  const Effect effect =
      attack(p, at, seed, at.keying == Point::Keying::known ? filter_seed : other_seed, filter);
  std::uint64_t false_positives = 0;
  for_each_integers(KeyedPermutation(seed), first_query, p.queries,
                    [&](const KeyBatch& keys) { false_positives += filter.count_contained(keys); });
  return {{std::nullopt,
           {{"inserted", effect.inserted},
            {"bits", at.m},
            {"bits_set", filter.state().bits_set},
            {"queries", p.queries},
            {"false_positives", false_positives},
            {"chosen", effect.chosen},
            {"tries", effect.tries},
            {"forged", effect.forged},
            {"reported", effect.reported}},
           record::Json::object()}};
}

}  // namespace bloomlab::experiments
