#include "audit/causes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

#include "core/theory/double_hashing.hpp"
#include "statistics/distributions.hpp"

namespace bloomlab::audit {
namespace {

struct Word {
  Class kind;
  std::string_view name;
  std::string_view words;
};

constexpr std::array all_words = {
    Word{Class::none, "none", "as it should be"},
    Word{Class::hash_width, "hash_width", "the hash value of a key is too short"},
    Word{Class::reduction, "reduction", "positions come from too short a number"},
    Word{Class::fewer_bits, "fewer_bits", "not all allocated bits are reached"},
    Word{Class::sign, "sign", "negative numbers are taken for position 0"},
    Word{Class::strides, "strides", "double hashing with bad strides"},
    Word{Class::shared_bits, "shared_bits", "positions come from the same bits of the hash value"},
    Word{Class::probe_count, "probe_count", "the number of probes is wrong"},
    Word{Class::size_formula, "size_formula", "the memory is not what was requested"},
    Word{Class::inverted, "inverted", "an answer is the wrong way round"},
    Word{Class::stale_memory, "stale_memory", "a new filter is not empty"},
    Word{Class::capacity, "capacity", "counters or slots overflow"},
    Word{Class::lost_keys, "lost_keys", "inserted keys are lost"},
    Word{Class::weak_hash, "weak_hash", "the hash confuses keys that resemble each other"},
    Word{Class::seed_ignored, "seed_ignored", "the seed changes nothing"},
    Word{Class::nondeterminism, "nondeterminism", "equal queries get different answers"},
    Word{Class::layout, "layout", "another layout of the bits"},
    Word{Class::unknown, "unknown", "no cause that is known fits"},
};

const Word& word_of(Class kind) { return *std::ranges::find(all_words, kind, &Word::kind); }

/// A bent law, brought to the exact one where nothing is bent.
std::function<std::optional<Predicted>(const Place&)> bent(std::function<Bend(const Place&)> bend) {
  return [bend = std::move(bend)](const Place& at) -> std::optional<Predicted> {
    if (at.layout.kind == Layout::Kind::other) return std::nullopt;
    const auto n = static_cast<double>(at.cell.inserted);
    const double plain = bent_rate(at.layout, n, {});
    double rate = bent_rate(at.layout, n, bend(at));
    if (plain > 0.0 && at.expected > 0.0) rate *= std::min(2.0, at.expected / plain);
    return Predicted{std::min(1.0, rate), at.layout.bits < 4000.0 ? 0.01 : 0.003};
  };
}

std::optional<double> no_loss(const Place& /*at*/) { return 0.0; }

/// The parameter in [low, high] with the least deviance, by a coarse grid and then a finer one.
double best_parameter(double low, double high, const std::function<double(double)>& deviance) {
  double best = low;
  double least = deviance(low);
  double step = (high - low) / 48.0;
  for (int round = 0; round < 3; ++round) {
    const double centre = best;
    const int reach = round == 0 ? 48 : 8;
    for (int i = round == 0 ? 0 : -reach; i <= reach; ++i) {
      const double x = (round == 0 ? low : centre) + i * step;
      if (x < low || x > high) continue;
      const double d = deviance(x);
      if (d < least) {
        least = d;
        best = x;
      }
    }
    step /= 8.0;
  }
  return best;
}

/// Collects causes, and of those of a family the best.
class Causes {
 public:
  explicit Causes(std::span<const Place> places) : places_(places) {}

  /// A cause that says nothing of what was measured explains nothing.
  void add(const Cause& cause) {
    Fit fit = detail::fit(cause, places_);
    if (fit.cells > 0) fits_.push_back(std::move(fit));
  }

  /// A cause with one real parameter, sought between the logarithms of two numbers.
  void add_best(double low, double high, const std::function<Cause(double)>& make) {
    const double best = best_parameter(std::log(low), std::log(high), [&](double x) {
      return detail::fit(make(std::exp(x)), places_).deviance;
    });
    Cause cause = make(std::exp(best));
    cause.parameters = 2;
    add(cause);
  }

  [[nodiscard]] std::vector<Fit> sorted() && {
    std::ranges::sort(fits_, {}, &Fit::score);
    return std::move(fits_);
  }

 private:
  std::span<const Place> places_;
  std::vector<Fit> fits_;
};

std::string shown(double value) {
  std::string text = std::to_string(value);
  text.resize(std::min<std::size_t>(text.size(), 6));
  return text;
}

void add_fewer_bits(Causes& causes, std::span<const Place> places) {
  const auto reaching = [](std::string text, std::function<double(const Place&)> share) {
    return Cause{Class::fewer_bits, std::move(text), 0,
                 bent([share](const Place& at) { return Bend{.bits_share = share(at)}; }), no_loss};
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
  for (auto& [size, share] : shares) {
    std::vector<Place> of_size;
    std::ranges::copy_if(places, std::back_inserter(of_size),
                         [&](const Place& at) { return at.cell.size == size; });
    share = std::exp(best_parameter(std::log(1e-4), 0.0, [&](double x) {
      return detail::fit(reaching("", [x](const Place&) { return std::exp(x); }), of_size).deviance;
    }));
  }
  Cause free = reaching("a part of the bits that differs from size to size is reached",
                        [shares](const Place& at) { return shares.at(at.cell.size); });
  free.parameters = static_cast<int>(shares.size());
  causes.add(free);
}

void add_probe_counts(Causes& causes, const Place& first) {
  const int k = first.layout.k;
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

void add_hashes(Causes& causes) {
  for (int bits = 8; bits <= 48; ++bits) {
    causes.add({Class::hash_width, "hash values of " + std::to_string(bits) + " bits", 1,
                [bits](const Place& at) -> std::optional<Predicted> {
                  const double n = static_cast<double>(at.cell.inserted);
                  const double same = -std::expm1(n * std::log1p(-std::exp2(-bits)));
                  return Predicted{same + (1.0 - same) * at.expected, 0.003};
                },
                no_loss});
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

}  // namespace

std::string_view name(Class cause) noexcept { return word_of(cause).name; }
std::string_view words(Class cause) noexcept { return word_of(cause).words; }

double spread_of(const Layout& layout, double n) {
  if (layout.kind == Layout::Kind::other || n < 1.0) return 0.0;
  const double one = bent_rate(layout, n, {});
  const double two = bent_rate(layout, n, {.queried_k = 2 * layout.k});
  if (one <= 0.0) return 0.0;
  const double whole = std::max(0.0, two / one / one - 1.0);
  double blocks = 1.0;
  if (layout.kind == Layout::Kind::blocked) blocks = layout.bits / layout.block_bits;
  if (layout.kind == Layout::Kind::split_block) blocks = layout.bits / 256.0;
  return std::min(whole, 1e6) / std::max(1.0, blocks);
}

namespace detail {

double deviance(double count, double mean, double dispersion) {
  if (mean <= 0.0) return count > 0.0 ? 1e9 : 0.0;
  if (dispersion < 1e-12) {
    const double part = count > 0.0 ? count * std::log(count / mean) : 0.0;
    return 2.0 * (part - (count - mean));
  }
  const double part = count > 0.0 ? count * std::log(count / mean) : 0.0;
  return 2.0 * (part - (count + 1.0 / dispersion) *
                           (std::log1p(dispersion * count) - std::log1p(dispersion * mean)));
}

Fit fit(const Cause& cause, std::span<const Place> places) {
  Fit result{cause.kind, cause.text};
  for (const Place& at : places) {
    const RateCell& cell = at.cell;
    if (const auto predicted = cause.rate(at)) {
      const double dispersion =
          at.spread / static_cast<double>(cell.filters) + predicted->error * predicted->error;
      // The rarer outcome is counted.
      const auto all = static_cast<double>(cell.queries);
      const auto hits = static_cast<double>(cell.hits);
      // Misses have the variance of hits, and so another one relative to their number.
      const double odds = predicted->rate / std::max(1e-300, 1.0 - predicted->rate);
      result.deviance +=
          predicted->rate <= 0.5
              ? deviance(hits, all * predicted->rate, dispersion)
              : deviance(all - hits, all * (1.0 - predicted->rate), dispersion * odds * odds);
      ++result.cells;
    }
    const auto loss = cause.loss ? cause.loss(at) : std::nullopt;
    if (loss && cell.inserted_queries > 0) {
      // Nothing lost where nothing should be is no evidence, and one lost key is an end.
      if (*loss <= 0.0 && cell.lost == 0) continue;
      const auto all = static_cast<double>(cell.inserted_queries);
      const auto lost = static_cast<double>(cell.lost);
      const double dispersion = 0.1 * 0.1;
      result.deviance += *loss <= 0.5 ? deviance(lost, all * *loss, dispersion)
                                      : deviance(all - lost, all * (1.0 - *loss), dispersion);
      ++result.cells;
    }
  }
  result.degrees = std::max(1, static_cast<int>(result.cells) - std::min(cause.parameters, 2));
  result.p_value = statistics::detail::chi_square_at_least(std::clamp(result.deviance, 0.0, 1e8),
                                                           static_cast<double>(result.degrees));
  constexpr double parameter_price = 3.0;
  result.score = result.deviance + parameter_price * cause.parameters;
  return result;
}

}  // namespace detail

std::vector<Fit> fit_causes(std::span<const Place> places, const Evidence& evidence,
                            bool layout_is_declared) {
  if (places.empty()) return {};
  Causes causes(places);
  causes.add({Class::none, "the expected law", 0,
              [](const Place& at) {
                return std::optional(Predicted{at.expected, 0.001});
              },
              no_loss});
  add_hashes(causes);
  add_others(causes, places, evidence);
  if (places.front().layout.kind != Layout::Kind::other) {
    add_fewer_bits(causes, places);
    add_probe_counts(causes, places.front());
    detail::for_each_simulated_cause(places, [&](const Cause& cause) { causes.add(cause); });
    if (!layout_is_declared) add_layouts(causes);
  }
  const bool loses = std::ranges::any_of(places, [](const Place& at) { return at.cell.lost > 0; });
  if (loses) add_losses(causes, places, evidence);
  return std::move(causes).sorted();
}

}  // namespace bloomlab::audit
