#include "experiments/sources/minstd_rand0.hpp"

#include <random>
#include <unordered_set>

#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

/// The next outputs of the engine, as the lab report gathered and read them.
[[maybe_unused]] std::vector<std::uint64_t> gather(std::minstd_rand0& engine, std::uint64_t count) {
  // No reserve() and no other container: the order of iteration is the point.
  std::unordered_set<int> set;
  while (set.size() < count) set.insert(static_cast<int>(engine()));
  std::vector<std::uint64_t> keys;
  keys.reserve(set.size());
  for (const int key : set) keys.push_back(static_cast<std::uint32_t>(key));
  return keys;
}

}  // namespace

MinstdRand0::Keys::Keys(const Parameters& p, std::uint64_t seed, std::uint64_t n, std::uint64_t q) {
#ifdef __GLIBCXX__
  std::minstd_rand0 engine(static_cast<std::uint32_t>(generator_seed(p, seed)));
  inserted_keys_ = gather(engine, n);
  absent_keys_ = gather(engine, q);
#else
  static_cast<void>(p), static_cast<void>(seed), static_cast<void>(n), static_cast<void>(q);
  throw record::InputError(
      "key source minstd_rand0: its keys come in the order of libstdc++'s std::unordered_set, and "
      "this program was built with another standard library; build with libstdc++, or use uniform");
#endif
}

}  // namespace bloomlab::experiments
