// What the speed kinds time: the filters of the catalogue, all sized by bits per key, and the
// peers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/simd/batch_tuning.hpp"
#include "experiments/cells/implementation.hpp"
#include "foreign/target.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// Names: filters in the order of the catalogue, then peers, then the program's own filters.
[[nodiscard]] std::span<const std::string_view> speed_implementation_names();

/// Those of the names that `fits` accepts, quoted and separated by commas, for the texts of faults.
[[nodiscard]] std::string quoted_implementations(bool (*fits)(std::string_view));

/// What is to be made.
struct SpeedSetup {
  std::string_view implementation;  ///< of speed_implementation_names()
  std::string_view hash;  ///< of the catalogue; implementations with a hash of their own ignore it
  std::uint64_t n = 0;    ///< keys that will be inserted, >= 1
  double bits_per_key = 0;  ///< memory to take, rounded to what the implementation can have
  BatchTuning tuning = {};  ///< of those that ask for memory ahead; changes no answer
  /// Keys of one call of KeyedFilter (experiments/speed/called_filters.hpp), or of a peer that
  /// takes several; none: batches.
  std::optional<std::uint64_t> keys_per_call = {};
  foreign::Target target = {};  ///< of the implementations "library" and "command"
  bool texts = false;           ///< keys are texts, for peers whose type says it
};

/// An implementation, and the law that its rate follows.
struct SpeedImplementation {
  std::unique_ptr<Implementation> implementation;
  record::Json filter;  ///< as the cell of a config has it; null where there is no rate
};

/// Makes it, empty. @param seed of the trial
/// Throws AllocationError, and std::runtime_error where this build lacks a peer or the
/// implementation refuses the size.
[[nodiscard]] SpeedImplementation make_speed_implementation(const SpeedSetup& setup,
                                                            std::uint64_t seed);

/// How many keys ahead it asks for memory of its size; nothing where it does not ask ahead.
[[nodiscard]] std::optional<std::size_t> lookahead_of(const Implementation& implementation);

/// Why the implementation cannot be made, as a text, or nothing. What only making it would show is
/// left out, and so is a peer that this build lacks.
[[nodiscard]] std::optional<std::string> speed_implementation_fault(const SpeedSetup& setup);

/// Whether this build has the implementation; peers of other libraries may be missing.
[[nodiscard]] bool speed_implementation_is_available(std::string_view implementation);

/// Whether it is a filter from outside, which the setup's target names.
[[nodiscard]] bool speed_implementation_is_foreign(std::string_view implementation);

/// Whether nobody sees how many of its bits are set: a filter from outside, or the program's own.
[[nodiscard]] bool speed_implementation_hides_its_bits(std::string_view implementation);

/// Whether several threads can fill it together (Implementation::insert_by_threads).
[[nodiscard]] bool speed_implementation_takes_threads(std::string_view implementation);
/// Filters of one implementation that are there at once while so many threads build it: one, or one
/// a thread where they are merged.
[[nodiscard]] std::uint64_t speed_implementation_copies(std::string_view implementation,
                                                        std::uint64_t threads);

/// Whether it takes one key after the other, however many it is given, or as many as a call has:
/// structures that keep keys, and most peers.
[[nodiscard]] bool speed_implementation_is_key_by_key(std::string_view implementation);

/// Whether it asks for its memory ahead, so that a tuning changes how fast it is.
[[nodiscard]] bool speed_implementation_is_tuned(std::string_view implementation);

/// Memory that it takes with n keys in it [bytes]; roughly, for peers.
[[nodiscard]] std::uint64_t speed_implementation_bytes(const SpeedSetup& setup);

}  // namespace bloomlab::experiments
