// Filters with one seeded defect each: what the experiment `mutation_matrix` asks the laboratory to
// catch. Each is a slip that programs really have, put into code that is right without it. They are
// built for this experiment alone; no catalogue of the library lists them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "experiments/cells/implementation.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// The filter that a defect spoils, as it is without the defect.
struct RightFilter {
  /// The mutant without a defect over the same code.
  std::string_view control;
  /// The filter for n keys as a cell has it, {"kind", "m", ...}: its closed form is what a mutant
  /// is judged by.
  record::Json (*filter)(std::uint64_t n);
  /// Its hashing scheme; empty where the filter chooses positions itself.
  std::string_view probe;
  /// Memory of a filter and its keys, roughly [bits per key].
  std::uint64_t bits_per_key;
};

/// A defect, or a control: a mutant without one.
struct Mutant {
  std::string_view name;
  const RightFilter* right;
  /// The filter for n keys. Throws AllocationError.
  std::unique_ptr<Implementation> (*make)(std::uint64_t n, std::uint64_t hash_seed);

  [[nodiscard]] bool is_control() const { return name == right->control; }
};

/// Every mutant, controls first.
[[nodiscard]] std::span<const Mutant> mutants();

/// Their names, in the same order.
[[nodiscard]] std::span<const std::string_view> mutant_names();

/// The mutant called `name`. Throws std::invalid_argument.
[[nodiscard]] const Mutant& mutant(std::string_view name);

}  // namespace bloomlab::experiments
