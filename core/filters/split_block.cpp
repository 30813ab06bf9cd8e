#include "core/filters/split_block.hpp"

#include "core/filters/detail/sizing_steps.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/sizing.hpp"

namespace bloomlab {

std::vector<SplitBlockRules::Parameters> SplitBlockRules::examples() {
  return {{.m = 256}, {.m = 1024}, {.m = 12800}, {.m = 20480}, {.m = 65536}};
}

std::optional<std::string> SplitBlockRules::check(const Parameters& p) {
  return detail::whole_blocks_fault(name, p.m, LaneBlocks::block_bits, max_m);
}

int SplitBlockRules::probes(const Parameters& /*p*/, std::uint64_t /*n*/) noexcept {
  return static_cast<int>(LaneBlocks::lanes);
}

theory::Query SplitBlockRules::prediction(const Parameters& p, std::uint64_t n) {
  return {"split_block",
          {{"nblocks", p.m / LaneBlocks::block_bits},
           {"lanes", LaneBlocks::lanes},
           {"lane_bits", LaneBlocks::lane_bits},
           {"n", n}}};
}

Sizing<SplitBlockRules::Parameters> SplitBlockRules::sizing(const SizingGoal& /*goal*/) {
  const auto make = [](std::uint64_t blocks) {
    return Parameters{.m = blocks * LaneBlocks::block_bits};
  };
  return {.shapes = {{1, max_m / LaneBlocks::block_bits, make}}};
}

LinesRead SplitBlockRules::lines(const Parameters& /*p*/, std::uint64_t /*n*/) {
  return detail::one_run(LaneBlocks::block_bits, LaneBlocks::block_bits);
}

LaneBlocks SplitBlockRules::layout(const Parameters& p) noexcept {
  return {.blocks = p.m / LaneBlocks::block_bits};
}

}  // namespace bloomlab
