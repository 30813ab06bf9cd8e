// A query for several absent keys that must all be reported, as `bloomlab judge together=` has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "planner/judgement.hpp"

namespace bloomlab::cli {

/// How often such a query is answered wrongly.
struct Conjunction {
  std::uint64_t keys = 1;
  double rate = 1.0;
};

/// Its keys, where they are given; the rate is not known yet. Throws record::InputError.
[[nodiscard]] std::optional<Conjunction> take_conjunction(Assignments& given);

/// Finds the rate. Throws record::InputError where none is known of the filter, or where something
/// was `counted` of it.
void evaluate(Conjunction& conjunction, const planner::Configured& configured, bool counted);

/// A line for people.
[[nodiscard]] std::string conjunction_text(const Conjunction& conjunction);

}  // namespace bloomlab::cli
