// The programming languages in which an assignment can be done.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

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

}  // namespace bloomlab::lab
