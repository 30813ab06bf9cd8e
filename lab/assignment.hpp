// An assignment of the course lab: a folder with a handout, a filter to complete, and a config that
// measures it.
#pragma once

#include <filesystem>
#include <string>

#include "lab/language.hpp"

namespace bloomlab::lab {

/// Hash functions of the assignment's filter, as in the lab report.
inline constexpr int assigned_probes = 5;

/// A folder that `lab new` made, as its assignment.json says.
struct Assignment {
  std::filesystem::path folder;
  const Language* language = nullptr;
  std::string human;  ///< language of its texts: "en", "zh", "ru"
};

/// Writes a new assignment into a folder that is empty or not there. Throws record::InputError
/// where it is neither, or where there are no texts in the human language.
void write_assignment(const Assignment& assignment);

/// Reads assignment.json of the folder. Throws record::InputError where it is none.
[[nodiscard]] Assignment read_assignment(const std::filesystem::path& folder);

}  // namespace bloomlab::lab
