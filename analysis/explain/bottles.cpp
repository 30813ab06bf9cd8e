#include "analysis/explain/bottles.hpp"

#include <bit>

namespace bloomlab::analysis::explain {

int mice_for(std::uint64_t bottles) { return static_cast<int>(std::bit_width(bottles - 1)); }

bool drinks(int mouse, std::uint64_t bottle) { return ((bottle >> mouse) & 1) != 0; }

std::uint64_t bottles_of(int mouse, std::uint64_t bottles) {
  // Among the numbers from 0 on, digit `mouse` is 2^mouse times 0, then 2^mouse times 1, and so on.
  const std::uint64_t run = std::uint64_t{1} << mouse;
  const std::uint64_t numbers = bottles + 1;
  const std::uint64_t whole = numbers / run / 2 * run;
  const std::uint64_t rest = numbers - 2 * whole;
  return whole + (rest > run ? rest - run : 0);
}

std::vector<int> dead_mice(std::uint64_t bottle, int mice) {
  std::vector<int> dead;
  for (int mouse = mice - 1; mouse >= 0; --mouse) {
    if (drinks(mouse, bottle)) dead.push_back(mouse);
  }
  return dead;
}

std::uint64_t named_bottle(const std::vector<int>& dead, int mice) {
  if (dead.empty()) return std::uint64_t{1} << mice;
  std::uint64_t bottle = 0;
  for (const int mouse : dead) bottle |= std::uint64_t{1} << mouse;
  return bottle;
}

std::uint64_t rightly_named(std::uint64_t bottles) {
  const int mice = mice_for(bottles);
  std::uint64_t right = 0;
  for (std::uint64_t bottle = 1; bottle <= bottles; ++bottle) {
    right += named_bottle(dead_mice(bottle, mice), mice) == bottle ? 1 : 0;
  }
  return right;
}

}  // namespace bloomlab::analysis::explain
