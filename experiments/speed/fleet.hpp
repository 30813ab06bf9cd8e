// The filters of one process run: one, or many in rotation, each with keys of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/keys/keyed_permutation.hpp"
#include "experiments/speed/speed_implementation.hpp"
#include "experiments/speed/timed_keys.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// Implementations with their keys. Key number i of implementation j is the image of i under
/// keys()[j]; inserted keys are 0 .. n-1.
class Fleet {
 public:
  /// `count` implementations, empty. Throws as make_speed_implementation().
  Fleet(const SpeedSetup& setup, std::uint64_t count, std::uint64_t seed);

  [[nodiscard]] std::uint64_t members_each() const noexcept { return n_; }
  [[nodiscard]] std::size_t size() const noexcept { return implementations_.size(); }
  [[nodiscard]] std::span<const KeyedPermutation> keys() const& noexcept { return keys_; }
  void keys() const&& = delete;
  [[nodiscard]] Implementation& implementation(std::size_t j) const noexcept {
    return *implementations_[j].implementation;
  }
  /// The law of their rate; null where there is none.
  [[nodiscard]] const record::Json& law() const noexcept { return implementations_.front().filter; }
  /// An asker for every implementation, for one thread.
  [[nodiscard]] std::vector<std::unique_ptr<Asker>> askers() const;

  /// Inserts all keys of all implementations; of few keys again and again, each time into
  /// implementations made anew, as the first fill of a process is that of cold code and tells of
  /// nothing else. @return the durations of the fills [ns], making the keys left out
  [[nodiscard]] std::vector<std::uint64_t> fill(KeyLength length);

  /// The states together: sizes added, the rate a mean.
  [[nodiscard]] FilterState state() const;

 private:
  void make_implementations();

  SpeedSetup setup_;
  std::uint64_t seed_;
  std::uint64_t n_;
  std::vector<SpeedImplementation> implementations_;
  std::vector<KeyedPermutation> keys_;
};

}  // namespace bloomlab::experiments
