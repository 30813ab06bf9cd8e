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
#include "experiments/subject.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// Names: filters in the order of the catalogue, then peers.
[[nodiscard]] std::span<const std::string_view> speed_subject_names();

/// Those of the names that `fits` accepts, quoted and separated by commas, for the texts of faults.
[[nodiscard]] std::string quoted_subjects(bool (*fits)(std::string_view));

/// What is to be made.
struct SpeedSetup {
  std::string_view subject;  ///< of speed_subject_names()
  std::string_view hash;     ///< of the catalogue; subjects with a hash of their own ignore it
  std::uint64_t n = 0;       ///< keys that will be inserted, >= 1
  double bits_per_key = 0;   ///< memory to take, rounded to what the subject can have
  BatchTuning tuning = {};   ///< of those that ask for memory ahead; changes no answer
};

/// A subject, and the law that its rate follows.
struct SpeedSubject {
  std::unique_ptr<Subject> subject;
  record::Json filter;  ///< as the cell of a config has it; null where there is no rate
};

/// Makes it, empty. @param seed of the trial
/// Throws AllocationError, and std::runtime_error where this build lacks a peer or the subject
/// refuses the size.
[[nodiscard]] SpeedSubject make_speed_subject(const SpeedSetup& setup, std::uint64_t seed);

/// How many keys ahead it asks for memory of its size; nothing where it does not ask ahead.
[[nodiscard]] std::optional<std::size_t> lookahead_of(const Subject& subject);

/// Why the subject cannot be made, as a text, or nothing. What only making it would show is left
/// out, and so is a peer that this build lacks.
[[nodiscard]] std::optional<std::string> speed_subject_fault(const SpeedSetup& setup);

/// Whether this build has the subject; peers of other libraries may be missing.
[[nodiscard]] bool speed_subject_is_available(std::string_view subject);

/// Whether several threads can fill it together (Subject::insert_by_threads).
[[nodiscard]] bool speed_subject_takes_threads(std::string_view subject);
/// Filters of one subject that are there at once while so many threads build it: one, or one a
/// thread where they are united.
[[nodiscard]] std::uint64_t speed_subject_copies(std::string_view subject, std::uint64_t threads);

/// Whether it asks for its memory ahead, so that a tuning changes how fast it is.
[[nodiscard]] bool speed_subject_is_tuned(std::string_view subject);

/// Memory that it takes with n keys in it [bytes]; roughly, for peers.
[[nodiscard]] std::uint64_t speed_subject_bytes(const SpeedSetup& setup);

}  // namespace bloomlab::experiments
