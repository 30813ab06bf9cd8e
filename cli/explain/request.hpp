// The command line of `bloomlab explain`, and the lesson that it asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/explain/lesson.hpp"
#include "analysis/explain/words.hpp"

namespace bloomlab::cli {

/// What was given; an option that was not is std::nullopt or empty.
struct ExplainOptions {
  std::optional<std::string> m, k, seed, hash, probe, reduction;
  std::vector<std::string> inserted;   ///< keys, several of them separated by commas
  std::vector<std::string> queried;    ///< the same
  std::vector<std::string> positions;  ///< KEY=POSITION,POSITION,...
  std::optional<std::string> example, bottles, poisoned, svg;
  std::string language = "en";
  std::string colour = "auto";
  bool json = false;
};

/// The puzzle of the bottles, in numbers: 1 <= poisoned <= bottles.
struct BottlesRequest {
  std::uint64_t bottles = 1000;
  std::uint64_t poisoned = 1000;
};

/// Whether the puzzle of the bottles is asked for. Throws record::InputError for an unknown example
/// and for options that do not go with it.
[[nodiscard]] bool asks_for_bottles(const ExplainOptions& options);

/// The puzzle; without numbers it is that of the course slides, the last bottle poisoned.
/// Throws record::InputError.
[[nodiscard]] BottlesRequest bottles_of(const ExplainOptions& options);

/// The lesson; what was not given is that of the example, or goes with the probe. Throws
/// record::InputError.
[[nodiscard]] analysis::explain::Lesson lesson_of(const ExplainOptions& options);

/// Whether to colour what goes to the standard output: `auto` does where that is a terminal and the
/// environment holds no NO_COLOR. Throws record::InputError for another word.
[[nodiscard]] analysis::explain::Colours colours_of(const ExplainOptions& options);

}  // namespace bloomlab::cli
