// Key source `file`: the distinct lines of a text file, one key a line. A trial draws its members
// and its strangers from all of them, by its seed, without repetition.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/parameters.hpp"

namespace bloomlab::experiments {

struct File {
  static constexpr std::string_view name = "file";
  static constexpr std::string_view summary =
      "texts: a seeded sample, without repetition, of the distinct lines of a file";
  static constexpr int integer_bytes = 0;  ///< width of an integer key [bytes]; 0 for texts

  struct Parameters {
    std::string path;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(TextField{"path", "text file with one key a line; equal lines count once", true}, p.path);
  }

  /// Whether another seed of the trial gives other keys.
  static bool redraws_keys(const Parameters& /*p*/) { return true; }
  /// Distinct keys to be had, members and strangers together; reads the file.
  /// Throws record::InputError with the reason alone where it cannot be read.
  static std::uint64_t supply(const Parameters& p);
  /// Memory that n members and q strangers need at once [bytes]: the whole file is held.
  static std::uint64_t memory_bytes(const Parameters& p, std::uint64_t n, std::uint64_t q);
};

}  // namespace bloomlab::experiments
