// What the rules of several systems share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>

#include "core/theory/standard.hpp"
#include "core/theory/strides.hpp"
#include "planner/plan.hpp"
#include "planner/systems/system.hpp"
#include "record/input_error.hpp"

namespace bloomlab::planner::detail {

inline constexpr double ln2 = std::numbers::ln2;
inline constexpr std::uint64_t largest_int = 2147483647;  ///< of Java and of C's int

/// A message that says what the system would refuse, or where its rule ends.
[[nodiscard]] inline record::InputError no_answer(const SystemRequest& request,
                                                  const std::string& fault) {
  return record::InputError(std::string(request.system().name) + ": " + fault);
}

/// Bits as a whole number, truncated. Throws record::InputError beyond the largest filter.
[[nodiscard]] inline std::uint64_t whole_bits(const SystemRequest& request, double bits) {
  if (!(bits < static_cast<double>(largest_filter))) {
    throw no_answer(request, "the filter would pass 2^61 bits; give fewer keys");
  }
  return static_cast<std::uint64_t>(bits);
}

/// Probes within what is computed. Throws record::InputError beyond.
[[nodiscard]] inline std::uint64_t whole_probes(const SystemRequest& request, double k) {
  if (k > static_cast<double>(theory::max_exact_probes)) {
    throw no_answer(request, "more than 256 probes; give a higher rate");
  }
  return k < 1.0 ? 1 : static_cast<std::uint64_t>(k);
}

/// -n ln p / ln^2 2, in the order of operations that Java's and Go's libraries have.
[[nodiscard]] inline double real_k_bits(std::uint64_t n, double p) {
  return -static_cast<double>(n) * std::log(p) / (ln2 * ln2);
}

/// Standard error of a rate that is stated.
inline constexpr double fine_error = 0.003;

/// Gives a filter a rate by samples: `rate` is a theory::StridedRate or the like.
template <class Rate>
void take_rate(SystemFilter& filter, const Rate& rate, double error = fine_error) {
  filter.rate = [rate, error] { return rate(error); };
  filter.rate_within = rate;
  filter.rate_above = [rate](double rough, double limit) { return rate.above(rough, limit); };
}

/// Gives a standard filter the rate of its own positions.
inline void take_strides(SystemFilter& filter, const theory::StrideArithmetic& strides,
                         std::uint64_t unrounded, std::uint64_t n) {
  const auto rate_of = [&](std::uint64_t m) {
    return theory::StridedRate(strides, std::max<std::uint64_t>(m, 1), n, filter.k);
  };
  take_rate(filter, rate_of(filter.m));
  filter.rate_unrounded = filter.rate;
  if (unrounded != filter.m) {
    filter.rate_unrounded = [rate = rate_of(unrounded)] { return rate(fine_error); };
  }
  filter.double_hashing = true;
}

/// Round to the nearest, halves up, as Math.round does.
[[nodiscard]] inline double java_round(double value) { return std::floor(value + 0.5); }

/// The nearest number of at most six significant digits that is not below, or not above, a value
/// above 0.
[[nodiscard]] std::string text_from(double value);
[[nodiscard]] std::string text_up_to(double value);

/// A number as a person writes it into a configuration: "0.013", "1e-09".
[[nodiscard]] std::string setting_text(double value);

/// Descending rates of three digits from 16 times the asked one on: closely to a fiftieth of it,
/// then in longer steps.
[[nodiscard]] std::vector<std::string> rates_around(const SystemRequest& request);

/// Further rates below p, in long steps to 10^-18.
[[nodiscard]] std::vector<std::string> rates_below(double p);

}  // namespace bloomlab::planner::detail

namespace bloomlab::planner {

/// Bits per key of a RocksDB policy in thousandths, within what it allows; 0: no filter.
[[nodiscard]] std::uint64_t rocksdb_millibits(const SystemRequest& request);

/// Probes that RocksDB takes for so many thousandths of a bit per key.
[[nodiscard]] std::uint64_t rocksdb_probes(std::uint64_t millibits_per_key);

/// Its own shortcut for the rate of lines of 512 bits: the mean of the rates one standard deviation
/// of the load above and below the mean.
[[nodiscard]] double rocksdb_stated_rate(double bits_per_key, std::uint64_t k);

}  // namespace bloomlab::planner
