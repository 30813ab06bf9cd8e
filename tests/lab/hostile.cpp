// Submissions that attack the grader: each is a row of its own, within a bound of time.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/catch_runner.hpp"
#include "tests/lab/assignments.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bloomlab::tests;
using Catch::Contains;

using Further = std::function<void(const std::string& folder)>;

/// A filled filter with a text in front of its source, and what else is done with its folder.
struct Attack {
  std::string name;
  std::string language;
  std::string text;
  std::string row;  ///< what its row holds, behind its language where it begins with a comma
  Further further = {};
};

/// What the texts in Python use.
const std::string modules =
    "import atexit, ctypes, os, signal, site, socket, subprocess, sys, threading, time\n";

const std::string fork_bomb = "while True:\n  try: os.fork()\n  except OSError: pass";

/// A filter that prints that, in Python with the call, its number of keys n and the right answer.
std::string answering(const std::string& answer) {
  return "print('bloomlab-filter 1 text name=my_filter', flush=True)\n"
         "for line in sys.stdin:\n  call, *values = line.split()\n  n = 0\n"
         "  if call in ('insert', 'query'):\n    n = int(values[0])\n"
         "    for _ in range(n): sys.stdin.readline()\n"
         "  right = {'create': 'ok', 'insert': 'ok', 'query': '1' * n, 'memory': '100000'}[call]\n"
         "  print(" +
         answer + ", flush=True)";
}
/// The same where only that call is answered so.
std::string answering(const std::string& call, const std::string& answer) {
  return answering("right if call != '" + call + "' else " + answer);
}

Further replacing(const std::string& what, const std::string& by) {
  return [=](const std::string& folder) { replace_in(folder + "/my_filter.cpp", what, by); };
}

/// Lookups in C++ that do that.
Further looking_up(const std::string& statement) {
  const std::string head =
      "int contains(const void* filter, const std::uint8_t* key, std::size_t length) {\n";
  return replacing(head, "#include <csetjmp>\n#include <csignal>\n#include <cstdlib>\n" + head +
                             "  " + statement + "\n");
}

void link_to(const fs::path& moved, const fs::path& path) { fs::create_symlink(moved, path); }
void pipe_at(const fs::path& /*moved*/, const fs::path& path) {
  if (::mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("no pipe");
}
void folder_at(const fs::path& /*moved*/, const fs::path& path) { fs::create_directory(path); }

/// Moves a file away, and makes something else in its place.
Further in_place_of(const std::string& name, void (*make)(const fs::path&, const fs::path&)) {
  return [=](const std::string& folder) {
    fs::rename(folder + "/" + name, folder + ".moved");
    make(folder + ".moved", folder + "/" + name);
  };
}

/// Of a process that reads what it may not; a sanitizer catches that signal and ends it itself.
const std::string segmentation_fault = is_sanitized ? ",ended," : ",crashed,";

const std::vector<Attack> attacks = {
    // Compilers.
    {"line_of_the_grader", "cpp",
     "#line 1 \"x\\nbloomlab-built 0\\ny\"\n#error no filter\n#line 1 \"my_filter.cpp\"",
     ",not_built,0,1,"},
    {"includes_a_file", "cpp", "#include \"/etc/passwd\"",
     "my_filter.cpp cannot be built: my_filter.cpp:"},
    {"ends_with_a_file", "cpp", "",
     "my_filter.cpp cannot be built: the compiler names no error in a file of the folder\"",
     replacing("  return &functions;\n}\n", "  return &functions;\n}\n#include \"/etc/passwd\"\n")},
    {"includes_itself", "cpp", "#include \"my_filter.cpp\"", ",not_built,0,1,"},
    {"includes_zeros", "cpp", "#include \"/dev/zero\"", ",not_built,0,1,"},
    {"includes_input", "cpp", "#include \"/dev/stdin\"\n#error read",
     "my_filter.cpp:2:2: error: #error read"},
    {"endless_template", "cpp",
     "template <int n> struct A { static constexpr int v = A<n + 1>::v; };\nint x = A<0>::v;",
     ",not_built,0,1,"},
    {"many_errors", "cpp",
     "#define A(x) x; x; x; x; x; x; x; x; x; x;\n#define B(x) A(A(x))\nB(B(int 1))",
     ",not_built,0,1,"},
    {"long_error", "cpp", "int x = " + std::string(100'000, 'y') + ";", "...\""},
    {"java_error", "java", "class \u001b[2J {}", "MyFilter.java:1: error: "},
    // The process of a library.
    {"exits_when_loaded", "cpp",
     "#include <unistd.h>\n__attribute__((constructor)) static void go() { _exit(0); }",
     ",ended,1,6,"},
    {"aborts", "cpp", "", ",crashed,", looking_up("__builtin_trap();")},
    {"ends", "cpp", "", ",ended,1,6,", looking_up("std::exit(0);")},
    {"raises", "cpp", "", ",timeout,1,2,", looking_up("raise(SIGSTOP);")},
    {"jumps", "cpp", "", segmentation_fault,
     looking_up("static jmp_buf place; longjmp(place, 1);")},
    {"throws", "cpp", "", ",crashed,", looking_up("throw 1;")},
    {"recurses", "cpp", "", segmentation_fault,
     looking_up("return contains(filter, key, length) + (key[0] == 1);")},
    // Memory, processes and signals.
    {"fork_bomb", "python", fork_bomb, ",memory,"},
    {"memory_file", "python",
     "f = os.memfd_create('a')\nfor _ in range(600): os.write(f, bytes(1 << 20))",
     "it said last: PermissionError: [Errno 1] Operation not permitted"},
    {"shared_memory", "python",
     "f = open('/dev/shm/a', 'wb')\nfor _ in range(600): f.write(bytes(1 << 20))",
     "it said last: OSError: [Errno 28] No space left on device"},
    {"takes_memory", "python", "kept = [bytearray(1 << 20) for _ in range(600)]", ",memory,"},
    {"takes_memory_of_a_child", "python",
     "subprocess.run([sys.executable, '-c', 'import time; a = bytearray(300 << 20); "
     "time.sleep(9)'])",
     ",memory,"},
    {"huge_stack", "python",
     "threading.stack_size(2 << 30)\nthreading.Thread(target=print).start()", ",ended,"},
    // By its version Python crashes, or takes memory until its end.
    {"endless_recursion", "python", "sys.setrecursionlimit(1 << 30)\nf = lambda: f()\nf()", ","},
    {"many_threads", "python",
     "for _ in range(400): threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
     "it said last: RuntimeError: can't start new thread"},
    {"ignores_signals", "python",
     "for s in set(signal.Signals) - {9, 19}: signal.signal(s, signal.SIG_IGN)\nwhile True: pass",
     ",timeout,"},
    {"stops_itself", "python", "os.kill(os.getpid(), signal.SIGSTOP)", ",timeout,"},
    {"kills_its_parent", "python", "os.kill(os.getppid(), signal.SIGKILL)", ",passed,10,10,"},
    {"kills_all", "python", "os.kill(-1, signal.SIGKILL)", ",ended,"},
    {"becomes_a_daemon", "python", "if os.fork(): os._exit(0)\nos.setsid()", ",ended,"},
    {"speaks_twice", "python", "os.fork()", ",garbage,"},
    {"crashes", "python", "os.abort()", ",crashed,"},
    // What these reach is their own: they do no harm, and are filters as others are.
    {"stops_its_parent", "python", "os.kill(os.getppid(), signal.SIGSTOP)", ",passed,10,10,"},
    {"leaves_code", "python",
     "place = site.getusersitepackages()\nos.makedirs(place)\n"
     "open(place + '/usercustomize.py', 'w').write('raise SystemExit(9)')",
     ",passed,10,10,"},
    {"leaves_a_process", "python", "subprocess.Popen(['sleep', '1234567'], start_new_session=True)",
     ",passed,10,10,"},
    {"traces_its_parent", "python",
     "if ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) == 0: raise SystemExit('traced')",
     ",passed,10,10,"},
    {"leaves_files", "python",
     "for place in ('.', '..', '/', '/tmp', '/var/tmp', os.path.expanduser('~')):\n"
     "  try: open(place + '/bloomlab-left', 'w').write('left')\n  except OSError: pass",
     ",passed,10,10,"},
    {"alters_itself", "python", "open(__file__, 'w').write('raise SystemExit(7)')", ",ended,"},
    // The network and descriptors.
    {"connects", "python",
     "try: socket.create_connection(('1.1.1.1', 53), 1)\n"
     "except OSError: raise SystemExit('no network')",
     "it said last: no network"},
    {"speaks_long", "python", "raise SystemExit('=cmd,\"\\x1b[2J\\t\\u202e' + 'x' * 2000)",
     "it said last: =cmd,\"\"\\u{001B}[2J \\u{202E}x"},
    {"closes_its_input", "python", "os.close(0)", ",ended,"},
    {"closes_its_output", "python", "os.close(1)", ",ended,"},
    {"closes_everything", "python", "os.closerange(0, 999)", ",ended,"},
    // A filter as others are, where the machine has time enough.
    {"floods_errors", "python", "for _ in range(10000): os.write(2, b'\\x1b[2J=cmd\\0' * 8000)",
     ","},
    // Answers.
    {"no_greeting", "python", "time.sleep(99)", ",timeout,1,2,"},
    {"other_greeting", "python", "print('\\x1b[2J\\0hello', flush=True)",
     "answered \"\"\\u{001B}[2J\\u{0000}hello\"\" to its start"},
    {"bytes_as_greeting", "python", "os.write(1, bytes(range(256)) * 9 + b'\\n')", ",garbage,"},
    {"endless_line", "python", "while True: os.write(1, b'a' * 65536)", ",garbage,"},
    {"endless_lines", "python", "while True: os.write(1, b'a\\n' * 32768)", ",garbage,"},
    {"too_long", "python", answering("query", "'1' * (n + 1)"), ",garbage,"},
    {"too_short", "python", answering("query", "'1' * (n - 1)"), ",garbage,"},
    {"other_digits", "python", answering("query", "'2' * n"), ",garbage,"},
    {"late", "python", answering("query", "time.sleep(5) or right"), ",timeout,1,2,"},
    {"no_answer", "python", answering("right if call == 'create' else '', end=''"),
     ",timeout,1,2,"},
    {"two_answers", "python", answering("right + '\\n' + right"), ",garbage,"},
    {"negative_memory", "python", answering("memory", "-1"),
     "answered \"\"-1\"\" to memory; expected a whole number of bits"},
    {"no_number", "python", answering("memory", "'NaN'"), "answered \"\"NaN\"\" to memory"},
    {"beyond_numbers", "python", answering("memory", "10**30"), ",garbage,"},
    {"largest_memory", "python", answering("memory", "2**64 - 1"), ",failed,"},
    {"an_error", "python", answering("'error =cmd|\\x1b\\u202e'"), "error =cmd|\\u{001B}\\u{202E}"},
    {"unsupported", "python", answering("'unsupported'"), ",unsupported,"},
    {"ends_by_itself", "python", answering("memory", "sys.exit(0)"), ",ended,"},
    {"speaks_after_its_end", "python", "atexit.register(lambda: print('1' * 9999))",
     ",passed,10,10,"},
    // What is handed in.
    {"bytes_in_the_source", "python", "# \xff\xfe", ",ended,"},
    // A filter as others are, or, from Python 3.12 on, no program.
    {"zeros_in_the_source", "python", std::string("# \0", 3), ","},
    {"linked_assignment", "python", "", "unreadable,0,1,", in_place_of("assignment.json", link_to)},
    {"pipe_as_assignment", "python", "", "is a link or no regular file",
     in_place_of("assignment.json", pipe_at)},
    {"linked_source", "python", "", "my_filter.py: is not there",
     in_place_of("my_filter.py", link_to)},
    {"pipe_as_source", "python", "", "my_filter.py: is not there",
     in_place_of("my_filter.py", pipe_at)},
    {"folder_as_source", "python", "", "my_filter.py: is not there",
     in_place_of("my_filter.py", folder_at)},
    {"many_files", "python", "", "many_files: holds 10009 files; a submission has at most 64\"",
     [](const std::string& folder) {
       for (int i = 0; i < 10'000; ++i) write(folder + "/" + std::to_string(i), "");
     }},
    {"large_file", "python", "", "bytes together; a submission has at most 8388608\"",
     [](const std::string& folder) { write(folder + "/large", std::string(10 << 20, 'x')); }},
    {"links_out", "python", "raise SystemExit(str(os.path.lexists('out')))", "it said last: False",
     [](const std::string& folder) { fs::create_symlink("/etc", folder + "/out"); }},
    {"odd_names", "python", "", ",passed,10,10,",
     [](const std::string& folder) {
       for (const char* const name : {"-rf", "=cmd", "a\nb", "\x1b[2J", "\xff", "json.py\\"}) {
         write(folder + "/" + name, "");
       }
     }},
};

std::string attacking(const TemporaryFolder& folder, const Attack& attack) {
  const std::string path = right_one(folder / attack.name, attack.language);
  const std::string file = source_of(path, attack.language);
  const std::string before = attack.language == "python" ? modules : "";
  if (!attack.text.empty()) write(file, before + attack.text + "\n" + read(file));
  if (attack.further) attack.further(path);
  return path;
}

std::string expected_row(const Attack& attack) {
  return (attack.row.starts_with(',') ? "," + attack.language : "") + attack.row;
}

}  // namespace

TEST_CASE("a hostile submission is a row that says what it did, within a bound of time",
          "[lab][hostile]") {
  const TemporaryFolder folder;
  std::string submissions;
  std::vector<const Attack*> tried;
  for (const Attack& attack : attacks) {
    if (!has_tools(attack.language) || (attack.language == "python" && !isolates())) continue;
    submissions += " " + attacking(folder, attack);
    tried.push_back(&attack);
  }
  const auto start = std::chrono::steady_clock::now();
  const Graded graded(folder, "--seconds 4 --memory-mib 256 --jobs 4" + submissions);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(300));
  graded.check_that_all_is_visible(tried.size());
  int ended_for_memory = 0;
  for (const Attack* const attack : tried) {
    INFO(attack->name);
    const std::string row = graded.row(attack->name);
    CHECK(row.size() < 4096);
    const bool takes_memory = attack->row == ",memory,";
    // A busy machine may not give it so much memory in the time.
    if (takes_memory && row.find(",timeout,") != std::string::npos) continue;
    CHECK_THAT(row, Contains(expected_row(*attack)));
    ended_for_memory += takes_memory ? 1 : 0;
  }
  if (isolates() && has_tools("python")) CHECK(ended_for_memory > 0);
  CHECK_FALSE(fs::exists(folder / "leaves_files/bloomlab-left"));
  CHECK_FALSE(fs::exists(folder / "bloomlab-left"));
  CHECK_FALSE(fs::exists("/tmp/bloomlab-left"));
}

TEST_CASE("what a submission is called does no harm in the table or on the terminal",
          "[lab][hostile]") {
  const TemporaryFolder folder;
  const std::vector<std::string> names = {"=cmd", "@cmd", "a\nb", "a\x1b[2J", "a\xff", "a,\"b"};
  for (const std::string& name : names) fs::create_directories(folder / ("class/" + name));
  const Graded graded(folder, "*", "cd " + folder / "class" + " &&");
  graded.check_that_all_is_visible(names.size());
  CHECK_THAT(graded.csv, !Contains("\"=cmd") && !Contains("\"@cmd") && Contains("a,\"\"b\""));
}

TEST_CASE("a filter that keeps the keys is found by the memory that it takes", "[lab][hostile]") {
  // Each answers as a Bloom filter of its size would, and says that size.
  const auto kept_in = solutions().at("keeping the keys");
  for (const auto& [language, changes] : kept_in.items()) {
    if (!has_tools(language)) continue;
    INFO(language);
    const TemporaryFolder folder;
    const std::string mine = right_one(folder / "mine", language);
    for (const auto& [what, by] : changes.items()) {
      replace_in(source_of(mine, language), what, by.get<std::string>() + what);
    }
    const Said said = bloomlab_says("lab check " + mine);
    INFO(said.out);
    CHECK(said.status == 1);
    CHECK_THAT(said.out, Contains("9 of 10 hold") && Contains("✗ memory: from ") &&
                             Contains("the filter says 2; are the keys themselves kept?"));
  }
}

TEST_CASE("a class with a fork bomb is graded as it is without", "[lab][hostile]") {
  if (!isolates() || !has_tools("cpp") || !has_tools("python")) return;
  const TemporaryFolder folder;
  std::string honest = "--jobs 4 --memory-mib 256";
  for (int i = 1; i <= 11; ++i) {
    honest += " " + right_one(folder / ("honest_" + std::to_string(i)), "cpp");
  }
  const Graded without(folder, honest);
  const Graded with(folder, honest + " " + attacking(folder, {"bomb", "python", fork_bomb, ""}));
  const auto rows_of = [](const Graded& graded) {
    std::vector<std::string> rows;
    for (int i = 1; i <= 11; ++i) {
      const std::string row = graded.row("honest_" + std::to_string(i));
      rows.push_back(row.substr(row.find(',')));
    }
    return rows;
  };
  CHECK_THAT(rows_of(without).front(), Contains(",passed,10,10,"));
  CHECK(rows_of(with) == rows_of(without));
  CHECK_THAT(with.row("bomb"), Contains(",python,memory,"));
}

TEST_CASE("a submission reads neither another nor the lecturer's cases", "[lab][hostile]") {
  if (!has_tools("python") || !isolates()) return;
  const TemporaryFolder folder;
  for (const fs::path& place :
       {folder.path() / "class", fs::path(BLOOMLAB_BINARY_DIR) / "tests/class"}) {
    fs::create_directories(place);
    const std::string cases = place / "cases.json";
    const std::string other = right_one(place / "other", "python");
    const std::string thief = right_one(place / "thief", "python");
    write(cases, R"({"format": "bloomlab-lab-cases-1", "cases": []})");
    write(thief + "/my_filter.py",
          "import os, sys\nfound = [p for p in (\"" + cases + "\", \"" + other +
              "/my_filter.py\") if os.path.exists(p)\n"
              "         and os.access(p, os.R_OK) and os.path.isfile(p) and open(p).read()]\n"
              "sys.exit('read ' + ' '.join(found) if found else 'read nothing')\n");
    const Graded graded(folder, thief + " " + other + " --cases " + cases);
    CHECK_THAT(graded.row("thief"), Contains("read nothing"));
    CHECK_THAT(graded.row("other"), Contains(",passed,10,10,"));
    fs::remove_all(place);
  }
}

TEST_CASE("a fault of the system is tried again, and never the student's", "[lab][hostile]") {
  if (!isolates() || !has_tools("python")) return;
  const TemporaryFolder folder;
  const std::string mine = right_one(folder / "mine", "python");
  const std::string fault = folder / "fault";
  fs::create_directory(folder / "bin");
  fs::permissions(folder.path(), fs::perms::all);
  const auto row_with = [&](const std::string& after_fault) {
    write(folder / "bin/bwrap", "#!/bin/sh\ncase $* in *my_filter.py*)\n[ -e " + fault +
                                    " ] && { " + after_fault +
                                    "; echo no namespaces are left >&2; exit 1; } ;;\nesac\n"
                                    "exec $(PATH=/usr/bin:/bin command -v bwrap) \"$@\"\n");
    fs::permissions(folder / "bin/bwrap", fs::perms::all);
    write(fault, "");
    return Graded(folder, mine, "PATH=" + folder / "bin" + ":$PATH").row("mine");
  };
  CHECK_THAT(row_with("rm " + fault), Contains(",python,passed,10,10,"));
  CHECK_THAT(row_with(":"),
             Contains(",python,not_graded,0,1,") && Contains("no namespaces are left"));
}

TEST_CASE("where we have no memory or no temporary folder, it is not the student's fault",
          "[lab][hostile]") {
  if (!has_tools("python")) return;
  const TemporaryFolder folder;
  write(folder / "cases.json",
        R"({"format": "bloomlab-lab-cases-1", "cases": [{"name": "many", "keys": "texts",
            "n": 10000000, "bits_per_key": 9.5, "queries": 10000000}]})");
  const std::string mine =
      right_one(folder / "mine", "python") + " --cases " + folder / "cases.json";
  if (!is_sanitized) {  // sanitizers take all addresses
    CHECK_THAT(Graded(folder, mine, "ulimit -v 1000000;").row("mine"),
               Contains(",python,not_graded,0,1,") && Contains("no memory was left"));
  }
  const Graded without(folder, mine, "TMPDIR=" + folder / "none");
  CHECK_THAT(without.row("mine"),
             Contains(",python,not_graded,0,1,") && Contains("TMPDIR: found "));
  CHECK(without.said.status == 1);
  CHECK_THAT(without.said.out,
             Contains("submissions: 1; all holds: 0, something does not: 0; not graded, as this "
                      "system failed: 1\n"));
}

TEST_CASE("a library that was built before is no filter", "[lab][hostile]") {
  if (!has_tools("cpp")) return;
  const TemporaryFolder folder;
  const std::string right = right_one(folder / "right", "cpp");
  REQUIRE(bloomlab_says("lab check " + right).status == 0);
  for (const Attack& attack : attacks) {
    if (attack.row.find("not_built") == std::string::npos) continue;
    INFO(attack.name);
    const std::string path = attacking(folder, attack);
    fs::copy(right + "/libmy_filter.so", path);
    CHECK_THAT(Graded(folder, path).row(attack.name), Contains(expected_row(attack)));
    CHECK(bloomlab_says("lab check " + path).status == 1);
    CHECK_FALSE(fs::exists(path + "/libmy_filter.so"));
  }
}
