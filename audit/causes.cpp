#include "audit/causes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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
    Word{Class::derived_stride, "derived_stride",
         "double hashing with a stride that is made from the first position"},
    Word{Class::shared_bits, "shared_bits", "positions come from the same bits of the hash value"},
    Word{Class::probe_count, "probe_count", "the number of probes is wrong"},
    Word{Class::layers, "layers", "the filter grows by layers"},
    Word{Class::size_formula, "size_formula", "the memory is not what was requested"},
    Word{Class::inverted, "inverted", "an answer is the wrong way round"},
    Word{Class::stale_memory, "stale_memory", "a new filter is not empty"},
    Word{Class::capacity, "capacity", "counters or slots overflow"},
    Word{Class::lost_keys, "lost_keys", "inserted keys are lost"},
    Word{Class::refused_keys, "refused_keys", "the filter fails on some keys"},
    Word{Class::weak_hash, "weak_hash", "the hash confuses keys that resemble each other"},
    Word{Class::seed_ignored, "seed_ignored", "the seed changes nothing"},
    Word{Class::nondeterminism, "nondeterminism", "equal queries get different answers"},
    Word{Class::layout, "layout", "another layout of the bits"},
    Word{Class::more_keys, "more_keys", "the filter holds more keys than is said"},
    Word{Class::fewer_keys, "fewer_keys", "the filter holds fewer distinct keys than is said"},
    Word{Class::several_filters, "several_filters", "several filters are asked, and one is enough"},
    Word{Class::unknown, "unknown", "no cause that is known fits"},
};

const Word& word_of(Class kind) { return *std::ranges::find(all_words, kind, &Word::kind); }

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
  Fit result{
      .kind = cause.kind, .text = cause.text, .per_size = cause.per_size, .counted = cause.counted};
  for (const Place& at : places) {
    const RateCell& cell = at.cell;
    if (const auto predicted = cause.rate(at)) {
      const double dispersion =
          predicted->spread.value_or(at.spread) / static_cast<double>(cell.filters) +
          predicted->error * predicted->error;
      // The rarer outcome is counted.
      const auto all = static_cast<double>(cell.queries);
      const auto hits = static_cast<double>(cell.hits);
      // Misses have the variance of hits, and so another one relative to their number; of a rate
      // of nearly 1 it is not known, and less than their number.
      const double odds = predicted->rate / std::max(1e-300, 1.0 - predicted->rate);
      constexpr double most = 0.25;
      result.deviance += predicted->rate <= 0.5
                             ? deviance(hits, all * predicted->rate, dispersion)
                             : deviance(all - hits, all * (1.0 - predicted->rate),
                                        std::min(most, dispersion * odds * odds));
      ++result.cells;
    }
    const auto loss = cause.loss ? cause.loss(at) : std::nullopt;
    if (loss && cell.inserted_queries > 0) {
      // Nothing lost where nothing should be is no evidence, and one lost key is an end.
      if (*loss <= 0.0 && cell.lost == 0) continue;
      const auto all = static_cast<double>(cell.inserted_queries);
      const auto lost = static_cast<double>(cell.lost);
      result.denied_cells += *loss > 0.0 && cell.lost > 0 ? 1 : 0;
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

void Causes::add(const Cause& cause) {
  Fit fit = detail::fit(cause, places_);
  if (fit.cells > 0) fits_.push_back(std::move(fit));
}

void Causes::add_best(double low, double high, const std::function<Cause(double)>& make) {
  const double best = best_parameter(std::log(low), std::log(high), [&](double x) {
    return detail::fit(make(std::exp(x)), places_).deviance;
  });
  Cause cause = make(std::exp(best));
  cause.parameters = 2;
  add(cause);
}

std::vector<Fit> Causes::sorted() && {
  std::ranges::sort(fits_, {}, &Fit::score);
  return std::move(fits_);
}

}  // namespace detail

std::vector<Fit> fit_causes(std::span<const Place> places, const Evidence& evidence,
                            bool layout_is_declared) {
  if (places.empty()) return {};
  detail::Causes causes(places);
  causes.add({Class::none, "the expected law", 0,
              [](const Place& at) {
                return std::optional(Predicted{at.expected, 0.001});
              },
              detail::no_loss});
  detail::add_closed_causes(causes, places, evidence, layout_is_declared);
  if (places.front().layout.kind != Layout::Kind::other) {
    detail::for_each_simulated_cause(places, [&](const Cause& cause) { causes.add(cause); });
  }
  return std::move(causes).sorted();
}

}  // namespace bloomlab::audit
