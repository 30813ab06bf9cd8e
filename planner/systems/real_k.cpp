// Systems that take -n ln p / ln^2 2 bits, the size for a real-valued k, and round k afterwards:
// Spark, Guava, Redisson; and Lucene's, whose rounding goes to a power of two.

#include "core/theory/alternating_strides.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/loads.hpp"
#include "planner/systems/common.hpp"

namespace bloomlab::planner {
namespace {

using detail::largest_int;

SystemFilter reduced_filter(const SystemRequest& request, std::uint64_t unrounded, std::uint64_t k,
                            const theory::StrideArithmetic& strides) {
  const std::uint64_t n = request.n();
  const std::uint64_t m = whole_words(unrounded);
  SystemFilter filter{.m = m, .k = k};
  detail::take_strides(filter, strides, unrounded, n);
  filter.stated_rate = request.p();
  if (m / 64 > largest_int) {
    filter.refused = "the array would need more than 2^31 - 1 words of 64 bits";
  }
  return filter;
}

std::uint64_t real_k_size(const SystemRequest& request) {
  const std::uint64_t bits =
      detail::whole_bits(request, detail::real_k_bits(request.n(), request.p()));
  if (bits == 0) {
    throw detail::no_answer(request,
                            "its formula gives 0 bits, which it refuses; give more keys or a lower "
                            "rate");
  }
  return bits;
}

SystemFilter size_spark(const SystemRequest& request, const theory::StrideArithmetic& strides) {
  const std::uint64_t bits = real_k_size(request);
  const double k = detail::java_round(static_cast<double>(bits) / static_cast<double>(request.n()) *
                                      detail::ln2);
  return reduced_filter(request, bits, detail::whole_probes(request, k), strides);
}

}  // namespace

SystemFilter size_spark_v1(const SystemRequest& request) {
  constexpr std::uint64_t reachable = std::uint64_t{1} << 31;
  SystemFilter filter =
      size_spark(request, {.word_bits = 32, .fold = theory::SignFold::complement, .first = 1});
  if (filter.m > reachable) {
    filter.remark =
        "positions are non-negative 32-bit integers: of its bits only 2^31 are ever reached";
  }
  return filter;
}

SystemFilter size_spark_v2(const SystemRequest& request) {
  // A 32-bit stride on a 64-bit word: its sign stays.
  return size_spark(request, {.word_bits = 0, .fold = theory::SignFold::complement, .first = 1});
}

SystemFilter size_guava(const SystemRequest& request) {
  const std::uint64_t bits = real_k_size(request);
  const bool from_p = request.word("k_from") == "p";
  if (!from_p && request.word("k_from") != "m") {
    throw detail::no_answer(request, "k_from: found \"" + request.word("k_from") +
                                         "\"; p (newer releases) or m (older ones) is allowed");
  }
  const std::string strategy = request.word("strategy");
  const bool narrow = strategy == "MURMUR128_MITZ_32";
  if (!narrow && strategy != "MURMUR128_MITZ_64") {
    throw detail::no_answer(request, "strategy: found \"" + strategy +
                                         "\"; MURMUR128_MITZ_64 or MURMUR128_MITZ_32 is allowed");
  }
  // The older strategy adds two 32-bit halves of the hash; the newer clears the sign of 64 bits.
  const theory::StrideArithmetic strides =
      narrow ? theory::StrideArithmetic{.word_bits = 32,
                                        .fold = theory::SignFold::complement,
                                        .first = 1}
             : theory::StrideArithmetic{.word_bits = 63};
  const double k = from_p
                       ? -std::log(request.p()) / detail::ln2
                       : static_cast<double>(bits) / static_cast<double>(request.n()) * detail::ln2;
  SystemFilter filter =
      reduced_filter(request, bits, detail::whole_probes(request, detail::java_round(k)), strides);
  filter.remark = "m is for a real k, which is rounded then: the rate can be above p";
  if (narrow && filter.m > std::uint64_t{1} << 31U) {
    filter.remark = "its positions are 32-bit integers: of its bits only 2^31 are ever reached";
  }
  if (filter.k > 255) filter.refused = "k is one byte";
  return filter;
}

SystemFilter size_redisson(const SystemRequest& request) {
  constexpr double fine = 0.01;
  const std::uint64_t n = request.n();
  const std::uint64_t m = real_k_size(request);
  const std::uint64_t k = detail::whole_probes(
      request, detail::java_round(static_cast<double>(m) / static_cast<double>(n) * detail::ln2));
  SystemFilter filter{.m = m, .k = k};
  detail::take_rate(filter, theory::AlternatingRate(m, n, k), fine);
  filter.rate_unrounded = filter.rate;
  filter.stated_rate = request.p();
  filter.remark =
      "every second position is a multiple of one sum of both hashes: a key with the query's sum "
      "sets most of them, so that the rate stays above p however large the filter is";
  if (m > 2 * largest_int) filter.refused = "more than 2^32 - 2 bits, its most";
  return filter;
}

SystemFilter size_lucene(const SystemRequest& request) {
  constexpr std::uint64_t least = 63;
  constexpr double int_limit = 2147483648.0;
  const std::uint64_t n = request.n();
  const double p = static_cast<double>(static_cast<float>(request.number("targetMaxFpp")));
  if (!(p < 1.0)) throw detail::no_answer(request, "targetMaxFpp is not below 1; give 0.1023");
  // A double above the largest int becomes the largest int; twice that wraps below 0.
  const double wanted =
      std::ceil(static_cast<double>(n) * std::log(p) / std::log(1.0 / std::pow(2.0, detail::ln2)));
  const bool wraps = 2.0 * std::min(wanted, static_cast<double>(largest_int)) >= int_limit;
  std::uint64_t mask = least;
  while (!wraps && static_cast<double>(2 * mask + 1) <= 2.0 * wanted) mask = 2 * mask + 1;
  const std::uint64_t m = mask + 1;
  const double rounded =
      detail::java_round(static_cast<double>(mask) / static_cast<double>(n) * detail::ln2);
  SystemFilter filter{.m = m, .k = static_cast<std::uint64_t>(rounded)};
  if (rounded > static_cast<double>(theory::max_exact_probes)) {
    throw detail::no_answer(request, "more than 256 probes; give more keys");
  }
  filter.stated_rate = p;
  const std::uint64_t k = filter.k;
  if (k == 0) {
    filter.rate = filter.rate_unrounded = [] { return 1.0; };
    filter.remark = "k is 0: every term may be there";
  } else {
    if (m <= 4096 && k <= 12) {
      // The mask keeps sums modulo a power of two: its double hashing is the textbook's.
      filter.rate = [=] { return theory::double_hashing_fpr(m, n, k, theory::Stride::any).rate; };
    } else {
      detail::take_rate(filter, theory::StridedRate({.word_bits = 32}, m, n, k));
    }
    const auto unrounded = static_cast<std::uint64_t>(std::max(2.0 * wanted, 1.0));
    filter.rate_unrounded = [=] { return theory::exact_fpr(unrounded, n, k); };
  }
  if (wraps)
    filter.remark = "twice the wanted size passes int and wraps: the smallest set is taken";
  if (n > largest_int) filter.refused = "maxDoc is an int";
  return filter;
}

}  // namespace bloomlab::planner
