#include "core/filters/register_blocked.hpp"

#include "core/filters/detail/sizing_steps.hpp"
#include "core/filters/fault.hpp"
#include "core/filters/lines_read.hpp"
#include "core/filters/sizing.hpp"

namespace bloomlab {

std::vector<RegisterBlockedRules::Parameters> RegisterBlockedRules::examples() {
  return {{.m = 32, .k = 1, .word_bits = 32},    {.m = 64, .k = 256, .word_bits = 64},
          {.m = 16384, .k = 4, .word_bits = 64}, {.m = 20000, .k = 3, .word_bits = 32},
          {.m = 1056, .k = 5, .word_bits = 32},  {.m = 40000, .k = 8, .word_bits = 64}};
}

std::optional<std::string> RegisterBlockedRules::check(const Parameters& p) {
  if (auto fault = detail::power_of_two_fault(name, "word_bits", p.word_bits, 32, 64)) return fault;
  if (p.k < 1 || p.k > max_probes) return detail::out_of_range(name, "k", p.k, max_probes);
  return detail::whole_blocks_fault(name, p.m, p.word_bits, max_filter_bits);
}

int RegisterBlockedRules::probes(const Parameters& p, std::uint64_t /*n*/) noexcept {
  return static_cast<int>(p.k);
}

theory::Query RegisterBlockedRules::prediction(const Parameters& p, std::uint64_t n) {
  return {"blocked",
          {{"nblocks", p.m / p.word_bits}, {"block_bits", p.word_bits}, {"n", n}, {"k", p.k}}};
}

Sizing<RegisterBlockedRules::Parameters> RegisterBlockedRules::sizing(const SizingGoal& goal) {
  constexpr std::uint64_t word = 64;
  const auto make = [](std::uint64_t k, std::uint64_t blocks) {
    return Parameters{.m = blocks * word, .k = k, .word_bits = word};
  };
  return detail::block_sizing<Parameters>(detail::probe_counts(goal), max_filter_bits / word, make);
}

LinesRead RegisterBlockedRules::lines(const Parameters& p, std::uint64_t /*n*/) {
  return detail::one_run(p.word_bits, p.word_bits);
}

PlainBlocks RegisterBlockedRules::layout(const Parameters& p) noexcept {
  return {.blocks = p.m / p.word_bits, .block_bits = p.word_bits, .k = p.k};
}

}  // namespace bloomlab
