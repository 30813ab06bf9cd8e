// Bits that no key reaches, where a filter saves its bits as they are: a filter is filled until
// every bit that a key can set is set, and what its saved bytes have gained is counted.

#include <bit>
#include <cmath>
#include <string>

#include "audit/batches.hpp"
#include "audit/measure.hpp"

namespace bloomlab::audit::detail {
namespace {

/// Larger filters take too many keys to fill.
constexpr std::uint64_t most_size = 30'000;
/// What a saved filter may hold beside its bits [bytes].
constexpr std::size_t most_header = 256;

std::uint64_t gained(std::string_view before, std::string_view after) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto was = static_cast<unsigned char>(before[i]);
    const auto is = static_cast<unsigned char>(after[i]);
    count += static_cast<std::uint64_t>(std::popcount(static_cast<unsigned>(is & ~was)));
  }
  return count;
}

/// So many keys that of m bits, each reached by k positions a key, fewer than one in a thousand
/// filters has one that is clear: m (1 - 1/m)^(kn) < 10^-3.
std::uint64_t filling_keys(const Layout& layout) {
  const double positions = layout.bits * std::log(1000.0 * layout.bits);
  return static_cast<std::uint64_t>(std::ceil(positions / layout.k));
}

}  // namespace

void measure_bits(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
                  Evidence& evidence) {
  if (!filter.description().saves) return;
  for (const PlanSize& size : plan.sizes) {
    if (size.size > most_size) continue;
    filter.create(examined.request(size.size, plan.seed + 7));
    const std::uint64_t memory_bits = filter.memory_bits();
    const std::string before = filter.save();
    // Bits in another form cannot be counted: packed, as text, or as a byte each.
    const std::size_t bytes = static_cast<std::size_t>((memory_bits + 7) / 8);
    if (memory_bits == 0 || before.size() < bytes || before.size() > bytes + most_header) return;
    const std::uint64_t keys = filling_keys(examined.layout(size.size, memory_bits));
    const bool fits = RandomKeys(plan.seed + 7).insert(filter, 0, keys);
    const std::string after = filter.save();
    if (!fits || after.size() != before.size() || filter.memory_bits() != memory_bits) return;
    evidence.bits.push_back({size.size, memory_bits, keys, gained(before, after)});
  }
}

}  // namespace bloomlab::audit::detail
