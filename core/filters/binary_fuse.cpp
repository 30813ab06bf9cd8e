#include "core/filters/binary_fuse.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/filters/fault.hpp"
#include "core/filters/portable_math.hpp"
#include "core/filters/sizing.hpp"
#include "core/filters/sizing_steps.hpp"

namespace bloomlab {

FuseSegments FuseSegments::for_keys(std::uint64_t n, std::uint64_t arity) noexcept {
  const double log_n = portable::log(static_cast<double>(std::max<std::uint64_t>(n, 2)));
  const double exponent =
      arity == 3 ? log_n / portable::log(3.33) + 2.25 : log_n / portable::log(2.91) - 0.5;
  const double factor = arity == 3 ? std::max(1.125, 0.875 + 0.25 * portable::log(1e6) / log_n)
                                   : std::max(1.075, 0.77 + 0.305 * portable::log(6e5) / log_n);
  const auto length_log2 = static_cast<std::uint64_t>(
      std::clamp(std::floor(exponent), 0.0, double{FuseLayout<3>::max_length_log2}));
  const auto slots = static_cast<std::uint64_t>(std::round(static_cast<double>(n) * factor));
  const std::uint64_t length = std::uint64_t{1} << length_log2;
  return {.count = std::max(arity, (slots + length - 1) / length), .length_log2 = length_log2};
}

std::vector<BinaryFuse::Parameters> BinaryFuse::examples() {
  return {{.arity = 3, .fingerprint_bits = 8},
          {.arity = 4, .fingerprint_bits = 8},
          {.arity = 3, .fingerprint_bits = 16},
          {.arity = 4, .fingerprint_bits = 2},
          {.arity = 4, .fingerprint_bits = 32}};
}

Sizing<BinaryFuse::Parameters> BinaryFuse::sizing(const SizingGoal& /*goal*/) {
  Sizing<Parameters> sizing{.traits = {.takes_keys_later = false}};
  for (const std::uint64_t arity : {4U, 3U}) {
    sizing.shapes.push_back(
        {detail::narrowest_fingerprint, max_fingerprint_bits, [arity](std::uint64_t width) {
           return Parameters{.arity = arity, .fingerprint_bits = width};
         }});
  }
  return sizing;
}

namespace {

template <std::size_t Arity, class Tables>
std::optional<Tables> built(const BinaryFuse::Parameters& p, const DigestBatch& digests) {
  const FuseLayout<Arity> layout(digests.size);
  auto table = detail::PeeledTable<FuseLayout<Arity>>::build(
      layout, static_cast<unsigned>(p.fingerprint_bits), digests);
  if (!table) return std::nullopt;
  return Tables(*std::move(table));
}

}  // namespace

std::optional<BinaryFuse> BinaryFuse::build(const Parameters& p, const DigestBatch& digests) {
  detail::throw_fault(check(p));
  detail::require_buildable(name, digests.size);
  auto table = p.arity == 3 ? built<3, Tables>(p, digests) : built<4, Tables>(p, digests);
  if (!table) return std::nullopt;
  return BinaryFuse(p, *std::move(table));
}

}  // namespace bloomlab
