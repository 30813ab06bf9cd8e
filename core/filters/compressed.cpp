#include "core/filters/compressed.hpp"

#include <algorithm>
#include <cmath>

#include "core/bits/entropy_coding.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"

namespace bloomlab {
namespace {

/// The fault under this filter's name.
std::optional<std::string> renamed(std::optional<std::string> fault) {
  if (fault) fault->replace(0, Standard::name.size(), Compressed::name);
  return fault;
}

}  // namespace

std::vector<Compressed::Parameters> Compressed::examples() {
  return {{.m = 1, .k = 1},     {.m = 64, .k = 256},  {.m = 100000, .k = 1},
          {.m = 65536, .k = 5}, {.m = 20000, .k = 5}, {.m = 40009, .k = 2}};
}

std::optional<std::string> Compressed::check(const Parameters& p) {
  return renamed(Standard::check(p));
}

std::optional<std::string> Compressed::check(const Parameters& p, const Probe& probe) {
  return renamed(Standard::check(p, probe));
}

Sizing<Compressed::Parameters> Compressed::sizing(const SizingGoal& goal) {
  const detail::StandardSize size = detail::standard_size(goal);
  if (size.m == 0) return detail::no_size<Parameters>(detail::too_many_bits);
  // Half the probes of the standard filter: sparse enough to compress, not four times as large.
  const auto make = [k = std::max<std::uint64_t>(size.k / 2, 1)](std::uint64_t m) {
    return Parameters{.m = m, .k = k};
  };
  return {.shapes = {{1, max_filter_bits, make}},
          .note = "larger in memory, smaller when sent: half the probes of a standard filter"};
}

Compressed::Compressed(const Parameters& p, const Probe& probe)
    : filter_(detail::require(p, check(p, probe)), probe) {}

Compressed Compressed::decode(const Parameters& p, const Probe& probe,
                              std::span<const std::byte> code, std::uint64_t inserted) {
  detail::throw_fault(check(p, probe));
  return Compressed(Standard(p, probe, decode_bits(code, p.m), inserted));
}

FilterState Compressed::state() const {
  FilterState state = filter_.state();
  state.transmitted_bits = 8 * std::uint64_t{encode().size()};
  return state;
}

std::vector<std::byte> Compressed::encode() const { return encode_bits(filter_.bits()); }

double Compressed::entropy_bits() const {
  const auto m = static_cast<double>(parameters().m);
  const double ones = static_cast<double>(filter_.bits().popcount());
  const auto part = [m](double count) { return count == 0.0 ? 0.0 : count * std::log2(m / count); };
  return part(ones) + part(m - ones);
}

}  // namespace bloomlab
