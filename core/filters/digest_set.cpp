#include "core/filters/digest_set.hpp"

#include <limits>

#include "core/filters/detail/sizing_steps.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/sizing.hpp"

namespace bloomlab {

std::vector<DigestSet::Parameters> DigestSet::examples() {
  return {{.capacity = 1500}, {.capacity = 1}, {.capacity = 20000}, {.capacity = 7}};
}

std::optional<std::string> DigestSet::check(const Parameters& p) {
  if (p.capacity >= 1 && p.capacity <= max_capacity) return std::nullopt;
  return detail::out_of_range(name, "capacity", p.capacity, max_capacity);
}

int DigestSet::probes(const Parameters& /*p*/, std::uint64_t /*n*/) noexcept { return 1; }

std::uint64_t DigestSet::memory_bits(const Parameters& p, std::uint64_t n) noexcept {
  if (n > max_filter_bits) return std::numeric_limits<std::uint64_t>::max();
  return Table::bits_of(Table::slots_for(p.capacity, n));
}

theory::Query DigestSet::prediction(const Parameters& /*p*/, std::uint64_t n) {
  // An array so large that its own rate, (256 n / 2^62)^256, is 0 beside that of the digests.
  constexpr std::uint64_t no_array = std::uint64_t{1} << 62;
  return {"hash_width_floor",
          {{"hash_bits", std::uint64_t{128}}, {"n", n}, {"m", no_array}, {"k", max_probes}}};
}

Sizing<DigestSet::Parameters> DigestSet::sizing(const SizingGoal& goal) {
  const Parameters parameters{.capacity = goal.n};
  Sizing<Parameters> sizing{.traits = {.grows = true, .whole_hashes = true},
                            .note = "16 bytes of a hash for each key"};
  if (check(parameters)) {
    sizing.unavailable = "takes fewer keys";
  } else {
    sizing.shapes = {{1, 1, [parameters](std::uint64_t) { return parameters; }}};
  }
  return sizing;
}

LinesRead DigestSet::lines(const Parameters& /*p*/, std::uint64_t /*n*/) {
  return detail::half_full_table;
}

DigestSet::DigestSet(const Parameters& p)
    : parameters_(p), table_(detail::require(p.capacity, check(p))) {}

}  // namespace bloomlab
