#include "experiments/speed/fleet.hpp"

#include <algorithm>
#include <array>

#include "experiments/speed/pages.hpp"
#include "experiments/speed/timed_loops.hpp"

namespace bloomlab::experiments {
namespace {

/// Keys inserted between two halts of the clock.
constexpr std::uint64_t inserted_keys_at_once = std::uint64_t{1} << 20;

/// Keys that the fills of a process run insert together, where that takes no more fills than these.
constexpr std::uint64_t filled_keys = std::uint64_t{1} << 19;
constexpr std::uint64_t most_fills = 15;

/// The seed of implementation j: that of the trial, then numbers far beyond those of any key.
std::uint64_t fleet_seed(std::uint64_t seed, std::uint64_t j) {
  return j == 0 ? seed : KeyedPermutation(seed)((std::uint64_t{1} << 62) + j);
}

}  // namespace

Fleet::Fleet(const SpeedSetup& setup, std::uint64_t count, std::uint64_t seed)
    : setup_(setup), seed_(seed), n_(setup.n), implementations_(count) {
  for (std::uint64_t j = 0; j < count; ++j) keys_.emplace_back(fleet_seed(seed, j));
  make_implementations();
}

void Fleet::make_implementations() {
  for (std::size_t j = 0; j < size(); ++j) {
    implementations_[j] = make_speed_implementation(setup_, fleet_seed(seed_, j));
  }
}

std::vector<std::unique_ptr<Asker>> Fleet::askers() const {
  std::vector<std::unique_ptr<Asker>> askers;
  for (const SpeedImplementation& made : implementations_)
    askers.push_back(made.implementation->asker());
  return askers;
}

std::vector<std::uint64_t> Fleet::fill(KeyLength length) {
  const std::uint64_t fills = std::clamp<std::uint64_t>(filled_keys / (n_ * size()), 1, most_fills);
  const std::uint64_t passes_each = (n_ + inserted_keys_at_once - 1) / inserted_keys_at_once;
  TimedKeys keys(length);
  const auto take = [&](std::uint64_t pass) {
    const std::uint64_t first = pass % passes_each * inserted_keys_at_once;
    keys.take_range(keys_[pass / passes_each], first,
                    static_cast<std::size_t>(std::min(inserted_keys_at_once, n_ - first)));
  };
  const auto insert = [&](unsigned /*thread*/, std::uint64_t pass) {
    Implementation& filled = implementation(pass / passes_each);
    filled.insert(keys.batch());
    // A static filter is built when it is asked first: that is part of its filling.
    if (pass % passes_each == passes_each - 1) {
      static_cast<void>(filled.count_contained(keys.batch().slice(0, 0)));
    }
  };
  const auto prepare = [this](unsigned /*thread*/, std::uint64_t fill) {
    if (fill == 0) return;
    make_implementations();
    make_memory_present();
  };
  const std::array<TimedLoop, 1> loop = {{{.name = "insert",
                                           .passes = passes_each * size(),
                                           .threads = 1,
                                           .prepare = prepare,
                                           .run = insert,
                                           .between = take}}};
  return run_timed(loop, {.counted = fills, .warm_up = 0}).front();
}

FilterState Fleet::state() const {
  FilterState sum;
  double rates = 0.0;
  for (const SpeedImplementation& made : implementations_) {
    const FilterState state = made.implementation->state();
    sum.bits += state.bits;
    sum.bits_set += state.bits_set;
    sum.memory_bits += state.memory_bits;
    sum.refused += state.refused;
    rates += state.conditional_rate;
  }
  sum.conditional_rate = rates / static_cast<double>(size());
  return sum;
}

}  // namespace bloomlab::experiments
