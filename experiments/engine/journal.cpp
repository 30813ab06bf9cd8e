#include "experiments/engine/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>
#include <system_error>

#include "record/input_error.hpp"
#include "record/journal_text.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::experiments {
namespace {

namespace fs = std::filesystem;
using record::Json;

/// Of opening a journal in a folder that other runs remove: each try loses only to such a removal
/// within microseconds.
constexpr int most_tries = 100;

std::string first_line(const Identity& identity, const JournalContents& contents) {
  const Json json = {{"format", record::journal_format},
                     {"config", identity.config},
                     {"build", identity.build},
                     {"machine", identity.machine},
                     {"config_file", contents.config_file},
                     {"trials", contents.trials},
                     {"arguments", contents.arguments}};
  return json.dump() + "\n";
}

bool is_of(const Json& head, const Identity& identity) {
  const auto is = [&head](const char* name, const std::string& text) {
    return head.is_object() && head.value(name, Json()) == text;
  };
  return is("config", identity.config) && is("build", identity.build) &&
         is("machine", identity.machine);
}

}  // namespace

Journal::Journal(const fs::path& path, const Identity& identity, const JournalContents& contents,
                 const UseUnit& recovered)
    : path_(path) {
  try {
    // Who had it locked may have removed it before the lock came here: what was opened is then a
    // file without a name, and the next run would lock another one.
    do {
      reopen();
      require_regular_file();
      lock();
    } while (!is_at_its_path());
    recover(identity, contents, recovered);
  } catch (...) {
    if (file_ >= 0) close(file_);
    throw;
  }
}

Journal::~Journal() { close(file_); }

void Journal::reopen() {
  if (file_ >= 0) close(file_);
  file_ = -1;
  // O_NONBLOCK: a pipe of that name must not keep the run waiting for its other end. O_NOFOLLOW: a
  // link would have its target emptied.
  for (int tries = 0; tries < most_tries; ++tries) {
    constexpr int how = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;
    make_folder();
    const int folder = open_folder();
    file_ = folder < 0 ? -1 : openat(folder, path_.filename().c_str(), how, 0644);
    const int error = errno;
    if (folder >= 0) close(folder);
    errno = error;
    // Where there is none, another run has removed the folder with the last journal in it.
    if (file_ >= 0 || errno != ENOENT) break;
  }
  if (file_ < 0 && errno == ELOOP) refuse();
  if (file_ < 0) fail("cannot be opened");
}

void Journal::make_folder() const {
  const fs::path folder = path_.parent_path();
  std::error_code fault;
  for (int tries = 0; tries < most_tries; ++tries) {
    fs::create_directories(folder, fault);
    std::error_code ignored;
    if (fault && fs::is_symlink(folder, ignored)) refuse_folder();
    // Where it is said to exist, another run had made it, and has removed it since.
    if (fault != std::errc::file_exists) break;
  }
  if (!fault) return;
  errno = fault.value();
  fail("its folder cannot be made");
}

// A link is no folder here: what it points to is somebody's own.
int Journal::open_folder() const {
  const fs::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
  const int opened = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0 && (errno == ENOTDIR || errno == ELOOP)) refuse_folder();
  return opened;
}

bool Journal::is_at_its_path() const {
  struct stat opened {};
  struct stat named {};
  if (fstat(file_, &opened) != 0) fail("cannot be looked at");
  if (stat(path_.c_str(), &named) != 0) return false;
  return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

void Journal::require_regular_file() const {
  struct stat about {};
  if (fstat(file_, &about) == 0 && S_ISREG(about.st_mode)) return;
  refuse();
}

void Journal::refuse() const {
  throw record::RunError(path_.string() +
                         ": is no regular file, as a journal must be; remove it, or use another "
                         "--out");
}

void Journal::refuse_folder() const {
  throw record::RunError(path_.parent_path().string() +
                         ": is no folder, as that of journals must be; remove it, or use another "
                         "--out");
}

void Journal::lock() {
  while (flock(file_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) {
      throw record::RunError(path_.string() +
                             ": another run is writing this result; wait for it, or use another "
                             "--out");
    }
    fail("cannot be locked");
  }
}

void Journal::recover(const Identity& identity, const JournalContents& contents,
                      const UseUnit& use) {
  const std::string text = record::read_text(path_, std::numeric_limits<std::uintmax_t>::max());
  const record::JournalText found = record::read_journal(
      text, path_.string(), [&](const Json& head, std::vector<record::Observation> unit) {
        if (use && is_of(head, identity)) use(std::move(unit));
      });
  std::size_t good = 0;
  if (is_of(found.head, identity)) {
    altered_line_ = found.altered_line;
    lost_lines_ = found.lost_lines;
    good = found.sound_bytes;
  }
  if (ftruncate(file_, static_cast<off_t>(good)) != 0) fail("cannot be cut to its sound part");
  if (good == 0) write(first_line(identity, contents));
}

std::optional<std::string> Journal::notice() const {
  if (altered_line_ == 0) return std::nullopt;
  return path_.string() + ": line " + std::to_string(altered_line_) +
         " is not as it was written: " + std::to_string(lost_lines_) +
         (lost_lines_ == 1 ? " line is" : " lines are") + " measured anew";
}

void Journal::append(const std::vector<record::Observation>& unit) {
  write(record::journal_line(unit));
}

void Journal::write(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written");
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Journal::remove() {
  std::error_code ignored;
  fs::remove(path_, ignored);
  fs::remove(path_.parent_path(), ignored);  // only if it is empty
}

void Journal::fail(const std::string& what) const {
  throw record::RunError(path_.string() + ": " + what + " (" + std::strerror(errno) +
                         "); name a writable folder by --out");
}

}  // namespace bloomlab::experiments
