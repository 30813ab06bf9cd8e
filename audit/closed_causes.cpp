#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string>

#include "audit/causes.hpp"
#include "core/theory/strides.hpp"

namespace bloomlab::audit::detail {
namespace {

/// A bent law, brought to the exact one where nothing is bent.
std::function<std::optional<Predicted>(const Place&)> bent(std::function<Bend(const Place&)> bend) {
  return [bend = std::move(bend)](const Place& at) -> std::optional<Predicted> {
    if (at.layout.kind == Layout::Kind::other) return std::nullopt;
    const double rate =
        bent_from(at.expected, at.layout, static_cast<double>(at.cell.inserted), bend(at));
    return Predicted{rate, at.layout.bits < 4000.0 ? 0.01 : 0.003};
  };
}

std::string shown(double value) {
  std::string text = std::to_string(value);
  text.resize(std::min<std::size_t>(text.size(), 6));
  return text;
}

using Share = std::function<double(const Place&)>;

/// Shares of the bits that were counted, by size.
std::map<std::uint64_t, double> counted_shares(const std::vector<BitCount>& bits) {
  constexpr double all = 0.999;
  std::map<std::uint64_t, double> shares;
  for (const BitCount& count : bits) {
    shares[count.size] = count.share() > all ? 1.0 : count.share();
  }
  return shares;
}

/// What the counted bits alone say; nothing where all of them are reached.
void add_counted_bits(Causes& causes, const std::vector<BitCount>& bits) {
  const auto shares = counted_shares(bits);
  const auto some = std::ranges::find_if(
      bits, [&](const BitCount& count) { return shares.at(count.size) < 1.0; });
  if (some == bits.end()) return;
  const std::string text = std::to_string(some->keys) + " keys set " +
                           std::to_string(some->reached) + " of " +
                           std::to_string(some->memory_bits) + " bits, counted in a saved filter";
  const auto rate =
      bent([shares](const Place& at) { return Bend{.bits_share = shares.at(at.cell.size)}; });
  Cause counted{
      Class::fewer_bits, text, 0,
      [=](const Place& at) { return shares.contains(at.cell.size) ? rate(at) : std::nullopt; },
      no_loss};
  counted.counted = true;
  causes.add(counted);
}

void add_fewer_bits(Causes& causes, std::span<const Place> places,
                    const std::vector<BitCount>& bits) {
  const auto shares_counted = counted_shares(bits);
  add_counted_bits(causes, bits);
  if (std::ranges::all_of(places,
                          [&](const Place& at) { return shares_counted.contains(at.cell.size); })) {
    return;
  }
  const auto reaching = [shares_counted](std::string text, const Share& share) {
    return Cause{
        Class::fewer_bits, std::move(text), 0, bent([=](const Place& at) {
          const auto found = shares_counted.find(at.cell.size);
          return Bend{.bits_share = found != shares_counted.end() ? found->second : share(at)};
        }),
        no_loss};
  };
  for (const double share : {0.5, 0.25, 0.125}) {
    causes.add(reaching("a share of " + shown(share) + " of the bits is reached",
                        [share](const Place&) { return share; }));
  }
  causes.add_best(1e-4, 0.999, [&](double share) {
    return reaching("a share of " + shown(share) + " of the bits is reached",
                    [share](const Place&) { return share; });
  });
  causes.add_best(64.0, 1e9, [&](double cap) {
    return reaching("at most 2^" + shown(std::log2(cap)) + " bits are reached",
                    [cap](const Place& at) { return std::min(1.0, cap / at.layout.bits); });
  });
  causes.add_best(1.0, 600.0, [&](double lost) {
    return reaching(shown(lost) + " bits of every filter are not reached", [lost](const Place& at) {
      return std::max(1.0, at.layout.bits - lost) / at.layout.bits;
    });
  });
  causes.add(reaching("the size is taken modulo 2^16", [](const Place& at) {
    const double rest = std::fmod(at.layout.bits, 65'536.0);
    return rest > 0.0 ? rest / at.layout.bits : 1.0;
  }));
  causes.add(reaching("the size is rounded down to a power of two", [](const Place& at) {
    return std::exp2(std::floor(std::log2(at.layout.bits))) / at.layout.bits;
  }));
  causes.add(
      reaching("positions are masked by a size that is no power of two", [](const Place& at) {
        const auto mask = static_cast<std::uint64_t>(at.layout.bits) - 1;
        return std::exp2(std::popcount(mask)) / at.layout.bits;
      }));
  // Any share at any size.
  std::map<std::uint64_t, double> shares;
  for (const Place& place : places) shares[place.cell.size] = 1.0;
  for (auto& [at_size, share] : shares) {
    const std::uint64_t size = at_size;
    std::vector<Place> of_size;
    std::ranges::copy_if(places, std::back_inserter(of_size),
                         [&](const Place& at) { return at.cell.size == size; });
    share = std::exp(best_parameter(std::log(1e-4), 0.0, [&](double x) {
      return fit(reaching("", [x](const Place&) { return std::exp(x); }), of_size).deviance;
    }));
  }
  Cause free = reaching("a part of the bits that differs from size to size is reached",
                        [shares](const Place& at) { return shares.at(at.cell.size); });
  free.parameters = static_cast<int>(shares.size());
  free.per_size = true;
  causes.add(free);
}

/// k as the best one for the memory of each size, where another was declared.
void add_best_probe_counts(Causes& causes) {
  using Round = double (*)(double);
  const auto add = [&](const char* text, Round round) {
    causes.add({Class::probe_count, text, 1, bent([round](const Place& at) {
                  const double k =
                      round(std::log(2.0) * at.layout.bits / static_cast<double>(at.cell.size));
                  const int probes = static_cast<int>(std::clamp(k, 1.0, 64.0));
                  return Bend{.inserted_k = probes, .queried_k = probes};
                }),
                no_loss});
  };
  add("as many probes as bits per key, times ln 2, rounded down",
      [](double k) { return std::floor(k); });
  add("as many probes as bits per key, times ln 2, rounded",
      [](double k) { return std::round(k); });
  add("as many probes as bits per key, times ln 2, rounded up",
      [](double k) { return std::ceil(k); });
}

void add_probe_counts(Causes& causes, const Place& first) {
  const int k = first.layout.k;
  add_best_probe_counts(causes);
  for (int inserted = 1; inserted <= std::min(2 * k + 2, 32); ++inserted) {
    for (int queried = 1; queried <= std::min(2 * k + 2, 32); ++queried) {
      if (inserted == k && queried == k) continue;
      if (first.layout.kind == Layout::Kind::split_block && inserted != queried) continue;
      const Bend bend{.inserted_k = inserted, .queried_k = queried};
      causes.add({Class::probe_count,
                  inserted == queried ? std::to_string(inserted) +
                                            " different probes in place of " + std::to_string(k)
                                      : "inserts set " + std::to_string(inserted) +
                                            " bits and queries test " + std::to_string(queried),
                  // Few are more likely than many: inserts of 2 k probes are half of the bits.
                  inserted == queried ? 1 : std::abs(inserted - k) + std::abs(queried - k),
                  bent([bend](const Place&) { return bend; }),
                  [=](const Place& at) -> std::optional<double> {
                    if (queried <= inserted) return 0.0;
                    const double fill =
                        mean_fill(at.layout, static_cast<double>(at.cell.inserted), bend);
                    return 1.0 - std::pow(fill, queried - inserted);
                  }});
    }
  }
}

/// Inserted keys that share a hash value are one key: of n keys 2^b (1 - (1 - 2^-b)^n) are left.
/// A query that shares none of them finds the rate of a filter with so many.
std::optional<Predicted> short_hash(const Place& at, int bits) {
  const double values = std::exp2(bits);
  const auto n = static_cast<double>(at.cell.inserted);
  const double same = equal_hash_share(n, bits);
  double others = at.expected;
  if (at.layout.kind != Layout::Kind::other) {
    const double plain = bent_rate(at.layout, n, {});
    if (plain > 0.0) others *= bent_rate(at.layout, n, {.key_share = values * same / n}) / plain;
  }
  const double rate = same + (1.0 - same) * others;
  // So many values are reported or not, of every filter others.
  const double values_of_all = values * static_cast<double>(at.cell.filters);
  return Predicted{rate, std::sqrt(0.003 * 0.003 + (1.0 - rate) / rate / values_of_all)};
}

void add_hashes(Causes& causes) {
  for (int bits = 8; bits <= 48; ++bits) {
    causes.add({Class::hash_width, "hash values of " + std::to_string(bits) + " bits", 1,
                [bits](const Place& at) { return short_hash(at, bits); }, no_loss});
  }
  for (int bits = 8; bits <= 40; ++bits) {
    causes.add({Class::reduction,
                "positions or blocks from numbers of " + std::to_string(bits) + " bits", 1,
                bent([bits](const Place&) { return Bend{.position_bits = bits}; }), no_loss});
  }
}

/// P(a Poisson number of that mean is at least `least`).
double poisson_at_least(double mean, int least) {
  double term = std::exp(-mean);
  double below = 0.0;
  for (int i = 0; i < least; ++i) {
    below += term;
    term *= mean / (i + 1);
  }
  return std::max(0.0, 1.0 - below);
}

void add_losses(Causes& causes, std::span<const Place> places, const Evidence& evidence) {
  const bool by_place = evidence.pattern && !evidence.pattern->by_key;
  std::map<std::uint64_t, std::pair<double, double>> counts;
  for (const Place& at : places) {
    // The same keys of a filter are lost at every load, so that the last one knows the share.
    counts[at.cell.size] = {static_cast<double>(at.cell.lost),
                            static_cast<double>(at.cell.inserted_queries)};
  }
  const auto share = [counts](const Place& at) {
    const auto& [lost, of] = counts.at(at.cell.size);
    return of > 0.0 ? lost / of : 0.0;
  };
  const auto keys = bent([share](const Place& at) { return Bend{.key_share = 1.0 - share(at)}; });
  causes.add({Class::lost_keys, "a share of the inserted keys is lost, of any filter of a size",
              static_cast<int>(counts.size()),
              [keys](const Place& at) {
                auto predicted = keys(at);
                return predicted ? predicted : std::optional(Predicted{at.expected, 0.02});
              },
              [share, by_place](const Place& at) -> std::optional<double> {
                if (by_place) return std::nullopt;
                // Part of the lost keys are reported all the same.
                return std::max(1e-12, share(at));
              }});
  // A key with a position there is denied, and so is an absent one: each in the same share.
  causes.add({Class::lost_keys,
              "a part of the bits or blocks has no memory, of any filter of a size",
              static_cast<int>(counts.size()),
              [share](const Place& at) -> std::optional<Predicted> {
                return Predicted{(1.0 - share(at)) * at.expected, 0.02};
              },
              [share](const Place& at) { return std::optional(std::max(1e-12, share(at))); }});
  if (by_place || places.front().layout.kind != Layout::Kind::standard) return;
  for (int others = 1; others <= 16; ++others) {
    causes.add(
        {Class::capacity, "a place that " + std::to_string(others + 1) + " keys share overflows", 1,
         [others](const Place& at) -> std::optional<Predicted> {
           if (at.cell.load() > 1.0) return std::nullopt;
           const double mean = static_cast<double>(at.cell.inserted) * at.layout.k / at.layout.bits;
           const double fill = poisson_at_least(mean, 1) - poisson_at_least(mean, others + 1);
           return Predicted{std::pow(fill, at.layout.k), 0.05};
         },
         [others](const Place& at) -> std::optional<double> {
           if (at.cell.load() > 1.0) return std::nullopt;
           const double mean = static_cast<double>(at.cell.inserted) * at.layout.k / at.layout.bits;
           return 1.0 - std::pow(1.0 - poisson_at_least(mean, others), at.layout.k);
         }});
  }
}

void add_others(Causes& causes, std::span<const Place> places, const Evidence& evidence) {
  if (places.front().layout.kind == Layout::Kind::standard) {
    causes.add({Class::reduction, "positions in single precision", 0,
                bent([](const Place&) { return Bend{.single_precision = true}; }), no_loss});
    causes.add({Class::sign, "half of the positions are 0", 0,
                bent([](const Place&) { return Bend{.half_negative = true}; }), no_loss});
    causes.add({Class::sign, "negative positions are beside the bits, twice as many in all", 0,
                bent([](const Place&) { return Bend{.bits_share = 2.0}; }), no_loss});
    // A key with a negative position is never found: half of the probes find no bit.
    causes.add({Class::sign, "negative positions have no memory", 0,
                [](const Place& at) -> std::optional<Predicted> {
                  const double rate = bent_rate(at.layout, static_cast<double>(at.cell.inserted),
                                                {.bits_share = 2.0});
                  return Predicted{rate * std::exp2(-at.layout.k), 0.02};
                },
                [](const Place& at) { return std::optional(1.0 - std::exp2(-at.layout.k)); }});
    causes.add({Class::inverted, "the last probe is inverted", 0,
                [](const Place& at) -> std::optional<Predicted> {
                  const double fill =
                      mean_fill(at.layout, static_cast<double>(at.cell.inserted), {});
                  return Predicted{std::pow(fill, at.layout.k - 1) * (1.0 - fill), 0.03};
                },
                [](const Place&) { return std::optional(1.0); }});
  }
  causes.add({Class::inverted, "every answer is inverted", 0,
              [](const Place& at) {
                return std::optional(Predicted{1.0 - at.expected, 0.003});
              },
              [](const Place&) { return std::optional(1.0); }});
  if (evidence.repeats.empty_hits > 0) {
    causes.add_best(1e-3, 0.999, [](double fill) {
      return Cause{Class::stale_memory,
                   "a share of " + shown(fill) + " of the bits is set in a new filter", 0,
                   bent([fill](const Place&) { return Bend{.first_fill = fill}; }), no_loss};
    });
  }
}

/// What a filter of another layout or size would do, where none was declared.
void add_layouts(Causes& causes) {
  for (const double block : {0.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 4096.0}) {
    for (int k = 1; k <= 20; ++k) {
      const auto changed = [block, k](Layout layout) {
        layout.kind = block > 0.0 ? Layout::Kind::blocked : Layout::Kind::partitioned;
        layout.block_bits = block;
        layout.bits = std::max(block, layout.bits);
        layout.k = k;
        layout.form.reset();
        return layout;
      };
      causes.add({Class::layout,
                  (block > 0.0 ? "blocks of " + std::to_string(static_cast<int>(block)) + " bits"
                               : std::string("a slice for each probe")) +
                      " with " + std::to_string(k) + " probes",
                  2,
                  [changed](const Place& at) -> std::optional<Predicted> {
                    return Predicted{
                        bent_rate(changed(at.layout), static_cast<double>(at.cell.inserted), {}),
                        0.01};
                  },
                  no_loss});
    }
  }
}

/// LevelDB's positions: a hash of 32 bits, the same turned as stride, the sum wrapped and reduced.
Predicted turned_rate(const Place& at, unsigned turn, int fewer, double error) {
  const theory::StrideArithmetic turned{.word_bits = 32, .rotation = turn};
  const auto bits = static_cast<std::uint64_t>(at.layout.bits);
  const auto k = static_cast<std::uint64_t>(std::max(1, at.layout.k - fewer));
  return {theory::strided_fpr(turned, bits, at.cell.inserted, k, error), 1.5 * error};
}

/// Whether the rate of the place that says most is near enough for a closer look.
bool may_be_turned(std::span<const Place> places, unsigned turn, int fewer) {
  const auto says_most = std::ranges::max_element(
      places, {}, [](const Place& at) { return at.cell.load() > 1.0 ? 0 : at.cell.hits; });
  const RateCell& cell = says_most->cell;
  const double expected =
      turned_rate(*says_most, turn, fewer, 0.03).rate * static_cast<double>(cell.queries);
  const auto hits = static_cast<double>(cell.hits);
  return std::abs(hits - expected) < 0.3 * expected + 10.0 * std::sqrt(expected + 1.0);
}

/// Where no layout was declared, a probe fewer than is best is as usual as the best.
void add_turned_strides(Causes& causes, std::span<const Place> places, bool layout_is_declared) {
  for (const unsigned turn : {15U, 17U, 16U, 13U, 11U, 7U, 5U}) {
    for (int fewer = 0; fewer <= (layout_is_declared ? 0 : 1); ++fewer) {
      if (!may_be_turned(places, turn, fewer)) continue;
      causes.add(
          {Class::derived_stride,
           "a hash of 32 bits and the same, turned by " + std::to_string(turn) +
               " bits, as stride" + (fewer > 0 ? ", and a probe fewer" : ""),
           1, [=](const Place& at) { return std::optional(turned_rate(at, turn, fewer, 0.01)); },
           no_loss});
    }
  }
}

}  // namespace

void add_closed_causes(Causes& causes, std::span<const Place> places, const Evidence& evidence,
                       bool layout_is_declared) {
  add_hashes(causes);
  add_others(causes, places, evidence);
  if (places.front().layout.kind != Layout::Kind::other) {
    add_fewer_bits(causes, places, evidence.bits);
    add_probe_counts(causes, places.front());
    if (places.front().layout.kind == Layout::Kind::standard) {
      add_turned_strides(causes, places, layout_is_declared);
    }
    if (!layout_is_declared) add_layouts(causes);
  }
  add_layers(causes, places, layout_is_declared);
  const bool loses = std::ranges::any_of(places, [](const Place& at) { return at.cell.lost > 0; });
  if (loses) add_losses(causes, places, evidence);
}

}  // namespace bloomlab::audit::detail
