// Key source `file`: the distinct lines of a text file, one key a line. The first n are the
// inserted keys and the next q the absent keys, in every trial; distinct lines keep them apart. A
// second file may give the absent keys instead: its first q lines that are not inserted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/keys/key_batch.hpp"
#include "core/parameters.hpp"
#include "experiments/sources/key_buffer.hpp"
#include "experiments/sources/lines.hpp"

namespace bloomlab::experiments {

struct File {
  static constexpr std::string_view name = "file";
  static constexpr std::string_view summary =
      "texts: the distinct lines of a file; inserted keys are the first n, absent keys the next q, "
      "or the lines of a second file";
  static constexpr int integer_bytes = 0;        ///< width of an integer key [bytes]; 0 for texts
  static constexpr bool made_on_demand = false;  ///< false: all keys of a trial are stored

  struct Parameters {
    std::string path;
    std::optional<std::string> absent_path;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(TextField{"path", "text file with one key a line; equal lines count once", true}, p.path);
    visit(
        TextField{"absent_path",
                  "text file with the absent keys; its lines that are inserted are left out", true},
        p.absent_path);
  }

  /// Whether another seed of the trial gives other keys.
  static bool redraws_keys(const Parameters& /*p*/) { return false; }
  /// Distinct keys to be had from `path`: inserted keys, and the absent keys too where there is no
  /// second file; reads the file. Throws record::InputError with the reason alone where it cannot
  /// be read.
  static std::uint64_t supply(const Parameters& p);

  /// What the second file has where n keys are inserted [keys].
  struct AbsentSupply {
    std::uint64_t usable = 0;    ///< distinct lines that are not inserted
    std::uint64_t left_out = 0;  ///< distinct lines that are
  };
  /// Reads both files. Precondition: absent_path is given. Throws as supply().
  static AbsentSupply absent_supply(const Parameters& p, std::uint64_t n);
  /// Memory that n inserted keys and q absent keys need at once [bytes]: whole files are held.
  static std::uint64_t memory_bytes(const Parameters& p, std::uint64_t n, std::uint64_t q);

  /// The keys of one trial; the file is read once a process. Safe to read from several threads.
  class Keys {
   public:
    /// Throws record::InputError where a file cannot be read or has too few distinct lines: n + q,
    /// or in a second file q that are not inserted.
    Keys(const Parameters& p, std::uint64_t seed, std::uint64_t n, std::uint64_t q);

    /// Inserted keys `first` .. `first + count - 1`.
    [[nodiscard]] KeyBatch inserted_keys(std::uint64_t first, std::size_t count,
                                         KeyBuffer& /*buffer*/) const {
      return KeyBatch::texts(views_).slice(first, count);
    }
    /// Absent keys `first` .. `first + count - 1`.
    [[nodiscard]] KeyBatch absent_keys(std::uint64_t first, std::size_t count,
                                       KeyBuffer& buffer) const {
      return inserted_keys(n_ + first, count, buffer);
    }

   private:
    SharedLines lines_;
    SharedLines absent_lines_;  // of the second file
    std::vector<std::string_view> views_;
    std::uint64_t n_;
  };
};

}  // namespace bloomlab::experiments
