#include "experiments/journal.hpp"

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
#include "record/strict_json.hpp"

namespace bloomlab::experiments {
namespace {

namespace fs = std::filesystem;
using record::Json;

constexpr std::string_view format_name = "bloomlab-journal-1";

std::string first_line(const Identity& identity) {
  const Json json = {{"format", format_name},
                     {"config", identity.config},
                     {"build", identity.build},
                     {"machine", identity.machine}};
  return json.dump() + "\n";
}

/// The observations of one line; nothing where the line is damaged.
std::vector<record::Observation> observations_in(std::string_view line, const std::string& where) {
  std::vector<record::Observation> observations;
  try {
    for (const Json& json : record::parse_json(line, where)) {
      observations.push_back(record::observation_from_json(json, where));
    }
  } catch (const record::InputError&) {
    observations.clear();
  }
  return observations;
}

}  // namespace

Journal::Journal(const fs::path& path, const Identity& identity) : path_(path) {
  std::error_code fault;
  fs::create_directories(path.parent_path(), fault);
  if (fault) {
    errno = fault.value();
    fail("its folder cannot be made");
  }
  try {
    // Who had it locked may have removed it before the lock came here: what was opened is then a
    // file without a name, and the next run would lock another one.
    do {
      reopen();
      lock();
    } while (!is_at_its_path());
    recover(identity);
  } catch (...) {
    if (file_ >= 0) close(file_);
    throw;
  }
}

Journal::~Journal() { close(file_); }

void Journal::reopen() {
  if (file_ >= 0) close(file_);
  constexpr int most_tries = 100;
  for (int tries = 0; tries < most_tries; ++tries) {
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file_ >= 0 || errno != ENOENT) break;
    // Another run has removed the folder with the last journal in it.
    std::error_code ignored;
    fs::create_directories(path_.parent_path(), ignored);
    errno = ENOENT;
  }
  if (file_ < 0) fail("cannot be opened");
}

bool Journal::is_at_its_path() const {
  struct stat opened {};
  struct stat named {};
  if (fstat(file_, &opened) != 0) fail("cannot be looked at");
  if (stat(path_.c_str(), &named) != 0) return false;
  return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
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

void Journal::recover(const Identity& identity) {
  const std::string text = record::read_text(path_, std::numeric_limits<std::uintmax_t>::max());
  const std::string head = first_line(identity);
  std::size_t good = text.starts_with(head) ? head.size() : 0;
  while (good > 0) {
    const std::size_t end = text.find('\n', good);
    if (end == std::string::npos) break;
    auto unit = observations_in(std::string_view(text).substr(good, end - good), path_.string());
    if (unit.empty()) break;
    std::move(unit.begin(), unit.end(), std::back_inserter(recovered_));
    good = end + 1;
  }
  if (ftruncate(file_, static_cast<off_t>(good)) != 0) fail("cannot be cut to its sound part");
  if (good == 0) write(head);
}

std::vector<record::Observation> Journal::take_recovered() { return std::move(recovered_); }

void Journal::append(const std::vector<record::Observation>& unit) {
  Json line = Json::array();
  for (const record::Observation& observation : unit) line.push_back(to_json(observation));
  write(line.dump() + "\n");
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
