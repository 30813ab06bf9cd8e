// The text of a journal: what an unfinished run has measured so far, unit by unit.
//
// The first line is a JSON object that says what is measured, by which build and machine. Every
// other line holds the observations of one finished unit: 16 hex digits of the SHA-256 of what
// follows, a space, and a JSON array. A line without an end is what a kill left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "record/result_file.hpp"

namespace bloomlab::record {

/// The `format` that the first line names.
inline constexpr std::string_view journal_format = "bloomlab-journal-2";

/// A journal taken apart, up to the first line that is not as it was written.
struct JournalText {
  Json head;                              ///< the first line; null where it is no journal
  std::vector<Observation> observations;  ///< of all sound lines
  std::size_t sound_bytes = 0;            ///< up to the end of the last sound line
  std::size_t altered_line = 0;  ///< number of the first whole line that is not sound, or 0
  std::size_t lost_lines = 0;    ///< that line and the whole ones after it

  /// Distinct trials of cells in `observations`.
  [[nodiscard]] std::uint64_t trials() const;
};

/// Takes a journal apart; `where` names it. Never throws for what stands in it.
[[nodiscard]] JournalText read_journal(std::string_view text, const std::string& where);
/// The same, whose observations `use` is given, those of one unit after the other, with the first
/// line; what is returned has none.
[[nodiscard]] JournalText read_journal(
    std::string_view text, const std::string& where,
    const std::function<void(const Json& head, std::vector<Observation>)>& use);

/// The line of a finished unit, with its line feed.
[[nodiscard]] std::string journal_line(const std::vector<Observation>& unit);

}  // namespace bloomlab::record
