#include "core/filters/capacity.hpp"

#include "core/theory/domain_error.hpp"

namespace bloomlab::detail {

std::uint64_t most_keys_within(double p, std::uint64_t most,
                               const std::function<double(std::uint64_t)>& rate) {
  if (most < 1 || !(rate(1) <= p)) return 0;
  const auto fits = [&](std::uint64_t n) {
    try {
      return n <= most && rate(n) <= p;
    } catch (const theory::DomainError&) {
      return false;
    }
  };
  std::uint64_t few = 1;
  while (few < most && fits(2 * few)) few *= 2;
  if (few >= most) return most;
  std::uint64_t many = 2 * few;
  while (many - few > 1) {
    const std::uint64_t middle = few + (many - few) / 2;
    (fits(middle) ? few : many) = middle;
  }
  return few;
}

}  // namespace bloomlab::detail
