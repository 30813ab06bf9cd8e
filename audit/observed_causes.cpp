#include "audit/observed_causes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "core/theory/hash_width.hpp"
#include "core/theory/strides.hpp"
#include "record/number_text.hpp"

namespace bloomlab::audit::detail {
namespace {

// Filters that are simulated: more bits or keys, or keys for which they were not made, take long.
constexpr double most_simulated_bits = 20'000.0;
constexpr std::uint64_t most_simulated_keys = 20'000;
constexpr std::uint64_t most_simulated_load = 4;

/// How common a cause is, as the parameters that fit() has a price for.
enum Rarity : int {
  known_of_libraries = 1,
  heard_of = 2,
  one_of_many = 3,    ///< of some dozens that differ in a whole number
  fits_anything = 4,  ///< with a real number
};

// What a scheme adds to a bent law is known so roughly: by its order in keys and bits alone.
constexpr double excess_doubt = 0.3;

/// What the filter's own rate, where it has one, is more than the layout's.
double excess_of(const Observed& observed, const Place& at) {
  if (!observed.own_rate || at.layout.kind == Layout::Kind::other) return 0.0;
  const std::uint64_t n = at.cell.inserted;
  return at.expected - with_hash_floor(observed, n, rate(at.layout, different_keys(observed, n)));
}

/// The bent law with the floor of the hash. What a scheme adds comes from keys that meet a query in
/// two positions: it grows with the keys, and falls with the square of the bits.
double bent(const Observed& observed, const Place& at, const Bend& bend) {
  const std::uint64_t different = different_keys(observed, at.cell.inserted);
  const double changed =
      bent_from(rate(at.layout, different), at.layout, static_cast<double>(different), bend);
  return with_hash_floor(observed, at.cell.inserted, changed) +
         excess_of(observed, at) * bend.key_share / (bend.bits_share * bend.bits_share);
}

/// Keys that share a hash value are one key, and so is an absent one with an inserted one.
double short_hash(const Observed& observed, const Place& at, int width, Bend bend) {
  const auto n = static_cast<double>(at.cell.inserted);
  const double same = equal_hash_share(n, width);
  bend.key_share = std::exp2(width) * same / n;
  return same +
         (1.0 - same) * (bent_rate(at.layout, n, bend) + excess_of(observed, at) * bend.key_share);
}

/// What may have happened, as causes that refer to `observed`, which must outlive them.
class Candidates {
 public:
  Candidates(const Observed& observed, std::span<const Place> places)
      : observed_(observed), places_(places), standard_(is(Layout::Kind::standard)) {}

  std::vector<Cause> all() && {
    if (is(Layout::Kind::other) && observed_.own_rate) {
      // Nothing is known of that layout but its rate.
      add_one_answer();
      add_several();
      add_confused();
      return std::move(causes_);
    }
    add_one_answer();
    add_hashes();
    add_sizes();
    add_probes();
    add_layouts();
    add_keys();
    add_strides();
    add_layers();
    return std::move(causes_);
  }

 private:
  [[nodiscard]] bool is(Layout::Kind kind) const { return observed_.layout.kind == kind; }
  [[nodiscard]] double bits() const { return observed_.layout.bits; }

  using Rate = std::function<double(const Place&)>;

  void add(Class kind, std::string text, int rarity, Rate rate, double error = 0.003) {
    causes_.push_back({kind, std::move(text), rarity,
                       [rate = std::move(rate), error](const Place& at) {
                         return std::optional(Predicted{std::clamp(rate(at), 0.0, 1.0), error});
                       },
                       no_loss});
  }
  /// A cause whose law is the filter's own one, bent.
  [[nodiscard]] Cause relative(Class kind, std::string text, int rarity, Rate rate) const {
    return {kind, std::move(text), rarity,
            [&observed = observed_, rate = std::move(rate)](const Place& at) {
              const double value = std::clamp(rate(at), 0.0, 1.0);
              const double part = std::abs(excess_of(observed, at)) / std::max(value, 1e-300);
              return std::optional(Predicted{value, 0.003 + excess_doubt * std::min(part, 1.0)});
            },
            no_loss};
  }
  void add_relative(Class kind, std::string text, int rarity, Rate rate) {
    causes_.push_back(relative(kind, std::move(text), rarity, std::move(rate)));
  }
  void add_bent(Class kind, std::string text, int rarity, const Bend& bend) {
    add_relative(kind, std::move(text), rarity, [&observed = observed_, bend](const Place& at) {
      return bent(observed, at, bend);
    });
  }
  /// Every count is full, or every one is 0 where many hits are expected: the answer may be the
  /// same whatever is asked.
  void add_one_answer() {
    double expected = 0.0;
    for (const Place& at : places_) expected += at.expected * static_cast<double>(at.cell.queries);
    constexpr double many = 50.0;
    const auto are_all = [&](auto count) {
      return std::ranges::all_of(places_, [&](const Place& at) { return count(at.cell); });
    };
    if (are_all([](const RateCell& cell) { return cell.hits == cell.queries; })) {
      add(
          Class::stale_memory, "every key is reported, as where all bits are set",
          known_of_libraries, [](const Place&) { return 1.0; }, 0.0);
    } else if (expected >= many && are_all([](const RateCell& cell) { return cell.hits == 0; })) {
      add(
          Class::lost_keys, "no key is reported, whatever is asked", known_of_libraries,
          [](const Place&) { return 0.0; }, 0.0);
    }
  }

  void add_hashes() {
    for (int width = 8; width <= 48; ++width) {
      const bool usual = width == 32 || width == 31 || width == 24 || width == 16;
      add_relative(Class::hash_width, "hash values of " + std::to_string(width) + " bits",
                   usual ? known_of_libraries : one_of_many,
                   [&observed = observed_, width](const Place& at) {
                     return short_hash(observed, at, width, {});
                   });
      if (std::exp2(width) >= 2.0 * bits()) continue;
      add_bent(Class::reduction,
               "positions below 2^" + std::to_string(width) + ", as from numbers of " +
                   std::to_string(width) + " bits",
               usual ? known_of_libraries : one_of_many, {.position_bits = width});
    }
    if (!standard_) return;
    // Java's and C's int: a hash of so few bits, and sums of it that reach no further.
    for (const int width : {31, 32}) {
      for (const int reach : {31, 32}) {
        if (std::exp2(reach) >= bits()) continue;
        add_relative(Class::hash_width,
                     "hash values of " + std::to_string(width) + " bits, and positions below 2^" +
                         std::to_string(reach),
                     known_of_libraries, [&observed = observed_, width, reach](const Place& at) {
                       return short_hash(observed, at, width, {.position_bits = reach});
                     });
      }
    }
    add_bent(Class::reduction, "positions in single precision", heard_of,
             {.single_precision = true});
    add_bent(Class::sign, "half of the numbers are negative, and taken for position 0", heard_of,
             {.half_negative = true});
  }

  /// Bits in all, of those that are said.
  void add_size(Class kind, const std::string& text, int rarity, double share) {
    if (std::abs(share - 1.0) < 1e-6 || share * bits() < 1.0) return;
    add_bent(kind, text, rarity, {.bits_share = share});
  }
  void add_sizes() {
    if (!standard_ && !is(Layout::Kind::partitioned)) return;
    const double down = std::exp2(std::floor(std::log2(bits()))) / bits();
    constexpr double ln2 = std::numbers::ln2;
    add_size(Class::size_formula, "the size is rounded down to a power of two", known_of_libraries,
             down);
    add_size(Class::size_formula, "the size is rounded up to a power of two", known_of_libraries,
             down < 1.0 ? 2.0 * down : 1.0);
    add_size(Class::size_formula, "ln 2 is taken once too often: ln 2 times the bits",
             known_of_libraries, ln2);
    add_size(Class::size_formula, "ln 2 is taken once too little: the bits over ln 2",
             known_of_libraries, 1.0 / ln2);
    add_size(Class::size_formula, "bytes are taken for bits: an eighth of the bits",
             known_of_libraries, 1.0 / 8);
    add_size(Class::size_formula, "bits are taken for bytes: eight times the bits",
             known_of_libraries, 8.0);
    add_size(Class::fewer_bits, "half of the bits are reached", heard_of, 0.5);
    add_size(Class::fewer_bits, "a quarter of the bits is reached", heard_of, 0.25);
    const auto mask = static_cast<std::uint64_t>(bits()) - 1;
    add_size(Class::fewer_bits, "positions are masked by a size that is no power of two", heard_of,
             std::exp2(std::popcount(mask)) / bits());
  }

  void add_probe_count(const std::string& text, int rarity, double real_k) {
    const int k = static_cast<int>(std::clamp(real_k, 1.0, 255.0));
    if (k == observed_.layout.k) return;
    add_bent(Class::probe_count, text + " (" + std::to_string(k) + ")", rarity,
             {.inserted_k = k, .queried_k = k});
  }
  void add_probes() {
    if (is(Layout::Kind::split_block) || is(Layout::Kind::other)) return;
    const double per_key = bits() / static_cast<double>(observed_.planned);
    const double best = std::numbers::ln2 * per_key;
    add_probe_count("the best number of probes, rounded down", known_of_libraries,
                    std::floor(best));
    add_probe_count("the best number of probes, rounded", known_of_libraries, std::round(best));
    add_probe_count("the best number of probes, rounded up", known_of_libraries, std::ceil(best));
    add_probe_count("ln 2 is taken twice in the number of probes", known_of_libraries,
                    std::round(std::numbers::ln2 * best));
    add_probe_count("ln 2 is forgotten in the number of probes", known_of_libraries,
                    std::round(per_key));
    add_probe_count("one probe", known_of_libraries, 1.0);
    for (int k = 2; k <= std::min(2 * observed_.layout.k + 2, 32); ++k) {
      add_probe_count("another number of probes", one_of_many, k);
    }
    if (observed_.layout.k > 1) {
      add_bent(Class::probe_count, "queries test a probe less than inserts set", heard_of,
               {.queried_k = observed_.layout.k - 1});
    }
  }

  void add_layouts() {
    if (!standard_) {
      if (is(Layout::Kind::other)) return;
      Layout plain = observed_.layout;
      plain.kind = Layout::Kind::standard;
      plain.form.reset();
      add(Class::layout, "bits all over the filter, no blocks", heard_of,
          [plain](const Place& at) { return rate(plain, at.cell.inserted); });
      return;
    }
    for (const double block : {32.0, 64.0, 128.0, 256.0, 512.0}) {
      const bool usual = block == 64.0 || block == 512.0;
      add_blocks(
          "blocks of " + std::to_string(static_cast<int>(block)) + " bits with as many probes",
          usual ? known_of_libraries : heard_of, Layout::Kind::blocked, block);
    }
    add_blocks("split blocks of 8 lanes", known_of_libraries, Layout::Kind::split_block, 256.0);
  }
  void add_blocks(const std::string& text, int rarity, Layout::Kind kind, double block) {
    if (bits() < block) return;
    Layout changed = observed_.layout;
    changed.kind = kind;
    changed.block_bits = block;
    changed.form.reset();
    add(Class::layout, text, rarity,
        [changed](const Place& at) { return rate(changed, at.cell.inserted); });
  }

  [[nodiscard]] std::function<double(const Place&)> with_keys(double factor) const {
    return [&observed = observed_, factor](const Place& at) {
      return bent(observed, at, {.key_share = factor});
    };
  }
  void add_keys() {
    for (const int filters : several) {
      const std::string text = std::to_string(filters);
      add_relative(Class::more_keys,
                   text + " times the keys, as after merging " + text + " filters",
                   rarity_of_several(filters), with_keys(filters));
    }
    add_several();
    add_fitted(Class::more_keys, 1.0, 1e3, [this](double factor) {
      return std::pair("holds " + significant(factor, 3) + " times the keys that are said",
                       with_keys(factor));
    });
    add_fitted(Class::fewer_keys, 1e-3, 1.0, [this](double factor) {
      return std::pair("holds " + significant(factor, 3) +
                           " times the keys that are said: some are equal, or lost",
                       with_keys(factor));
    });
    add_confused();
  }

  static constexpr std::array several = {2, 3, 4, 5, 8, 10, 12, 16, 20, 32, 64, 100};
  static int rarity_of_several(int filters) {
    return filters <= 10 ? known_of_libraries + 1 : heard_of + 1;
  }
  void add_several() {
    for (const int filters : several) {
      add(Class::several_filters, std::to_string(filters) + " filters are asked in turn",
          rarity_of_several(filters), [filters](const Place& at) {
            return -std::expm1(filters * std::log1p(-std::min(at.expected, 1.0 - 1e-12)));
          });
    }
  }
  void add_confused() {
    add_fitted(Class::weak_hash, 1e-9, 0.9, [](double share) {
      return std::pair(
          "a share of " + significant(share, 3) + " of the absent keys is taken for inserted ones",
          [share](const Place& at) { return share + (1.0 - share) * at.expected; });
    });
  }

  /// The cause with one real number between two, at its best.
  template <class Make>
  void add_fitted(Class kind, double low, double high, Make make) {
    const auto cause = [&](double value) {
      const auto [text, rate] = make(value);
      return relative(kind, text, fits_anything, rate);
    };
    causes_.push_back(cause(std::exp(best_parameter(std::log(low), std::log(high), [&](double x) {
      return fit(cause(std::exp(x)), places_).deviance;
    }))));
  }

  void add_strided(Class kind, const std::string& text, int rarity,
                   const theory::StrideArithmetic& strides) {
    auto known = std::make_shared<std::map<std::uint64_t, double>>();
    const theory::StridedRate of_no_keys(strides, static_cast<std::uint64_t>(observed_.layout.bits),
                                         0, static_cast<std::uint64_t>(observed_.layout.k));
    add(
        kind, text, rarity,
        [&observed = observed_, of_no_keys, known](const Place& at) {
          const auto found = known->find(at.cell.inserted);
          if (found != known->end()) return found->second;
          const double value =
              of_no_keys.for_keys(different_keys(observed, at.cell.inserted))(0.01);
          return known
              ->emplace(at.cell.inserted, with_hash_floor(observed, at.cell.inserted, value))
              .first->second;
        },
        0.015);
  }
  void add_strides() {
    if (!standard_ || observed_.layout.k < 2) return;
    // Strides of which the filter is said to have all, or all but one.
    const bool any_said =
        observed_.scheme == "double_hashing" || observed_.scheme == "double_hashing_nz";
    if (!any_said) {
      add_strided(Class::strides, "double hashing with any stride", known_of_libraries,
                  {.word_bits = 0});
    }
    if (observed_.own_rate && !observed_.scheme.empty()) {
      add(Class::none, "independent positions, not by " + observed_.scheme, heard_of,
          [](const Place& at) { return rate(at.layout, at.cell.inserted); });
    }
    for (const unsigned turn : {15U, 17U}) {
      add_strided(
          Class::derived_stride,
          "a hash of 32 bits and the same, turned by " + std::to_string(turn) + " bits, as stride",
          known_of_libraries, {.word_bits = 32, .rotation = turn});
    }
    const bool are_many = std::ranges::any_of(places_, [](const Place& at) {
      return at.cell.inserted > std::min(most_simulated_keys, most_simulated_load * at.cell.size);
    });
    if (bits() > most_simulated_bits || are_many) return;
    for_each_simulated_cause(places_, [this, any_said](const Cause& cause) {
      if (any_said && cause.text.starts_with("strides of any size")) return;
      causes_.push_back(cause);
      causes_.back().parameters = heard_of;
    });
  }

  /// Layers of a scalable filter that was made for fewer keys than came.
  void add_layers() {
    const bool overfull = std::ranges::any_of(
        places_, [](const Place& at) { return at.cell.inserted > at.cell.size; });
    if (!overfull || !observed_.requested_rate) return;
    for (const double tightening : {0.5, 0.8, 0.85, 0.9}) {
      for (const std::uint64_t growth : {2U, 4U}) {
        Layout layered;
        layered.kind = Layout::Kind::other;
        layered.form = theory::Query{"scalable",
                                     {{"P", *observed_.requested_rate},
                                      {"r", tightening},
                                      {"s", growth},
                                      {"n0", observed_.planned},
                                      {"n", std::uint64_t{0}}}};
        add(
            Class::layers,
            "a new layer whenever one is full, each " + std::to_string(growth) +
                " times as large, tightened by " + parameter_text(tightening),
            known_of_libraries,
            [layered](const Place& at) { return rate(layered, at.cell.inserted); }, 0.01);
      }
    }
  }

  const Observed& observed_;
  std::span<const Place> places_;
  bool standard_;
  std::vector<Cause> causes_;
};

struct Mend {
  Class kind;
  std::string_view text;
};

constexpr std::array mends = {
    Mend{Class::stale_memory, "look up keys in an empty filter: it must report none of them"},
    Mend{Class::lost_keys, "look up the inserted keys: each of them must be reported"},
    Mend{Class::hash_width, "hash with 64 bits or more"},
    Mend{Class::reduction, "reduce 64 bits of a hash, such as the upper half of hash * m"},
    Mend{Class::sign, "take unsigned numbers for positions"},
    Mend{Class::size_formula,
         "give the filter m = -n ln(p) / (ln 2)^2 bits, as bloomlab plan says"},
    Mend{Class::fewer_bits,
         "count the set bits of a saved filter (bloomlab inspect): no part of "
         "them may stay empty"},
    Mend{Class::probe_count, "take k = m/n ln 2 probes, rounded, as bloomlab plan says"},
    Mend{Class::layout, "size the filter by its own law: bloomlab plan --all"},
    Mend{Class::more_keys, "count the keys, and size the filter for them: bloomlab plan --items"},
    Mend{Class::fewer_keys, "count distinct keys"},
    Mend{Class::several_filters, "plan each of s filters for the rate p / s"},
    Mend{Class::weak_hash,
         "take another hash, and test it with keys like yours: kind hash_quality"},
    Mend{Class::strides, "take enhanced double hashing, or a position from a hash of its own"},
    Mend{Class::derived_stride, "take a second hash for the stride"},
    Mend{Class::shared_bits, "take other bits of the hash for each position"},
    Mend{Class::layers, "make the filter for all keys that come"},
};

}  // namespace

std::uint64_t different_keys(const Observed& observed, std::uint64_t n) {
  return observed.hash_bits ? theory::different_hashes(*observed.hash_bits, n) : n;
}

double with_hash_floor(const Observed& observed, std::uint64_t n, double rate) {
  if (!observed.hash_bits || n == 0) return rate;
  const double same =
      equal_hash_share(static_cast<double>(n), static_cast<double>(*observed.hash_bits));
  return same + (1.0 - same) * rate;
}

std::vector<Cause> observed_causes(const Observed& observed, std::span<const Place> places) {
  return Candidates(observed, places).all();
}

std::string_view mend_of(Class kind) {
  const auto* const found = std::ranges::find(mends, kind, &Mend::kind);
  return found == mends.end() ? std::string_view() : found->text;
}

}  // namespace bloomlab::audit::detail
