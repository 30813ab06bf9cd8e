// How a config of the speed kinds names a filter from outside: one object for a library, one for a
// command, beside the implementation of that name; see docs/foreign_filters.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/parameters.hpp"
#include "foreign/target.hpp"

namespace bloomlab::experiments {

/// What both share: the limits.
struct ForeignLimitFields {
  double seconds = 0.0;
  std::uint64_t memory_mib = 0;
};

template <class Visitor>
void describe_foreign_limits(Visitor& visit, std::string_view of_seconds, double seconds,
                             ForeignLimitFields& p) {
  visit(RealField{.name = "seconds",
                  .unit = "s",
                  .meaning = of_seconds,
                  .max = 86'400.0,
                  .min_excluded = true,
                  .fallback = seconds},
        p.seconds);
  visit(IntegerField{.name = "memory_mib",
                     .unit = "MiB",
                     .meaning = "limit of its memory",
                     .min = 16,
                     .max = std::uint64_t{1} << 30,
                     .fallback = foreign::Limits{}.memory_mib},
        p.memory_mib);
}

/// A shared library, which the process run loads into itself.
struct ForeignLibraryFields {
  static constexpr std::string_view name = "library";
  struct Parameters : ForeignLimitFields {
    std::string path;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(TextField{"path", "shared library, as docs/foreign_filters.md has it", true}, p.path);
    constexpr double of_a_process_run = 600.0;
    describe_foreign_limits(visit, "limit of a process run", of_a_process_run, p);
  }
};

/// A program, which the process run starts beside itself.
struct ForeignCommandFields {
  static constexpr std::string_view name = "command";
  struct Parameters : ForeignLimitFields {
    std::string line;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(TextField{"line", "program and its arguments, separated by spaces"}, p.line);
    describe_foreign_limits(visit, "limit of its start, and of its answer to each call",
                            foreign::Limits{}.seconds, p);
  }
};

/// What is executed. @param folder where relative paths start
[[nodiscard]] foreign::Target target_of(const ForeignLibraryFields::Parameters& p,
                                        const std::filesystem::path& folder);
[[nodiscard]] foreign::Target target_of(const ForeignCommandFields::Parameters& p,
                                        const std::filesystem::path& folder);

}  // namespace bloomlab::experiments
