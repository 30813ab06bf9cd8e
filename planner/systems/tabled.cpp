// Systems that take whole bits per key and whole probes from the table of Cao's "Bloom Filters -
// the math" as printed there: Cassandra, Scylla, ClickHouse.

#include <array>
#include <cstdio>
#include <cstdlib>

#include "core/theory/loads.hpp"
#include "planner/systems/common.hpp"

namespace bloomlab::planner {
namespace {

constexpr std::uint64_t most_bits_per_key = 20;

/// The best k of each row, as both systems' tables have it.
constexpr std::array<std::uint64_t, most_bits_per_key + 1> best_probes = {
    0, 0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 8, 9, 10, 10, 11, 12, 12, 13, 14};

/// The printed rate of so many bits per key and probes: three digits of (1 - e^(-k/c))^k. One entry
/// is printed otherwise, 5 bits and 3 probes: .092 for .0918.
double printed_rate(std::uint64_t bits_per_key, std::uint64_t k) {
  if (k == 0 || bits_per_key < 2) return 1.0;
  if (bits_per_key == 5 && k == 3) return 0.092;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2e", theory::approx_fpr(bits_per_key, 1, k));
  return std::strtod(text.data(), nullptr);
}

/// Bits per key and probes.
struct Choice {
  std::uint64_t bits_per_key;
  std::uint64_t k;
};

Choice cassandra_choice(const SystemRequest& request) {
  const double p = request.p();
  const std::uint64_t n = request.n();
  // Its rule returns the pair for 2 bits and 1 probe with the two swapped.
  if (p >= printed_rate(2, 1)) return {1, 2};
  const double room = 0x1p63 / static_cast<double>(n);
  const std::uint64_t most = room < 20.0 ? static_cast<std::uint64_t>(room) : most_bits_per_key;
  if (most < 1) throw detail::no_answer(request, "no room for so many keys; give fewer");
  if (most < 2 || p < printed_rate(most, best_probes[most])) {
    throw detail::no_answer(
        request, "p is below " + detail::setting_text(printed_rate(most, best_probes[most])) +
                     ", the lowest rate that its table reaches, which it "
                     "refuses; give a higher rate");
  }
  Choice choice{2, best_probes[2]};
  while (printed_rate(choice.bits_per_key, choice.k) > p) {
    ++choice.bits_per_key;
    choice.k = best_probes[choice.bits_per_key];
  }
  while (printed_rate(choice.bits_per_key, choice.k - 1) <= p) --choice.k;
  return choice;
}

SystemFilter size_tabled(const SystemRequest& request, const Choice& choice, std::uint64_t m) {
  const std::uint64_t n = request.n();
  const std::uint64_t k = choice.k;
  const std::uint64_t unrounded = n * choice.bits_per_key;
  SystemFilter filter{.m = m, .k = k};
  filter.rate_unrounded = [=] { return theory::exact_fpr(unrounded, n, k); };
  filter.rate = [=] { return theory::exact_fpr(m, n, k); };
  filter.stated_rate = printed_rate(choice.bits_per_key, k);
  filter.remark = "whole bits per key: " + std::to_string(choice.bits_per_key);
  return filter;
}

/// Cassandra and Scylla add 20 bits and take whole words.
SystemFilter size_cassandra_like(const SystemRequest& request) {
  constexpr std::uint64_t excess = 20;
  const Choice choice = cassandra_choice(request);
  const double bits = static_cast<double>(request.n()) * static_cast<double>(choice.bits_per_key);
  SystemFilter filter =
      size_tabled(request, choice, whole_words(detail::whole_bits(request, bits) + excess));
  detail::take_strides(filter, {.word_bits = 64, .fold = theory::SignFold::absolute},
                       request.n() * choice.bits_per_key, request.n());
  if (choice.bits_per_key == 1) {
    filter.stated_rate = printed_rate(2, 1);
    filter.remark =
        "from 0.393 on its rule swaps its two results: 1 bit per key and k = 2 for 2 bits and 1";
  }
  return filter;
}

}  // namespace

SystemFilter size_cassandra(const SystemRequest& request) {
  SystemFilter filter = size_cassandra_like(request);
  if (filter.m / 64 > detail::largest_int) {
    filter.refused = "the bit set would pass 16 GiB";
  }
  return filter;
}

SystemFilter size_scylla(const SystemRequest& request) { return size_cassandra_like(request); }

SystemFilter size_clickhouse_bloom(const SystemRequest& request) {
  constexpr double lowest_table = 0.283;
  constexpr std::uint64_t last = 19;
  const double p = request.p();
  Choice choice{last, best_probes[last]};
  if (p >= lowest_table) {
    choice = {2, 2};
  } else {
    for (std::uint64_t bits = 1; bits <= last; ++bits) {
      if (printed_rate(bits, best_probes[bits]) > p) continue;
      std::uint64_t k = best_probes[bits];
      while (k > 0 && printed_rate(bits, k) <= p) --k;
      if (k == 0) continue;
      choice = {bits, k + 1};
      break;
    }
  }
  const double bits = static_cast<double>(request.n()) * static_cast<double>(choice.bits_per_key);
  SystemFilter filter =
      size_tabled(request, choice, (detail::whole_bits(request, bits) + 7) / 8 * 8);
  if (choice.bits_per_key == last && p < printed_rate(last, choice.k)) {
    filter.remark += "; its table ends there: no lower rate is reached";
  } else if (p >= lowest_table) {
    filter.remark += "; every rate from 0.283 on gives the same";
  }
  return filter;
}

}  // namespace bloomlab::planner
