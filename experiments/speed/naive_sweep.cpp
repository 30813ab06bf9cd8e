#include "experiments/speed/naive_sweep.hpp"

#include <cstddef>

#include "experiments/peers/student_filter.hpp"

namespace bloomlab::experiments {

std::uint64_t naive_false_positives(std::uint64_t m, std::uint64_t k,
                                    std::span<const std::uint64_t> inserted_keys,
                                    std::span<const std::uint64_t> absent_keys) {
  StudentFilter filter(static_cast<std::size_t>(m), static_cast<int>(k));
  for (const std::uint64_t& key : inserted_keys) filter.insert(&key, sizeof key);
  std::uint64_t reported = 0;
  for (const std::uint64_t& key : absent_keys)
    reported += filter.contains(&key, sizeof key) ? 1 : 0;
  return reported;
}

}  // namespace bloomlab::experiments
