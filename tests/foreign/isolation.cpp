// What a filter from outside is kept from, where the system isolates it.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "foreign/child.hpp"
#include "tests/analysis/temporary.hpp"
#include "tests/catch_runner.hpp"
#include "tests/foreign/examples.hpp"

namespace {

namespace fs = std::filesystem;
using bloomlab::foreign::Target;
using namespace bloomlab::tests;

/// A folder outside of the temporary ones, of this process alone: tests run beside each other.
struct OpenFolder {
  fs::path path =
      fs::path(BLOOMLAB_BINARY_DIR) / "tests" / ("isolation-" + std::to_string(::getpid()));

  OpenFolder() { fs::create_directories(path); }
  ~OpenFolder() { fs::remove_all(path); }
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;
};

/// What a shell says that runs as a filter.
std::string said_by(const std::string& script, Target target = {}) {
  target.command = {"sh", "-c", "exec 2>&1; " + script};
  if (target.folder.empty()) target.folder = BLOOMLAB_SOURCE_DIR;
  target.limits.seconds = 20.0;
  return bloomlab::foreign::Child(target).finish(10'000).output;
}

/// How a shell fails that runs as a filter.
std::string failure_of(const std::string& script, Target target) {
  target.command = {"sh", "-c", "exec 2>&1; " + script};
  target.limits.seconds = 20.0;
  try {
    const auto ended = bloomlab::foreign::Child(target).finish(10'000);
    const bool refused = ended.output.find("Resource temporarily unavailable") != std::string::npos;
    return "ended with " + std::to_string(ended.status) +
           (refused ? ": Resource temporarily unavailable" : "");
  } catch (const bloomlab::foreign::Failure& failure) {
    return failure.what();
  }
}

bool isolates() {
  const std::string& why = bloomlab::foreign::why_not_isolated();
  if (!why.empty()) skip("filters are not isolated on this machine: " + why);
  return why.empty();
}

/// How a filter fails that takes 600 MiB by these lines of Python, where it may have 256.
std::string failure_of_taking(const std::string& lines) {
  const std::string script = "import ctypes, os, time\nMiB = 1 << 20\n" + lines + "\ntime.sleep(1)";
  return failure_of("python3 -c '" + script + "'",
                    {.folder = BLOOMLAB_SOURCE_DIR, .limits = {.memory_mib = 256}});
}

void put(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

}  // namespace

TEST_CASE("a filter sees no process but its own, and no network", "[foreign][isolation]") {
  if (!isolates()) return;
  CHECK(said_by("echo $PPID; kill -STOP 1; kill -KILL 1; echo on") == "1\non\n");
  CHECK(said_by("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '") == "lo\n");
}

TEST_CASE("a filter's environment is its own", "[foreign][isolation]") {
  REQUIRE(::setenv("BLOOMLAB_SECRET", "told", 1) == 0);
  CHECK(said_by("env | cut -d= -f1 | grep -v '^_$' | sort | xargs") ==
        "HOME LANG PATH PWD TMPDIR\n");
  CHECK(said_by("test $HOME = $TMPDIR && touch $HOME/x && echo $LANG") == "C.UTF-8\n");
  ::unsetenv("BLOOMLAB_SECRET");
}

TEST_CASE("a filter reads its folder and writes into none, but where it may",
          "[foreign][isolation]") {
  if (!isolates()) return;
  const OpenFolder open;
  const Temporary temporary;
  for (const fs::path& folder : {open.path, temporary.path}) {
    INFO(folder);
    put(folder / "read", "mine\n");
    CHECK_THAT(said_by("cat read; touch made", {.folder = folder}),
               Catch::StartsWith("mine\n") && Catch::Contains("Read-only file system"));
    CHECK(said_by("touch made", {.folder = folder, .isolation = {.writes_folder = true}}).empty());
    CHECK(fs::exists(folder / "made"));
    CHECK_THAT(said_by("touch " + (folder / "other").string()), Catch::Contains("cannot touch"));
  }
}

TEST_CASE("temporary folders are empty for a filter, and nothing in them is left",
          "[foreign][isolation]") {
  if (!isolates()) return;
  const Temporary folder;
  put(folder.path / "secret", "told\n");
  for (const std::string place : {"/tmp", "/var/tmp", "/dev/shm"}) {
    INFO(place);
    const std::string file = place + "/" + folder.path.filename().string() + ".left";
    CHECK(said_by("echo here > " + file + "; cat " + file) == "here\n");
    CHECK_FALSE(fs::exists(file));
  }
  CHECK_THAT(said_by("cat " + (folder.path / "secret").string()), !Catch::Contains("told"));
  // What the filter names itself is there.
  const std::string named = (folder.path / "secret").string();
  CHECK(said_by("cat " + named, {.files = {named}}) == "told\n");
}

TEST_CASE("what is hidden is empty for a filter", "[foreign][isolation]") {
  if (!isolates()) return;
  const OpenFolder open;
  fs::create_directory(open.path / "folder");
  put(open.path / "folder" / "secret", "told\n");
  put(open.path / "file", "told\n");
  const std::string script = "cd " + open.path.string() + "; cat file folder/secret; ls folder";
  CHECK(said_by(script) == "told\ntold\nsecret\n");
  CHECK_THAT(said_by(script, {.isolation = {.hidden = {open.path / "folder", open.path / "file"}}}),
             !Catch::Contains("told") && !Catch::Contains("secret\n"));
  CHECK_THAT(said_by("ls -A " + bloomlab::foreign::home_folder().string(),
                     {.isolation = {.hides_home = true}}),
             Catch::Equals(""));
}

TEST_CASE("as root a filter of others runs by a user of its own", "[foreign][isolation]") {
  if (!isolates()) return;
  if (::getuid() != 0) return skip("these tests are not run by root");
  const Temporary folder;
  const Target target = {.folder = folder.path,
                         .isolation = {.writes_folder = true, .own_user = true}};
  CHECK_THAT(said_by("id -u; touch made && grep CapEff /proc/self/status", target),
             Catch::StartsWith("1000") && Catch::Contains("0000000000000000"));
  CHECK(fs::exists(folder.path / "made"));
}

TEST_CASE("a filter has so many processes and no more", "[foreign][isolation]") {
  if (!isolates()) return;
  const std::string many =
      "python3 -c 'import os, time\nfor _ in range(400):\n  if not os.fork(): "
      "break\ntime.sleep(20)'";  // longer than a slow machine takes to start them
  // Root is bound by the guard alone, which looks now and then.
  for (const bool own_user : {false, true}) {
    const Temporary folder;
    const Target target = {.folder = folder.path, .isolation = {.own_user = own_user}};
    CHECK_THAT(failure_of(many, target),
               Catch::Contains("had more than 256 processes and threads") ||
                   Catch::Equals("ended with 1: Resource temporarily unavailable"));
  }
  CHECK(said_by("for i in $(seq 200); do sleep 0.3 & done; wait; echo all") == "all\n");
}

TEST_CASE("memory that no process has mapped is refused to a filter", "[foreign][isolation]") {
  const auto ended = Catch::Equals("ended with 1");
  CHECK_THAT(failure_of_taking("file = os.memfd_create(\"x\")\n"
                               "for _ in range(600): os.write(file, bytes(MiB))"),
             ended);
  // Segments of System V: made, filled and let go of one after the other.
  CHECK_THAT(failure_of_taking("c = ctypes.CDLL(None)\n"
                               "c.shmat.restype = ctypes.c_void_p\n"
                               "for _ in range(600):\n"
                               "  made = c.shmget(0, MiB, 0o1600)\n"
                               "  if made < 0: raise SystemExit(1)\n"
                               "  at = ctypes.c_void_p(c.shmat(made, None, 0))\n"
                               "  ctypes.memset(at, 1, MiB)\n"
                               "  c.shmdt(at)"),
             ended);
  // A namespace of users of its own would have it mount what it likes.
  CHECK(said_by("unshare -r true || echo refused") ==
        "unshare: unshare failed: Operation not permitted\nrefused\n");
}

TEST_CASE("memory that processes share counts whole, also where none of them has it mapped in",
          "[foreign][isolation]") {
  const auto touched = [](int parts) {
    return failure_of_taking(
        "import mmap\n"
        "shared = mmap.mmap(-1, " +
        std::to_string(parts) +
        " * 100 * MiB)\n"
        "for part in range(" +
        std::to_string(parts) +
        "):\n"
        "  if os.fork() == 0:\n"
        "    for i in range(100 * MiB * part, 100 * MiB * (part + 1), 4096):"
        " shared[i] = 1\n"
        "    os._exit(0)\n"
        "  os.wait()\n"
        "for i in range(0, 100 * MiB, 4096): shared[i] = 1");
  };
  CHECK_THAT(touched(6), Catch::Contains("took more memory than its limit of 256 MiB"));
  CHECK(touched(2) == "ended with 0");
}

#if defined(__x86_64__)
/// How getpid of i386 ends a process that may call it: not at all, where the kernel has such calls.
int fault_of_i386_calls() {
  const ::pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGSEGV, SIG_DFL);  // Catch would report it
    long number = 20;
    asm volatile("int $0x80" : "+a"(number) : : "memory");  // NOLINT: the call itself is tried
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST_CASE("a filter has no system calls of another architecture", "[foreign][isolation]") {
  const int fault = fault_of_i386_calls();
  // getpid of i386: mov $20, %eax; int $0x80; ret
  CHECK_THAT(failure_of_taking("import mmap\n"
                               "code = mmap.mmap(-1, 4096, prot=7)\n"
                               "code.write(bytes.fromhex(\"b814000000cd80c3\"))\n"
                               "at = ctypes.addressof(ctypes.c_char.from_buffer(code))\n"
                               "ctypes.CFUNCTYPE(ctypes.c_int)(at)()"),
             Catch::Equals("ended with " + std::to_string(128 + (fault == 0 ? SIGSYS : fault))));
}
#endif

TEST_CASE("a filter has its three descriptors and no other of ours", "[foreign][isolation]") {
  const int open_here = ::open("/dev/null", O_RDONLY);  // NOLINT: that exec would not close
  REQUIRE(open_here > 2);
  CHECK(said_by("ls /proc/self/fd | xargs") == "0 1 2 3\n");  // ls has the folder open
  ::close(open_here);
}

TEST_CASE("a filter has so many descriptors, so much of a stack and of locked memory",
          "[foreign][isolation]") {
  CHECK(said_by("python3 -c '"
                "import resource as r\n"
                "for kind, most in ((r.RLIMIT_NOFILE, 1024), (r.RLIMIT_STACK, 64 << 20),"
                " (r.RLIMIT_MEMLOCK, 8 << 20)):\n"
                "  now, highest = r.getrlimit(kind)\n"
                "  print(0 <= now <= highest <= most)'") == "True\nTrue\nTrue\n");
  CHECK_THAT(failure_of_taking("for _ in range(1100): os.dup(0)"), Catch::Equals("ended with 1"));
}

TEST_CASE("what a filter keeps in its temporary folders is bounded by its memory",
          "[foreign][isolation]") {
  if (!isolates()) return;
  // Together: each takes a part of what a filter may have.
  CHECK_THAT(
      failure_of_taking("import resource\n"
                        "places = [\"/dev/shm\", \"/tmp\", \"/var/tmp\", os.environ[\"HOME\"],"
                        " \"/run\"]\n"
                        "taken = 0\n"
                        "for place in places:\n"
                        "  try:\n"
                        "    with open(place + \"/x\", \"wb\", 0) as file:\n"
                        "      for _ in range(120): taken += file.write(bytes(MiB))\n"
                        "  except OSError: pass\n"
                        "raise SystemExit(1 if taken <= 256 * MiB else 0)"),
      Catch::Equals("ended with 1"));
}
