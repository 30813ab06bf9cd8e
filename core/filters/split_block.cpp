#include "core/filters/split_block.hpp"

#include "core/filters/fault.hpp"

namespace bloomlab {
namespace {

LaneBlocks layout(const SplitBlock::Parameters& p) {
  return {.blocks = p.m / LaneBlocks::block_bits};
}

}  // namespace

std::vector<SplitBlock::Parameters> SplitBlock::examples() {
  return {{.m = 256}, {.m = 1024}, {.m = 12800}, {.m = 20480}, {.m = 65536}};
}

std::optional<std::string> SplitBlock::check(const Parameters& p) {
  return detail::whole_blocks_fault(name, p.m, LaneBlocks::block_bits, max_m);
}

int SplitBlock::probes(const Parameters& /*p*/, std::uint64_t /*n*/) noexcept {
  return static_cast<int>(LaneBlocks::lanes);
}

theory::Query SplitBlock::prediction(const Parameters& p, std::uint64_t n) {
  return {"split_block",
          {{"nblocks", p.m / LaneBlocks::block_bits},
           {"lanes", LaneBlocks::lanes},
           {"lane_bits", LaneBlocks::lane_bits},
           {"n", n}}};
}

std::uint64_t SplitBlock::memory_bits(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return BitArray::memory_bits_for(p.m);
}

SplitBlock::SplitBlock(const Parameters& p)
    : parameters_(detail::require(p, check(p))), store_(layout(p), name) {}

}  // namespace bloomlab
