// Filters from outside that do wrong: every way is named, and nothing of them is left.
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "tests/analysis/temporary.hpp"
#include "tests/foreign/examples.hpp"

namespace {

namespace fs = std::filesystem;
using bloomlab::KeyBatch;
using bloomlab::foreign::Failure;
using bloomlab::foreign::FailureKind;
using bloomlab::foreign::ForeignFilter;
using bloomlab::foreign::Target;
using namespace bloomlab::tests;

struct Outcome {
  FailureKind kind;
  std::string text;
};

void create_and_fill(ForeignFilter& filter) {
  const auto keys = numbers(0, 100);
  filter.create({.n = 100, .bits_per_key = 10.0});
  filter.insert(KeyBatch::integers(keys, 8));
  static_cast<void>(filter.count_contained(KeyBatch::integers(keys, 8)));
  static_cast<void>(filter.memory_bits());
}

/// How a filter fails with which that is done.
template <class Use>
Outcome outcome_of(const Target& target, Use use) {
  try {
    use(*bloomlab::foreign::start(target));
  } catch (const Failure& failure) {
    return {failure.kind(), failure.what()};
  }
  FAIL("nothing failed");
  return {};
}

template <class Use = void (&)(ForeignFilter&)>
void check(const Target& target, FailureKind kind, const std::string& text,
           Use use = create_and_fill) {
  const Outcome outcome = outcome_of(target, use);
  INFO(outcome.text);
  CHECK(word_of(outcome.kind) == word_of(kind));
  CHECK_THAT(outcome.text, Catch::Contains(text));
  CHECK(outcome.text.find_first_of("\n\r\t") == std::string::npos);
}

void hash(ForeignFilter& filter) {
  const auto keys = numbers(0, 100);
  std::vector<std::uint64_t> digests(keys.size());
  filter.hash(KeyBatch::integers(keys, 8), 1, digests);
}

void save(ForeignFilter& filter) { static_cast<void>(filter.save()); }

/// A filter that does the wrong thing with that many bytes, and has that limit of memory.
Target faulty_by(const std::string& fault, const std::string& at_call, std::uint64_t bytes,
                 std::uint64_t memory_mib) {
  Target target = faulty(fault, at_call);
  target.command.push_back(std::to_string(bytes));
  target.limits.memory_mib = memory_mib;
  return target;
}

/// The most memory that this process has taken [MiB].
long peak_mib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss >> 10;
}

/// Whether a process has that word on its command line.
bool is_running(const std::string& word) {
  std::error_code gone;
  for (fs::directory_iterator process("/proc", gone), end; process != end;
       process.increment(gone)) {
    std::ifstream file(process->path() / "cmdline");
    std::ostringstream line;
    line << file.rdbuf();  // unlike its iterators, throws nothing where the process has ended since
    if (line.str().find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a filter that crashes, ends, or closes its output is named so", "[foreign]") {
  check(faulty("crash"), FailureKind::crashed,
        "python3 faulty.py crash query: crashed by signal 6");
  check(faulty("raise"), FailureKind::ended,
        "ended with exit status 1; it said last: ValueError: a fault of its own");
  check(faulty("exit", "insert"), FailureKind::ended, "ended with exit status 3");
  check(faulty("close"), FailureKind::ended, "closed its standard output");
}

TEST_CASE("a filter that gives no answer is ended at its limit of time", "[foreign]") {
  check(faulty("hang", "query", 0.5), FailureKind::timeout, "gave no answer within 0.5 s");
  check(faulty("hang", "greeting", 0.5), FailureKind::timeout, "gave no answer within 0.5 s");
}

TEST_CASE("a filter that stops its guard does not stop us", "[foreign]") {
  const auto start = std::chrono::steady_clock::now();
  check(faulty("stop", "query", 0.5), FailureKind::timeout, "gave no answer within 0.5 s");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
}

TEST_CASE("what is no answer is shown, and nothing that a terminal would obey", "[foreign]") {
  check(faulty("garbage"), FailureKind::garbage,
        "answered \"maybe\" to query; expected 100 digits 0 or 1, one for each key");
  check(faulty("short"), FailureKind::garbage, "answered \"1\" to query");
  check(faulty("garbage", "insert"), FailureKind::garbage,
        "answered \"maybe\" to insert; expected ok");
  check(faulty("garbage", "memory"), FailureKind::garbage,
        "answered \"maybe\" to memory; expected a whole number of bits");
  check(faulty("garbage", "greeting"), FailureKind::garbage, "expected a greeting such as");
  check(faulty("bytes"), FailureKind::garbage, "\\xFF");
  check(faulty("endless"), FailureKind::garbage, "a line of at most 4096 bytes");
}

TEST_CASE("a hash that does wrong is named as a filter is", "[foreign]") {
  const std::string expected = " to hash; expected 100 times 16 hex digits, the digest of each key";
  check(faulty("crash", "hash"), FailureKind::crashed, "crashed by signal 6", hash);
  check(faulty("exit", "hash"), FailureKind::ended, "ended with exit status 3", hash);
  check(faulty("close", "hash"), FailureKind::ended, "closed its standard output", hash);
  check(faulty("hang", "hash", 0.5), FailureKind::timeout, "gave no answer within 0.5 s", hash);
  check(faulty("garbage", "hash"), FailureKind::garbage, "answered \"maybe\"" + expected, hash);
  check(faulty("short", "hash"), FailureKind::garbage, "answered \"1\"" + expected, hash);
  check(faulty("long", "hash"), FailureKind::garbage, expected, hash);
  check(faulty("letters", "hash"), FailureKind::garbage, expected, hash);
  check(faulty("bytes", "hash"), FailureKind::garbage, "\\xFF", hash);
  check(faulty("endless", "hash"), FailureKind::garbage, "a line of at most 4096 bytes", hash);
  check(faulty("chatter", "hash", 5.0), FailureKind::crashed, "it said last: chatter", hash);
  check(faulty("refuse", "hash"), FailureKind::refused, "error this size cannot be had", hash);
  check(faulty("unsupported", "hash"), FailureKind::unsupported, "hash is not supported", hash);
  Target target = faulty("memory", "hash");
  target.limits.memory_mib = 200;
  check(target, FailureKind::memory, "took more memory than its limit of 200 MiB", hash);
  target = {.command = {"python3", "hash_frames.py", "8"}, .folder = target.folder};
  check(target, FailureKind::garbage, "answered \"808 bytes\" to hash; expected 800", hash);
  target.command.back() = "-8";
  check(target, FailureKind::garbage, "answered \"792 bytes\" to hash; expected 800", hash);
}

TEST_CASE("a filter that refuses says why", "[foreign]") {
  check(faulty("refuse", "create"), FailureKind::refused, "error this size cannot be had");
  check(faulty("unsupported", "create"), FailureKind::unsupported, "create is not supported");
}

TEST_CASE("a filter that eats memory is ended at its limit", "[foreign]") {
  Target target = faulty("memory");
  target.limits.memory_mib = 200;
  check(target, FailureKind::memory, "took more memory than its limit of 200 MiB");
}

TEST_CASE("what a filter says that it saves takes no memory of ours before it comes", "[foreign]") {
  constexpr std::uint64_t claimed = std::uint64_t{3} << 30;
  const long before = peak_mib();
  check(faulty_by("claim", "greeting", claimed, 4096), FailureKind::ended,
        "ended with exit status 0", save);
  check(faulty_by("claim", "greeting", claimed, 200), FailureKind::garbage,
        "answered \"3221225472 bytes\" to save; expected at most 209715200 bytes, its limit of "
        "memory",
        save);
  CHECK(peak_mib() - before < 256);
}

TEST_CASE("a filter that saves without end, or floods us, is stopped by its limit of memory",
          "[foreign]") {
  check(faulty_by("endless", "save", 0, 32), FailureKind::garbage,
        "expected a line of at most 67108864 bytes, two for each of its limit of memory", save);
  check(faulty_by("flood", "greeting", 0, 32), FailureKind::garbage,
        "wrote more than 64 MiB that no call asked for",
        [](ForeignFilter& filter) { filter.load(std::string(1 << 25, 'x')); });
}

TEST_CASE("what a filter says of itself is one visible line of two hundred bytes", "[foreign]") {
  const auto text_of = [](const Target& target) { return outcome_of(target, save).text; };
  const std::string answered = text_of(faulty_by("error", "save", 5000, 4096));
  CHECK(answered.size() < 240);
  CHECK(answered.substr(0, 57) == R"(python3 faulty.py error save 5000: error \u{0001}\u{0001})");
  const std::string ended = text_of(faulty_by("words", "save", 1000, 4096));
  const std::string start =
      R"(python3 faulty.py words save 1000: ended with exit status 1; it said last: )";
  CHECK(ended.substr(0, start.size()) == start);
  const std::string words = ended.substr(start.size());
  CHECK(words.size() > 195);
  CHECK(words.size() <= 200);
  CHECK(words.substr(0, 22) == R"(\u{001B}[2J=cmd ééé)");
  CHECK(words.substr(words.size() - 5) == "é...");
}

TEST_CASE("what cannot be started is one line", "[foreign]") {
  check({.command = {"no-such-program-here"}}, FailureKind::not_started,
        "no-such-program-here: there is no such program in PATH");
  check({.command = {"./none.py"}, .folder = "/tmp"}, FailureKind::not_started,
        "./none.py: there is no such program; a relative path starts from /tmp");
  check({.library = "./none.so", .folder = "/tmp"}, FailureKind::not_started,
        "./none.so: there is no such library; a relative path starts from /tmp");
  check({.library = "libm.so.6", .folder = "/lib/x86_64-linux-gnu"}, FailureKind::not_started,
        "exports no function bloomlab_filter");
  check({.library = "faulty.py", .folder = BLOOMLAB_SOURCE_DIR "/tests/foreign/filters"},
        FailureKind::not_started, "cannot be loaded");
}

TEST_CASE("nothing is left of a filter: no process, no folder", "[foreign]") {
  const Temporary folder;
  const std::string told = (folder.path / "told").string();
  Target target = faulty("stubborn", "query", 2.0);
  fs::copy(target.folder / "faulty.py", folder.path);
  target.folder = folder.path;
  target.isolation.writes_folder = true;
  target.command.push_back(told);
  check(target, FailureKind::timeout, "gave no answer");
  std::string temporary;
  std::ifstream(told) >> temporary;
  CHECK_THAT(temporary, Catch::Contains("bloomlab-foreign-"));
  CHECK_FALSE(fs::exists(temporary));
  CHECK_FALSE(is_running(told));
}
