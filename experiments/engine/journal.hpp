// The journal of an unfinished run: what is measured is kept, unit by unit, so that a run that was
// ended in any way, even by `kill -9`, continues where it was.
//
// Its text is that of record/journal_text.hpp; every line is written by one call. A line without an
// end is what a kill left, and is cut off; so is a line that was altered, with all after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "experiments/engine/provenance.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// What the first line says for people who find the journal: bloomlab report names it.
struct JournalContents {
  std::string config_file = {};  ///< the config's path as it was given
  std::uint64_t trials = 0;      ///< of all cells of the result file, together
  std::string arguments = {};    ///< further arguments of the command, such as "--shard 1/2"
};

/// One open journal; no two runs have the same one open at once.
class Journal {
 public:
  /// What is done with the observations of a unit.
  using UseUnit = std::function<void(std::vector<record::Observation>)>;

  /// Opens the journal at `path`, with its folder; one of another identity is emptied first. What
  /// is in it `recovered` is given.
  /// Throws record::RunError where it cannot be written, is no regular file or its folder none (a
  /// link is neither), or another run has it open.
  Journal(const std::filesystem::path& path, const Identity& identity,
          const JournalContents& contents = {}, const UseUnit& recovered = {});
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  /// One line for the user where a line had been altered when it was opened.
  [[nodiscard]] std::optional<std::string> notice() const;

  /// Adds a finished unit; it is with the operating system when this returns. Safe to call from
  /// several threads. Throws record::RunError where it cannot be written.
  void append(const std::vector<record::Observation>& unit);

  /// Deletes the file, and its folder if that is then empty. Nothing may be appended afterwards.
  void remove();

 private:
  void reopen();
  void make_folder() const;
  [[nodiscard]] int open_folder() const;
  void require_regular_file() const;
  void lock();
  [[nodiscard]] bool is_at_its_path() const;
  void recover(const Identity& identity, const JournalContents& contents, const UseUnit& use);
  void write(const std::string& text);
  [[noreturn]] void refuse() const;
  [[noreturn]] void refuse_folder() const;
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path path_;
  int file_ = -1;
  std::mutex mutex_;
  std::size_t altered_line_ = 0;
  std::size_t lost_lines_ = 0;
};

}  // namespace bloomlab::experiments
