#include "core/filters/blocked.hpp"

#include "core/filters/detail/sizing_steps.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/sizing.hpp"

namespace bloomlab {

std::vector<BlockedRules::Parameters> BlockedRules::examples() {
  return {{.m = 64, .k = 1, .block_bits = 64},      {.m = 512, .k = 256, .block_bits = 512},
          {.m = 19968, .k = 6, .block_bits = 512},  {.m = 16384, .k = 5, .block_bits = 64},
          {.m = 20480, .k = 4, .block_bits = 256},  {.m = 128, .k = 3, .block_bits = 128},
          {.m = 65536, .k = 20, .block_bits = 512}, {.m = 12800, .k = 9, .block_bits = 128}};
}

std::optional<std::string> BlockedRules::check(const Parameters& p) {
  if (auto fault = detail::power_of_two_fault(name, "block_bits", p.block_bits, 64, max_block_bits))
    return fault;
  if (p.k < 1 || p.k > max_probes) return detail::out_of_range(name, "k", p.k, max_probes);
  return detail::whole_blocks_fault(name, p.m, p.block_bits, max_filter_bits);
}

int BlockedRules::probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return static_cast<int>(p.k);
}

theory::Query BlockedRules::prediction(const Parameters& p, std::uint64_t n) {
  return {"blocked",
          {{"nblocks", p.m / p.block_bits}, {"block_bits", p.block_bits}, {"n", n}, {"k", p.k}}};
}

Sizing<BlockedRules::Parameters> BlockedRules::sizing(const SizingGoal& goal) {
  const auto make = [](std::uint64_t k, std::uint64_t blocks) {
    return Parameters{.m = blocks * line_bits, .k = k, .block_bits = line_bits};
  };
  return detail::block_sizing<Parameters>(detail::probe_counts(goal), max_filter_bits / line_bits,
                                          make);
}

LinesRead BlockedRules::lines(const Parameters& p, std::uint64_t /*n*/) {
  return detail::one_run(p.block_bits, p.block_bits);
}

PlainBlocks BlockedRules::layout(const Parameters& p) noexcept {
  return {.blocks = p.m / p.block_bits, .block_bits = p.block_bits, .k = p.k};
}

}  // namespace bloomlab
