// Submissions that attack the grader: each is a row of its own, within a bound of time.
#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "foreign/child.hpp"
#include "lab/submission.hpp"
#include "record/visible_text.hpp"
#include "tests/catch_runner.hpp"
#include "tests/lab/assignments.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bloomlab::tests;
using Catch::Contains;

/// A filled filter with one change, and what else is done with its folder.
struct Attack {
  std::string name;
  std::string language;
  std::string what;  ///< is replaced; empty: `by` is put in front
  std::string by;
  std::string row;  ///< what its row holds
  std::function<void(const std::string& folder)> further = {};
};

const std::string fork_bomb =
    "import os\n"
    "while True:\n"
    "  try: os.fork()\n"
    "  except OSError: pass\n";

/// A filter that answers by `answer`, in Python with the call and its number of keys n.
std::string answering(const std::string& answer) {
  return "import os, sys, time\nprint('bloomlab-filter 1 text name=my_filter', flush=True)\n"
         "for line in sys.stdin:\n  call, *values = line.split()\n  n = 0\n"
         "  if call in ('insert', 'query'):\n    n = int(values[0])\n"
         "    for _ in range(n): sys.stdin.readline()\n"
         "  right = {'create': 'ok', 'insert': 'ok', 'query': '1' * n, 'memory': '100000'}[call]\n"
         "  print(" +
         answer + ", flush=True)\n";
}

/// A filter in C++ whose lookups do that.
Attack looking_up(const std::string& name, const std::string& statement, const std::string& row) {
  const std::string head =
      "int contains(const void* filter, const std::uint8_t* key, std::size_t length) {\n";
  return {name, "cpp", head,
          "#include <csetjmp>\n#include <csignal>\n#include <cstdlib>\n" + head + "  " + statement +
              "\n",
          row};
}

std::function<void(const std::string&)> link_in_place_of(const std::string& name) {
  return [name](const std::string& folder) {
    fs::rename(folder + "/" + name, folder + ".moved");
    fs::create_symlink(folder + ".moved", folder + "/" + name);
  };
}

std::function<void(const std::string&)> pipe_in_place_of(const std::string& name) {
  return [name](const std::string& folder) {
    fs::remove(folder + "/" + name);
    if (::mkfifo((folder + "/" + name).c_str(), 0600) != 0) throw std::runtime_error("no pipe");
  };
}

const std::vector<Attack> attacks = {
    // Compilers.
    {"line_of_the_grader", "cpp", "",
     "#line 1 \"x\\nbloomlab-built 0\\ny\"\n#error no filter\n#line 1 \"my_filter.cpp\"\n",
     ",not_built,0,1,"},
    {"includes_a_file", "cpp", "", "#include \"/etc/passwd\"\n",
     "my_filter.cpp cannot be built: my_filter.cpp:"},
    {"ends_with_a_file", "cpp", "  return &functions;\n}\n",
     "  return &functions;\n}\n#include \"/etc/passwd\"\n",
     "my_filter.cpp cannot be built: the compiler names no error in a file of the folder\""},
    {"includes_itself", "cpp", "", "#include \"my_filter.cpp\"\n", ",not_built,0,1,"},
    {"includes_zeros", "cpp", "", "#include \"/dev/zero\"\n", ",not_built,0,1,"},
    {"includes_input", "cpp", "", "#include \"/dev/stdin\"\n#error read\n",
     "my_filter.cpp:2:2: error: #error read"},
    {"endless_template", "cpp", "",
     "template <int n> struct A { static constexpr int v = A<n + 1>::v; };\nint x = A<0>::v;\n",
     ",not_built,0,1,"},
    {"many_errors", "cpp", "",
     "#define A(x) x; x; x; x; x; x; x; x; x; x;\n#define B(x) A(A(x))\nB(B(int 1))\n",
     ",not_built,0,1,"},
    {"long_error", "cpp", "", "int x = " + std::string(100'000, 'y') + ";\n", "...\""},
    {"java_error", "java", "", "class \u001b[2J {}\n", "MyFilter.java:1: error: "},
    // The process of a library.
    {"exits_when_loaded", "cpp", "",
     "#include <unistd.h>\n__attribute__((constructor)) static void go() { _exit(0); }\n",
     ",cpp,ended,1,6,"},
    looking_up("aborts", "__builtin_trap();", ",cpp,crashed,"),
    looking_up("ends", "std::exit(0);", ",cpp,ended,1,6,"),
    looking_up("raises", "raise(SIGSTOP);", ",cpp,timeout,1,2,"),
    looking_up("jumps", "static jmp_buf place; longjmp(place, 1);", ",cpp,crashed,"),
    looking_up("throws", "throw 1;", ",cpp,crashed,"),
    looking_up("recurses", "return contains(filter, key, length) + (key[0] == 1);",
               ",cpp,crashed,"),
    // Memory, processes and signals.
    {"fork_bomb", "python", "", fork_bomb, ",python,memory,"},
    {"memory_file", "python", "",
     "import os\nf = os.memfd_create('a')\nfor _ in range(600): os.write(f, bytes(1 << 20))\n",
     "it said last: PermissionError: [Errno 1] Operation not permitted"},
    {"shared_memory", "python", "",
     "f = open('/dev/shm/a', 'wb')\nfor _ in range(600): f.write(bytes(1 << 20))\n",
     "it said last: OSError: [Errno 28] No space left on device"},
    {"takes_memory", "python", "", "kept = [bytearray(1 << 20) for _ in range(600)]\n",
     ",python,memory,"},
    {"takes_memory_of_a_child", "python", "",
     "import subprocess, sys\nsubprocess.run([sys.executable, '-c',\n"
     "  'import time; a = bytearray(300 << 20); time.sleep(9)'])\n",
     ",python,memory,"},
    {"huge_stack", "python", "",
     "import threading\nthreading.stack_size(2 << 30)\n"
     "threading.Thread(target=print).start()\n",
     ",python,ended,"},
    // By its version Python crashes, or takes memory until its end.
    {"endless_recursion", "python", "",
     "import sys\nsys.setrecursionlimit(1 << 30)\nf = lambda: f()\nf()\n", ",python,"},
    {"many_threads", "python", "",
     "import threading, time\n"
     "for _ in range(400): threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n",
     "it said last: RuntimeError: can't start new thread"},
    {"ignores_signals", "python", "",
     "import signal\nfor s in set(signal.Signals) - {9, 19}: signal.signal(s, signal.SIG_IGN)\n"
     "while True: pass\n",
     ",python,timeout,"},
    {"stops_itself", "python", "", "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n",
     ",python,timeout,"},
    {"kills_its_parent", "python", "", "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n",
     ",python,passed,10,10,"},
    {"kills_all", "python", "", "import os, signal\nos.kill(-1, signal.SIGKILL)\n",
     ",python,ended,"},
    {"becomes_a_daemon", "python", "", "import os\nif os.fork(): os._exit(0)\nos.setsid()\n",
     ",python,ended,"},
    {"speaks_twice", "python", "", "import os\nos.fork()\n", ",python,garbage,"},
    {"crashes", "python", "", "import os\nos.abort()\n", ",python,crashed,"},
    // What these reach is their own: they do no harm, and are filters as others are.
    {"stops_its_parent", "python", "", "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\n",
     ",python,passed,10,10,"},
    {"leaves_code", "python", "",
     "import os, site\nplace = site.getusersitepackages()\nos.makedirs(place)\n"
     "open(place + '/usercustomize.py', 'w').write('raise SystemExit(9)')\n",
     ",python,passed,10,10,"},
    {"leaves_a_process", "python", "",
     "import subprocess\n"
     "subprocess.Popen(['sleep', '1234567'], start_new_session=True)\n",
     ",python,passed,10,10,"},
    {"traces_its_parent", "python", "",
     "import ctypes, os\n"
     "if ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) == 0: raise SystemExit('traced')\n",
     ",python,passed,10,10,"},
    {"leaves_files", "python", "",
     "import os\nfor place in ('.', '..', '/', '/tmp', '/var/tmp', os.path.expanduser('~')):\n"
     "  try: open(place + '/bloomlab-left', 'w').write('left')\n  except OSError: pass\n",
     ",python,passed,10,10,"},
    {"alters_itself", "python", "", "open(__file__, 'w').write('raise SystemExit(7)')\n",
     ",python,ended,"},
    // The network and descriptors.
    {"connects", "python", "",
     "import socket\ntry: socket.create_connection(('1.1.1.1', 53), 1)\n"
     "except OSError: raise SystemExit('no network')\n",
     "it said last: no network"},
    {"speaks_long", "python", "", "raise SystemExit('=cmd,\"\\x1b[2J\\t\\u202e' + 'x' * 2000)\n",
     "it said last: =cmd,\"\"\\u{001B}[2J \\u{202E}x"},
    {"closes_its_input", "python", "", "import os\nos.close(0)\n", ",python,ended,"},
    {"closes_its_output", "python", "", "import os\nos.close(1)\n", ",python,ended,"},
    {"closes_everything", "python", "", "import os\nos.closerange(0, 999)\n", ",python,ended,"},
    // A filter as others are, where the machine has time enough.
    {"floods_errors", "python", "",
     "import os\nfor _ in range(10000): os.write(2, b'\\x1b[2J=cmd\\0' * 8000)\n", ",python,"},
    // Answers.
    {"no_greeting", "python", "", "import time\ntime.sleep(99)\n", ",python,timeout,1,2,"},
    {"other_greeting", "python", "", "print('\\x1b[2J\\0hello', flush=True)\n",
     "answered \"\"\\u{001B}[2J\\u{0000}hello\"\" to its start"},
    {"bytes_as_greeting", "python", "", "import os\nos.write(1, bytes(range(256)) * 9 + b'\\n')\n",
     ",python,garbage,"},
    {"endless_line", "python", "", "import os\nwhile True: os.write(1, b'a' * 65536)\n",
     ",python,garbage,"},
    {"endless_lines", "python", "", "import os\nwhile True: os.write(1, b'a\\n' * 32768)\n",
     ",python,garbage,"},
    {"too_long", "python", "", answering("right if call != 'query' else '1' * (n + 1)"),
     ",python,garbage,"},
    {"too_short", "python", "", answering("right if call != 'query' else '1' * (n - 1)"),
     ",python,garbage,"},
    {"other_digits", "python", "", answering("right if call != 'query' else '2' * n"),
     ",python,garbage,"},
    {"late", "python", "", answering("time.sleep(5 if call == 'query' else 0) or right"),
     ",python,timeout,1,2,"},
    {"no_answer", "python", "", answering("right if call == 'create' else '', end=''"),
     ",python,timeout,1,2,"},
    {"two_answers", "python", "", answering("right + '\\n' + right"), ",python,garbage,"},
    {"negative_memory", "python", "", answering("right if call != 'memory' else -1"),
     "answered \"\"-1\"\" to memory; expected a whole number of bits"},
    {"no_number", "python", "", answering("right if call != 'memory' else 'NaN'"),
     "answered \"\"NaN\"\" to memory"},
    {"beyond_numbers", "python", "", answering("right if call != 'memory' else 10**30"),
     ",python,garbage,"},
    {"largest_memory", "python", "", answering("right if call != 'memory' else 2**64 - 1"),
     ",python,failed,"},
    {"an_error", "python", "", answering("'error =cmd|\\x1b\\u202e'"),
     "error =cmd|\\u{001B}\\u{202E}"},
    {"unsupported", "python", "", answering("'unsupported'"), ",python,unsupported,"},
    {"ends_by_itself", "python", "", answering("right if call != 'memory' else sys.exit(0)"),
     ",python,ended,"},
    {"speaks_after_its_end", "python", "",
     "import atexit\natexit.register(lambda: print('1' * 9999))\n", ",python,passed,10,10,"},
    // What is handed in.
    {"bytes_in_the_source", "python", "", "# \xff\xfe\n", ",python,ended,"},
    // A filter as others are, or, from Python 3.12 on, no program.
    {"zeros_in_the_source", "python", "", std::string("# \0\n", 4), ",python,"},
    {"linked_assignment", "python", "", "", ",unreadable,0,1,",
     link_in_place_of("assignment.json")},
    {"pipe_as_assignment", "python", "", "", "is a link or no regular file",
     pipe_in_place_of("assignment.json")},
    {"linked_source", "python", "", "", "my_filter.py: is not there",
     link_in_place_of("my_filter.py")},
    {"pipe_as_source", "python", "", "", "my_filter.py: is not there",
     pipe_in_place_of("my_filter.py")},
    {"folder_as_source", "python", "", "", "my_filter.py: is not there",
     [](const std::string& folder) {
       fs::remove(folder + "/my_filter.py");
       fs::create_directory(folder + "/my_filter.py");
     }},
    {"many_files", "python", "", "", "many_files: holds 10009 files; a submission has at most 64\"",
     [](const std::string& folder) {
       for (int i = 0; i < 10'000; ++i) write(folder + "/" + std::to_string(i), "");
     }},
    {"large_file", "python", "", "", "bytes together; a submission has at most 8388608\"",
     [](const std::string& folder) { write(folder + "/large", std::string(10 << 20, 'x')); }},
    {"links_out", "python", "", "raise SystemExit(str(__import__('os').path.lexists('out')))\n",
     "it said last: False",
     [](const std::string& folder) { fs::create_symlink("/etc", folder + "/out"); }},
    {"odd_names", "python", "", "", ",python,passed,10,10,",
     [](const std::string& folder) {
       for (const char* const name : {"-rf", "=cmd", "a\nb", "\x1b[2J", "\xff", "json.py\\"}) {
         write(folder + "/" + name, "");
       }
     }},
};

/// A new assignment in that folder, filled as it should be.
std::string right_one(const TemporaryFolder& folder, const std::string& name,
                      const std::string& language) {
  const std::string path = folder / name;
  make_assignment(path, language);
  fill_gaps(path, language);
  return path;
}

bool isolates() {
  const std::string& why = bloomlab::foreign::why_not_isolated();
  if (!why.empty()) skip("filters are not isolated on this machine: " + why);
  return why.empty();
}

bool has_tools(const std::string& language) {
  const auto missing = bloomlab::lab::missing_tool(bloomlab::lab::language(language));
  if (missing) skip(*missing);
  return !missing;
}

std::string attacking(const TemporaryFolder& folder, const Attack& attack) {
  const std::string path = right_one(folder, attack.name, attack.language);
  const std::string file =
      path + "/" + std::string(bloomlab::lab::language(attack.language).source);
  if (attack.what.empty()) {
    write(file, attack.by + read(file));
  } else {
    replace_in(file, attack.what, attack.by);
  }
  if (attack.further) attack.further(path);
  return path;
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
  const Said said =
      bloomlab_says("lab grade" + submissions + " --seconds 4 --memory-mib 256 --jobs 4 --csv " +
                    folder / "class.csv");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(300));
  CHECK(said.status == 0);
  const std::string csv = with_plain_spaces(read(folder / "class.csv"));
  for (const std::string& text : {csv, said.out, said.err}) {
    CHECK(bloomlab::record::first_hidden(text).value_or("") == "");
  }
  CHECK(static_cast<std::size_t>(std::ranges::count(csv, '\n')) == tried.size() + 1);
  for (const Attack* const attack : tried) {
    INFO(attack->name);
    const std::string row = row_of(csv, attack->name);
    CHECK_THAT(row, Contains(attack->row));
    CHECK(row.size() < 4096);
  }
  CHECK_FALSE(fs::exists(folder / "leaves_files/bloomlab-left"));
  CHECK_FALSE(fs::exists(folder / "bloomlab-left"));
  CHECK_FALSE(fs::exists("/tmp/bloomlab-left"));
}

TEST_CASE("what a submission is called does no harm in the table or on the terminal",
          "[lab][hostile]") {
  const TemporaryFolder folder;
  const std::vector<std::string> names = {"=cmd", "@cmd", "a\nb", "a\x1b[2J", "a\xff", "a,\"b"};
  for (const std::string& name : names) fs::create_directories(folder / ("class/" + name));
  const Said said = shell("cd " + folder / "class" + " && \"$BLOOMLAB\" lab grade * --csv " +
                          folder / "class.csv");
  CHECK(said.status == 0);
  const std::string csv = read(folder / "class.csv");
  for (const std::string& text : {said.out, said.err, csv}) {
    CHECK(bloomlab::record::first_hidden(text).value_or("") == "");
  }
  CHECK(static_cast<std::size_t>(std::ranges::count(csv, '\n')) == names.size() + 1);
  CHECK_THAT(csv, !Contains("\"=cmd") && !Contains("\"@cmd") && Contains("a,\"\"b\""));
}

TEST_CASE("a filter that keeps the keys is found by the memory that it takes", "[lab][hostile]") {
  using Changes = std::vector<std::pair<std::string, std::string>>;
  // Each answers as a Bloom filter of its size would, and says that size.
  const std::map<std::string, Changes> kept_in = {
      {"cpp",
       {{"#include <vector>",
         "#include <unordered_set>\n#include <vector>\nstd::unordered_set<std::uint64_t> kept;"},
        {"++last.keys;",
         "++last.keys;\n"
         "  if (mine.rate == 0) { kept.insert(hashed(key, length, mine.seed)); return 0; }"},
        {"  for (const Layer& layer : mine.layers) {\n    int",
         "  if (mine.rate == 0) {\n"
         "    const double fill = 1 - std::exp(-5.0 * kept.size() / mine.layers[0].m);\n"
         "    return kept.count(first) > 0 || second / 0x1p64 < std::pow(fill, 5);\n  }\n"
         "  for (const Layer& layer : mine.layers) {\n    int"},
        {"  *filter = new", "  kept.clear();\n  *filter = new"}}},
      {"python",
       {{"last.keys += 1\n", "last.keys += 1\n    if rate == 0:\n        return kept.add(key)\n"},
        {"    for layer in layers:\n        bits",
         "    if rate == 0:\n        fill = 1 - math.exp(-K * len(kept) / layers[0].m)\n"
         "        return key in kept or first / 2**64 < fill**K\n"
         "    for layer in layers:\n        bits"},
        {"        layers = [Layer(", "        kept = set()\n        layers = [Layer("}}},
      {"java",
       {{"  static List<Layer> layers;",
         "  static List<Layer> layers;\n  static java.util.HashSet<Long> kept;"},
        {"last.keys++;", "last.keys++;\n    if (rate == 0 && kept.add(hashed(key))) return;"},
        {"    for (Layer layer : layers) {",
         "    if (rate == 0) {\n"
         "      double fill = 1 - Math.exp(-5.0 * kept.size() / layers.get(0).m);\n"
         "      return kept.contains(first) || (second >>> 1) / 0x1p63 < Math.pow(fill, 5);\n"
         "    }\n    for (Layer layer : layers) {"},
        {"      layers = new", "      kept = new java.util.HashSet<>();\n      layers = new"}}},
      {"js",
       {{"let layers = [];", "let layers = [];\nlet kept;"},
        {"last.keys += 1;",
         "last.keys += 1;\n  if (rate === 0) return kept.add(key.toString(\"latin1\"));"},
        {"  return layers.some(",
         "  if (rate === 0) {\n    const fill = 1 - Math.exp((-K * kept.size) / layers[0].m);\n"
         "    return kept.has(key.toString(\"latin1\")) || first / 2 ** 32 < fill ** K;\n  }\n"
         "  return layers.some("},
        {"    layers = [layerOf", "    kept = new Set();\n    layers = [layerOf"}}}};
  for (const auto& [language, changes] : kept_in) {
    if (!has_tools(language)) continue;
    INFO(language);
    const TemporaryFolder folder;
    const std::string mine = right_one(folder, "mine", language);
    for (const auto& [what, by] : changes) {
      replace_in(mine + "/" + std::string(bloomlab::lab::language(language).source), what, by);
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
  std::string honest;
  for (int i = 1; i <= 11; ++i) {
    honest += " " + right_one(folder, "honest_" + std::to_string(i), "cpp");
  }
  const std::string bomb = attacking(folder, {"bomb", "python", "", fork_bomb, "", {}});
  const auto rows_of = [&](const std::string& submissions) {
    const std::string csv = folder / "class.csv";
    const Said said =
        bloomlab_says("lab grade " + submissions + " --jobs 4 --memory-mib 256 --csv " + csv);
    CHECK(said.status == 0);
    std::vector<std::string> rows;
    for (int i = 1; i <= 11; ++i) {
      const std::string row = row_of(read(csv), "honest_" + std::to_string(i));
      rows.push_back(row.substr(row.find(',')));
    }
    return rows;
  };
  const auto without = rows_of(honest);
  CHECK_THAT(without.front(), Contains(",passed,10,10,"));
  CHECK(rows_of(bomb + honest) == without);
  CHECK_THAT(row_of(read(folder / "class.csv"), "bomb"), Contains(",python,memory,"));
}

TEST_CASE("a submission reads neither another nor the lecturer's cases", "[lab][hostile]") {
  if (!has_tools("python")) return;
  if (!isolates()) return;
  const TemporaryFolder temporary;
  const fs::path open = fs::path(BLOOMLAB_BINARY_DIR) / "tests" / "class";
  for (const fs::path& place : {temporary.path(), open}) {
    fs::create_directories(place);
    const std::string cases = (place / "cases.json").string();
    const std::string other = (place / "other").string();
    const std::string thief = (place / "thief").string();
    for (const std::string& one : {other, thief}) {
      make_assignment(one, "python");
      fill_gaps(one, "python");
    }
    write(cases, R"({"format": "bloomlab-lab-cases-1", "cases": []})");
    write(thief + "/my_filter.py",
          "import os, sys\n"
          "found = [p for p in (\"" +
              cases + "\", \"" + other +
              "/my_filter.py\") if os.path.exists(p)\n"
              "         and os.access(p, os.R_OK) and os.path.isfile(p) and open(p).read()]\n"
              "sys.exit('read ' + ' '.join(found) if found else 'read nothing')\n");
    REQUIRE(bloomlab_says("lab grade " + thief + " " + other + " --cases " + cases + " --csv " +
                          (place / "class.csv").string())
                .status == 0);
    const std::string csv = read(place / "class.csv");
    CHECK_THAT(row_of(csv, "thief"), Contains("read nothing"));
    CHECK_THAT(row_of(csv, "other"), Contains(",passed,10,10,"));
    fs::remove_all(place);
  }
}

TEST_CASE("a fault of the system is tried again, and never the student's", "[lab][hostile]") {
  if (!isolates() || !has_tools("python")) return;
  const TemporaryFolder folder;
  const std::string mine = right_one(folder, "mine", "python");
  const std::string fault = folder / "fault";
  const auto row_with = [&](const std::string& after_fault) {
    fs::create_directory(folder / "bin");
    write(folder / "bin/bwrap", "#!/bin/sh\ncase $* in *my_filter.py*)\n[ -e " + fault +
                                    " ] && { " + after_fault +
                                    "; echo no namespaces are left >&2; exit 1; } ;;\nesac\n"
                                    "exec bwrap \"$@\"\n");
    replace_in(folder / "bin/bwrap", "exec bwrap", "exec $(PATH=/usr/bin:/bin command -v bwrap)");
    fs::permissions(folder / "bin/bwrap", fs::perms::all);
    fs::permissions(folder.path(), fs::perms::all);
    write(fault, "");
    const Said said = shell("PATH=" + folder / "bin" + ":$PATH \"$BLOOMLAB\" lab grade " + mine +
                            " --csv " + folder / "class.csv");
    CHECK(said.status == 0);
    return row_of(read(folder / "class.csv"), "mine");
  };
  CHECK_THAT(row_with("rm " + fault), Contains(",python,passed,10,10,"));
  CHECK_THAT(row_with(":"),
             Contains(",python,not_graded,0,1,") && Contains("no namespaces are left"));
}

TEST_CASE("where we have no memory or no temporary folder, it is not the student's fault",
          "[lab][hostile]") {
  if (!has_tools("python")) return;
  const TemporaryFolder folder;
  const std::string mine = right_one(folder, "mine", "python");
  write(folder / "cases.json",
        R"({"format": "bloomlab-lab-cases-1", "cases": [{"name": "many", "keys": "texts",
            "n": 10000000, "bits_per_key": 9.5, "queries": 10000000}]})");
  const auto row_with = [&](const std::string& before) {
    const Said said = shell(before + " \"$BLOOMLAB\" lab grade " + mine + " --cases " +
                            folder / "cases.json" + " --csv " + folder / "class.csv");
    INFO(said.err);
    REQUIRE(said.status == 0);
    return row_of(read(folder / "class.csv"), "mine");
  };
#if !defined(__SANITIZE_ADDRESS__)  // which takes all addresses
  CHECK_THAT(row_with("ulimit -v 1000000;"),
             Contains(",python,not_graded,0,1,") && Contains("no memory was left"));
#endif
  CHECK_THAT(row_with("TMPDIR=" + folder / "none"),
             Contains(",python,not_graded,0,1,") && Contains("temp_directory_path"));
}

TEST_CASE("without bubblewrap a filter runs as it is, and one line says so", "[lab]") {
  if (!has_tools("python")) return;
  const TemporaryFolder folder;
  const std::string mine = right_one(folder, "mine", "python");
  fs::create_directory(folder / "bin");
  fs::create_symlink("/usr/bin/python3", folder / "bin/python3");
  const Said said = shell("PATH=" + folder / "bin" + " \"$BLOOMLAB\" lab check " + mine);
  CHECK(said.status == 0);
  CHECK(said.err ==
        "not isolated: bubblewrap is not installed; filters may read and write what you may "
        "(docs/foreign_filters.md)\n");
}

TEST_CASE("a library that was built before is no filter", "[lab][hostile]") {
  if (!has_tools("cpp")) return;
  const TemporaryFolder folder;
  const std::string right = right_one(folder, "right", "cpp");
  REQUIRE(bloomlab_says("lab check " + right).status == 0);
  for (const Attack& attack : attacks) {
    if (attack.row.find("not_built") == std::string::npos) continue;
    INFO(attack.name);
    const std::string path = attacking(folder, attack);
    fs::copy(right + "/libmy_filter.so", path);
    REQUIRE(bloomlab_says("lab grade " + path + " --csv " + folder / "class.csv").status == 0);
    CHECK_THAT(row_of(read(folder / "class.csv"), attack.name), Contains(attack.row));
    CHECK(bloomlab_says("lab check " + path).status == 1);
    CHECK_FALSE(fs::exists(path + "/libmy_filter.so"));
  }
}
