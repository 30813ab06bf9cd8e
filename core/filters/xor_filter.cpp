#include "core/filters/xor_filter.hpp"

#include <limits>

#include "core/filters/detail/sizing_steps.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/sizing.hpp"

namespace bloomlab {

std::vector<XorFilter::Parameters> XorFilter::examples() {
  return {{.fingerprint_bits = 8},
          {.fingerprint_bits = 16},
          {.fingerprint_bits = 2},
          {.fingerprint_bits = 11},
          {.fingerprint_bits = 32}};
}

std::optional<std::string> XorFilter::check(const Parameters& p) {
  return detail::outside(name, "fingerprint_bits", p.fingerprint_bits, 2, max_fingerprint_bits);
}

int XorFilter::probes(const Parameters& /*p*/, std::uint64_t /*n*/) noexcept {
  return XorLayout::arity;
}

std::uint64_t XorFilter::memory_bits(const Parameters& p, std::uint64_t n) noexcept {
  if (n > detail::max_static_keys) return std::numeric_limits<std::uint64_t>::max();
  return PackedArray::memory_bits_for(XorLayout(n).slots(),
                                      static_cast<unsigned>(p.fingerprint_bits));
}

theory::Query XorFilter::prediction(const Parameters& p, std::uint64_t n) {
  return {"fingerprint", {{"f_bits", p.fingerprint_bits}, {"n", n}}};
}

Sizing<XorFilter::Parameters> XorFilter::sizing(const SizingGoal& /*goal*/) {
  const auto make = [](std::uint64_t width) { return Parameters{.fingerprint_bits = width}; };
  return {.traits = {.takes_keys_later = false},
          .shapes = {{detail::narrowest_fingerprint, max_fingerprint_bits, make}}};
}

LinesRead XorFilter::lines(const Parameters& /*p*/, std::uint64_t /*n*/) { return {3.0, 3.0}; }

std::optional<XorFilter> XorFilter::build(const Parameters& p, const DigestBatch& digests) {
  detail::throw_fault(check(p));
  detail::require_buildable(name, digests.size);
  auto table =
      Table::build(XorLayout(digests.size), static_cast<unsigned>(p.fingerprint_bits), digests);
  if (!table) return std::nullopt;
  return XorFilter(p, *std::move(table));
}

}  // namespace bloomlab
