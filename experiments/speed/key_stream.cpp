#include "experiments/speed/key_stream.hpp"

#include <algorithm>
#include <cmath>

namespace bloomlab::experiments {
namespace {

/// What places and repeated keys are drawn by: the image of a number far beyond those of any key.
Draws draws_of(std::uint64_t seed) { return Draws(KeyedPermutation(seed)(std::uint64_t{1} << 61)); }

}  // namespace

std::uint64_t stream_length(std::uint64_t distinct, double repeated) noexcept {
  const double length = std::round(static_cast<double>(distinct) / (1.0 - repeated));
  return std::max(distinct, static_cast<std::uint64_t>(length));
}

KeyStream::KeyStream(const StreamPlan& plan)
    : plan_(plan), permutation_(plan.seed), draws_(draws_of(plan.seed)), keys_(plan.key_length) {}

void KeyStream::restart() noexcept {
  draws_ = draws_of(plan_.seed);
  given_ = 0;
  seen_ = 0;
}

void KeyStream::take(std::size_t count) {
  const std::uint64_t left = plan_.length - given_;
  numbers_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(count, left)));
  is_new_.resize(numbers_.size());
  // Copies, and both draws whether they are needed or not: no branch depends on a draw.
  Draws draws = draws_;
  std::uint64_t seen = seen_;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const bool drawn = draws.below(left - i) < plan_.distinct - seen;
    const std::uint64_t earlier = draws.below(seen);
    const bool fresh = drawn || seen == 0;
    numbers_[i] = fresh ? seen : earlier;
    is_new_[i] = fresh ? 1 : 0;
    seen += fresh ? 1 : 0;
  }
  draws_ = draws;
  seen_ = seen;
  given_ += numbers_.size();
  keys_.take({&permutation_, 1}, numbers_);
}

}  // namespace bloomlab::experiments
