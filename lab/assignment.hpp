// An assignment of the course lab: a folder with a handout, a filter to complete in one of some
// programming languages, and a config that measures it. Its gaps are parts of the student's file
// between marks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::lab {

/// How a filter in that language is built and started. All words of a command are parted by spaces.
struct Language {
  std::string_view name;    ///< as --language says it: "cpp"
  std::string_view title;   ///< for people: "C++"
  std::string_view source;  ///< the student's file, a template of the same name
  std::string_view build;   ///< command that builds it; empty: nothing to build
  std::string_view start;   ///< command that starts it, or the path of a shared library
  bool is_library = false;  ///< `start` is a library with the interface of bloomlab_filter.h
  std::string_view made;    ///< what a build leaves, for .gitignore
  /// Keys of the larger filter whose memory is measured: fewer where a key takes longer.
  std::uint64_t weighed_keys = 0;
  /// What the process may grow by beyond its filter meanwhile [MiB].
  std::uint64_t spare_mib = 0;
};

/// All of them.
[[nodiscard]] std::span<const Language> languages();

/// The language called `name`. Throws record::InputError, naming the nearest known name.
[[nodiscard]] const Language& language(std::string_view name);

/// Number of gaps in every assignment.
inline constexpr int planted_gaps = 2;

/// The numbers of the gaps, from 1, that stand in `text` as they were given in `given`, apart from
/// spaces. A gap whose marks are gone counts as filled.
[[nodiscard]] std::vector<int> unfilled_gaps(std::string_view text, std::string_view given);

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
