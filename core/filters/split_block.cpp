#include "core/filters/split_block.hpp"

#include "core/filters/fault.hpp"

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

LaneBlocks SplitBlockRules::layout(const Parameters& p) noexcept {
  return {.blocks = p.m / LaneBlocks::block_bits};
}

}  // namespace bloomlab
