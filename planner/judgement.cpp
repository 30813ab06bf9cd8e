#include "planner/judgement.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/catalogue.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/hash_width.hpp"
#include "core/theory/sizing.hpp"
#include "core/theory/standard.hpp"
#include "core/theory/strides.hpp"
#include "planner/plan.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/suggest.hpp"

namespace bloomlab::planner {
namespace {

struct KnownHash {
  std::string_view name;
  std::uint64_t bits;
};

/// Hashes whose usual names do not end in their width.
constexpr std::array known_hashes = {
    KnownHash{"aphash", 32},        KnownHash{"bernstein", 32},   KnownHash{"bkdr", 32},
    KnownHash{"blake2b", 512},      KnownHash{"blake2s", 256},    KnownHash{"blake3", 256},
    KnownHash{"dek", 32},           KnownHash{"djb2", 32},        KnownHash{"djb2a", 32},
    KnownHash{"elf", 32},           KnownHash{"hashcode", 32},    KnownHash{"highwayhash", 64},
    KnownHash{"java_hashcode", 32}, KnownHash{"java_string", 32}, KnownHash{"java_string_hash", 32},
    KnownHash{"jenkins_oaat", 32},  KnownHash{"jshash", 32},      KnownHash{"lookup3", 32},
    KnownHash{"lose_lose", 32},     KnownHash{"murmur2a", 32},    KnownHash{"oaat", 32},
    KnownHash{"murmur64a", 64},     KnownHash{"pearson", 8},      KnownHash{"one_at_a_time", 32},
    KnownHash{"pjw", 32},           KnownHash{"rapidhash", 64},   KnownHash{"rshash", 32},
    KnownHash{"sdbm", 32},          KnownHash{"siphash", 64},     KnownHash{"string_hashcode", 32},
    KnownHash{"superfasthash", 32}, KnownHash{"wyhash", 64},      KnownHash{"xor8", 8}};

constexpr std::array<std::uint64_t, 14> widths = {8,  16,  24,  32,  48,  53,  56,
                                                  64, 128, 160, 224, 256, 384, 512};

std::string plain(std::string_view name) {
  std::string text(name);
  for (char& letter : text) {
    if (letter == '-') letter = '_';
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

/// The usual width that a name ends in, behind a letter or "_".
std::optional<std::uint64_t> width_suffix(std::string_view name) {
  const std::size_t letters = name.find_last_not_of("0123456789");
  if (letters == std::string_view::npos || letters + 1 == name.size()) return std::nullopt;
  std::uint64_t width = 0;
  const auto read = std::from_chars(name.data() + letters + 1, name.data() + name.size(), width);
  const bool usual = read.ec == std::errc{} && std::ranges::find(widths, width) != widths.end();
  return usual ? std::optional(width) : std::nullopt;
}

/// Loss against the best k that is worth a word.
constexpr double notable_loss = 1.05;

/// Share of the rate that equal hashes may make up.
constexpr double notable_floor = 0.01;

void warn_of_probes(const Configured& configured, Judgement& result) {
  if (configured.layered_bits == 0 && result.standard_rate > notable_loss * result.best_rate) {
    result.warnings.push_back("k = " + std::to_string(configured.k) + " has " +
                              significant(result.standard_rate / result.best_rate, 3) +
                              " times the rate of k = " + std::to_string(result.best_k) +
                              ", the best for this m and n");
  }
  if (result.fill > 0.9) {
    result.warnings.push_back(
        percent(result.fill, 2) +
        " of the bits are set: the filter holds more keys than it can distinguish");
  }
}

void warn_of_layout(const Configured& configured, Judgement& result) {
  if (configured.layered_bits > 0) return;  // k is of one layer
  if (configured.rate <= notable_loss * result.standard_rate) return;
  const std::string times = significant(configured.rate / result.standard_rate, 3);
  result.warnings.push_back(configured.scheme.empty()
                                ? "the layout " + configured.filter + " has " + times +
                                      " times the rate of a standard filter of this m and k"
                                : "the scheme " + configured.scheme + " has " + times +
                                      " times the rate of independent positions");
}

/// Double hashing in small filters: nearly all of a query's positions may be one key's.
void warn_of_strides(const Configured& configured, Judgement& result) {
  constexpr double notable_share = 1.1;
  // Beyond, k^2 / m and what else double hashing adds is less than that.
  constexpr std::uint64_t most_bits = std::uint64_t{1} << 26;
  if (!configured.scheme.empty() || configured.filter != "standard" || configured.k < 2 ||
      configured.m > most_bits || configured.n == 0 || configured.rate <= 0.0) {
    return;
  }
  const bool exact = configured.m <= theory::most_double_hashing_bits &&
                     configured.k <= theory::most_double_hashing_probes;
  const double rate =
      exact ? theory::double_hashing_fpr(configured.m, configured.n, configured.k,
                                         theory::Stride::any)
                  .rate
            : theory::strided_fpr({.word_bits = 0}, configured.m, configured.n, configured.k, 0.01);
  if (rate < notable_share * configured.rate) return;
  result.strided_rate = rate;
  result.warnings.push_back("double hashing has a rate of " + significant(rate, 3) + " here, " +
                            significant(rate / configured.rate, 3) +
                            " times that of independent positions");
}

void add_hash(const Configured& configured, Judgement& result) {
  if (!configured.hash_bits) {
    if (!configured.scheme.empty()) return;  // it may take more than one hash of a key
    if (auto warning =
            short_hash_warning(configured.n, configured.m, configured.k, configured.rate)) {
      result.warnings.push_back(std::move(*warning));
    }
    return;
  }
  const auto floor =
      theory::hash_width_rate(*configured.hash_bits, configured.n, configured.m, configured.k);
  result.hash_floor = floor.collision;
  result.rate = floor.collision +
                (1.0 - floor.collision) * configured.rate_of_different.value_or(configured.rate);
  if (floor.collision > notable_floor * configured.rate) {
    result.warnings.push_back("a hash of " + std::to_string(*configured.hash_bits) +
                              " bits is too short for so many keys: equal hashes alone give a "
                              "rate of " +
                              significant(floor.collision, 3));
  }
}

void add_verdict(const Configured& configured, Judgement& result) {
  if (!configured.requested_rate) return;
  result.keeps = result.rate <= *configured.requested_rate;
  if (!*result.keeps) {
    result.warnings.push_back("misses the requested rate " + rate_text(*configured.requested_rate) +
                              " by " +
                              signed_percent(result.rate / *configured.requested_rate - 1.0, 2));
  }
}

}  // namespace

std::uint64_t hash_bits_of(std::string_view place, std::string_view name) {
  const std::string asked = plain(name);
  std::vector<std::string_view> known;
  std::optional<std::uint64_t> bits;
  for_each_type<Hashes>([&]<class Hash>(std::type_identity<Hash>) {
    known.push_back(Hash::name);
    if (Hash::name == asked) bits = static_cast<std::uint64_t>(Hash::digest_bits);
  });
  for (const KnownHash& hash : known_hashes) {
    known.push_back(hash.name);
    if (!bits && hash.name == asked) bits = hash.bits;
  }
  if (!bits) bits = width_suffix(asked);
  if (bits) return std::min(*bits, widest_hash);
  const auto near = record::nearest(asked, known);
  throw record::InputError(
      std::string(place) + ": unknown hash \"" + std::string(name) + "\"; " +
      (near ? "did you mean \"" + std::string(*near) + "\"? Else give" : std::string("give")) +
      " its width by hash_bits, such as hash_bits=32");
}

Judgement judge(const Configured& configured) {
  Judgement result;
  result.rate = configured.rate;
  const std::uint64_t bits = configured.layered_bits > 0 ? configured.layered_bits : configured.m;
  result.standard_rate = theory::exact_fpr(bits, configured.n, configured.k);
  const auto best = theory::optimal_k(bits, configured.n);
  result.best_k = best.k;
  result.best_rate = best.rate;
  result.fill = theory::mean_set_bits(bits, configured.n, configured.k) / static_cast<double>(bits);
  warn_of_probes(configured, result);
  warn_of_layout(configured, result);
  warn_of_strides(configured, result);
  add_hash(configured, result);
  add_verdict(configured, result);
  result.loss = best.rate > 0.0 ? result.rate / best.rate : 1.0;
  constexpr double rounding = 1e-12;
  if (result.rate > 0.0 && result.rate < 1.0 - rounding) {
    result.smallest_m = theory::smallest_filter_exact(configured.n, result.rate).m;
  }
  return result;
}

}  // namespace bloomlab::planner
