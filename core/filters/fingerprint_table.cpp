#include "core/filters/fingerprint_table.hpp"

#include <limits>

#include "core/filters/detail/sizing_steps.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/sizing.hpp"

namespace bloomlab {

std::vector<FingerprintTable::Parameters> FingerprintTable::examples() {
  return {{.capacity = 1500}, {.capacity = 1}, {.capacity = 20000}, {.capacity = 7}};
}

std::optional<std::string> FingerprintTable::check(const Parameters& p) {
  if (p.capacity >= 1 && p.capacity <= max_capacity) return std::nullopt;
  return detail::out_of_range(name, "capacity", p.capacity, max_capacity);
}

int FingerprintTable::probes(const Parameters& /*p*/, std::uint64_t /*n*/) noexcept { return 1; }

std::uint64_t FingerprintTable::memory_bits(const Parameters& p, std::uint64_t n) noexcept {
  if (n > max_filter_bits) return std::numeric_limits<std::uint64_t>::max();
  return Table::bits_of(Table::slots_for(p.capacity, n));
}

theory::Query FingerprintTable::prediction(const Parameters& /*p*/, std::uint64_t n) {
  // An array so large that its own rate, (256 n / 2^62)^256, is 0 beside that of the digests.
  constexpr std::uint64_t no_array = std::uint64_t{1} << 62;
  return {"hash_width_floor",
          {{"hash_bits", std::uint64_t{64}}, {"n", n}, {"m", no_array}, {"k", max_probes}}};
}

Sizing<FingerprintTable::Parameters> FingerprintTable::sizing(const SizingGoal& goal) {
  const Parameters parameters{.capacity = goal.n};
  Sizing<Parameters> sizing{.traits = {.grows = true, .whole_hashes = true},
                            .note = "8 bytes of a hash for each key"};
  if (check(parameters)) {
    sizing.unavailable = "takes fewer keys";
  } else {
    sizing.shapes = {{1, 1, [parameters](std::uint64_t) { return parameters; }}};
  }
  return sizing;
}

LinesRead FingerprintTable::lines(const Parameters& /*p*/, std::uint64_t /*n*/) {
  return detail::half_full_table;
}

FingerprintTable::FingerprintTable(const Parameters& p)
    : parameters_(p), table_(detail::require(p.capacity, check(p))) {}

}  // namespace bloomlab
