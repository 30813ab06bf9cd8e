// HBase: chunks of equal size, each for the keys of a range, the last one folded in half while it
// is less than half full.

#include "planner/systems/common.hpp"

namespace bloomlab::planner {
namespace {

/// A chunk: bits, and the keys that it takes.
struct Chunk {
  std::uint64_t m;
  std::uint64_t keys;
};

Chunk folded(Chunk chunk, std::uint64_t keys) {
  while (chunk.m / 8 % 2 == 0 && chunk.keys > 2 * keys) {
    chunk.m /= 2;
    chunk.keys /= 2;
  }
  return chunk;
}

}  // namespace

SystemFilter size_hbase(const SystemRequest& request) {
  constexpr std::uint64_t fold = 128;  // the size is made a multiple of 2^7 bytes
  const std::uint64_t n = request.n();
  const double p = request.p();
  const std::uint64_t asked = request.count("block_size");
  if (asked > std::uint64_t{1} << 30U) {
    throw detail::no_answer(request, "block_size is above 2^30 bytes; give 131072");
  }
  const std::uint64_t m = (asked + fold - 1) / fold * fold * 8;
  const double ideal =
      std::floor(static_cast<double>(m) * (detail::ln2 * detail::ln2 / -std::log(p)));
  const double k_real =
      ideal > 0.0
          ? std::ceil(detail::ln2 * std::floor(static_cast<double>(m) / std::max(ideal, 1.0)))
          : 0.0;
  if (k_real < 1.0) {
    throw detail::no_answer(request,
                            "for rates above 0.618 its rule gives 0 probes; give a lower rate");
  }
  const std::uint64_t k = detail::whole_probes(request, k_real);
  const auto probes = static_cast<double>(k);
  const auto most = static_cast<std::uint64_t>(-static_cast<double>(m) / probes *
                                               std::log(1.0 - std::exp(std::log(p) / probes)));
  if (most == 0) throw detail::no_answer(request, "a chunk would take no key; give a higher rate");
  const std::uint64_t full = n / most;
  const std::uint64_t last = n % most;
  const Chunk rest = folded({m, most}, last);
  SystemFilter filter{.m = 0, .k = k, .layout = "chunks"};
  filter.m = detail::whole_bits(request, static_cast<double>(full) * static_cast<double>(m)) +
             (last > 0 ? rest.m : 0);
  // Positions of the whole chunk fold onto the same ones as its own: their signs are folded first.
  constexpr theory::StrideArithmetic strides{.word_bits = 32, .fold = theory::SignFold::absolute};
  const theory::StridedRate of_full(strides, m, most, k);
  const theory::StridedRate of_rest(strides, rest.m, last, k);
  // A lookup goes to the chunk of its range: chunks count by their keys.
  filter.rate_within = [=](double error) {
    const double full_rate = full > 0 ? of_full(error) : 0.0;
    const double rest_rate = last > 0 ? of_rest(error) : 0.0;
    return (static_cast<double>(n - last) * full_rate + static_cast<double>(last) * rest_rate) /
           static_cast<double>(n);
  };
  filter.rate = [within = filter.rate_within] { return within(detail::fine_error); };
  filter.rate_unrounded = [of_full] { return of_full(detail::fine_error); };
  filter.stated_rate = p;
  filter.double_hashing = true;
  filter.remark = std::to_string(most) + " keys per chunk of " + std::to_string(m / 8) + " bytes";
  return filter;
}

}  // namespace bloomlab::planner
