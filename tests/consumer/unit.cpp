// Compiled twice: as namespace `plain` without flags and as `vectors` for a later processor.
#include "units.hpp"

namespace UNIT {

void insert_lines(Lines& filter, std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t key = first; key < end; ++key) filter.insert(key);
}
std::size_t count_lines(const Lines& filter, std::uint64_t first, std::uint64_t end) {
  std::size_t count = 0;
  for (std::uint64_t key = first; key < end; ++key) count += filter.contains(key) ? 1 : 0;
  return count;
}
void insert_classic(Classic& filter, std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t key = first; key < end; ++key) filter.insert(key);
}
std::size_t count_classic(const Classic& filter, std::uint64_t first, std::uint64_t end) {
  std::size_t count = 0;
  for (std::uint64_t key = first; key < end; ++key) count += filter.contains(key) ? 1 : 0;
  return count;
}
Eight eight_positions(std::uint64_t word, std::size_t first, std::uint64_t m) {
  return bloomlab::simd::ProductsAtOnce(word, bloomlab::Products::powers.data() + first, m)
      .positions;
}

}  // namespace UNIT
