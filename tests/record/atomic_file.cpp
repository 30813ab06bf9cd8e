// Files that are there whole or not at all, and what a killed process leaves.
#include "record/atomic_file.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "record/input_error.hpp"
#include "temporary_folder.hpp"

using namespace bloomlab::record;

namespace {

/// The id of a process that has ended.
std::string ended_process() {
  const ::pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  int status = 0;
  ::waitpid(child, &status, 0);
  return std::to_string(child);
}

void put(const std::filesystem::path& path) { std::ofstream(path) << "half"; }

}  // namespace

TEST_CASE("what killed processes left of a file is removed when it is written again",
          "[record][atomic_file]") {
  const TemporaryFolder folder;
  const std::filesystem::path target = folder.path() / "a.json";
  const std::string dead = ended_process();
  const std::string stale = target.string() + "." + dead + "-0.tmp";
  const std::string running = target.string() + "." + std::to_string(::getppid()) + "-0.tmp";
  const std::string others[] = {
      (folder.path() / ("b.json." + dead + "-0.tmp")).string(),  // another file's
      target.string() + ".tmp",
      target.string() + "." + dead + ".tmp",
      target.string() + "." + dead + "-x.tmp",
      target.string() + ".0" + dead + "-0.tmp",
      target.string() + "." + dead + "-0.tmp.bak",
  };
  put(stale);
  put(running);
  for (const std::string& other : others) put(other);

  write_atomically(target, "whole");
  CHECK_FALSE(std::filesystem::exists(stale));
  CHECK(std::filesystem::exists(running));
  for (const std::string& other : others) {
    CAPTURE(other);
    CHECK(std::filesystem::exists(other));
  }
  std::ifstream text(target);
  CHECK(std::string(std::istreambuf_iterator<char>(text), {}) == "whole");
}

TEST_CASE("the target of a link is written, and the link stays", "[record][atomic]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "store");
  std::filesystem::create_symlink("b.json", folder.path() / "store" / "middle.json");
  std::filesystem::create_symlink("store/middle.json", folder.path() / "a.json");
  write_atomically(folder.path() / "a.json", "whole");
  CHECK(std::filesystem::is_symlink(folder.path() / "a.json"));
  CHECK(std::filesystem::is_symlink(folder.path() / "store" / "middle.json"));
  std::ifstream text(folder.path() / "store" / "b.json");
  CHECK(std::string(std::istreambuf_iterator<char>(text), {}) == "whole");
}

TEST_CASE("nothing but a regular file is written over", "[record][atomic]") {
  const TemporaryFolder folder;
  const std::filesystem::path pipe = folder.path() / "a.json";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::filesystem::create_symlink(pipe, folder.path() / "link.json");
  for (const auto& path : {pipe, folder.path() / "link.json"}) {
    CHECK_THROWS_WITH(write_atomically(path, "whole"),
                      path.string() +
                          ": is no regular file; only one is written over; check that "
                          "the folder exists, is yours to write, and has room");
  }
  CHECK(std::filesystem::is_fifo(pipe));
  CHECK_THROWS_AS(write_atomically(folder.path(), "whole"), RunError);
}
