// The journal of an unfinished run: what is measured is kept, unit by unit, so that a run that was
// ended in any way, even by `kill -9`, continues where it was.
//
// A text file: the first line says what is measured, by which build and machine; every other line
// holds the observations of one finished unit and is written by one call. A line without an end is
// what a kill left, and is cut off.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "experiments/provenance.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// One open journal; no two runs have the same one open at once.
class Journal {
 public:
  /// Opens the journal at `path`, with its folder; one of another identity is emptied first.
  /// Throws record::RunError where it cannot be written or another run has it open.
  Journal(const std::filesystem::path& path, const Identity& identity);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  /// What was in it when it was opened.
  [[nodiscard]] std::vector<record::Observation> take_recovered();

  /// Adds a finished unit; it is with the operating system when this returns. Safe to call from
  /// several threads. Throws record::RunError where it cannot be written.
  void append(const std::vector<record::Observation>& unit);

  /// Deletes the file, and its folder if that is then empty. Nothing may be appended afterwards.
  void remove();

 private:
  void reopen();
  void lock();
  [[nodiscard]] bool is_at_its_path() const;
  void recover(const Identity& identity);
  void write(const std::string& text);
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path path_;
  int file_ = -1;
  std::mutex mutex_;
  std::vector<record::Observation> recovered_;
};

}  // namespace bloomlab::experiments
