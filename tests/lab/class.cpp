// A class of submissions, graded in one run.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <string>

#include "tests/lab/assignments.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bloomlab::tests;
using Catch::Contains;

/// A change to the filled filter in C++: what is replaced, and by what.
struct Change {
  std::string what;
  std::string by;
};

const std::string first_of_query = "const Filter& mine = *static_cast<const Filter*>(filter);\n";

/// Submissions that are wrong in a way of their own, by the result that they get.
const std::map<std::string, Change> wrong = {
    {"not_built", {"return 0;\n}", "return 0\n}"}},
    {"timeout", {first_of_query, first_of_query + "  for (volatile int i = 0;; i = i + 1) {}\n"}},
    {"crashed", {first_of_query, first_of_query + "  __builtin_trap();\n"}},
    {"memory",
     {"int contains(const void* filter, const std::uint8_t* key, std::size_t length) {\n",
      "#include <unistd.h>\n"
      "int contains(const void* filter, const std::uint8_t* key, std::size_t length) {\n"
      "  for (;;) { volatile char* hog = new char[1 << 20]; usleep(1000);\n"
      "    for (int i = 0; i < 1 << 20; i += 512) hog[i] = 1; }\n"}},
    {"failed", {"++last.keys;", "if (++last.keys == 100) return BLOOMLAB_OK;"}},
};

}  // namespace

TEST_CASE("sixty submissions are graded in one run, whatever some of them do", "[lab]") {
  if (!has_tools("cpp")) return;
  const TemporaryFolder folder;
  const std::string right = right_one(folder / "right", "cpp");
  make_assignment(folder / "unfilled", "cpp");
  for (const auto& [result, change] : wrong) {
    const std::string copy = folder / result;
    fs::copy(right, copy);
    replace_in(copy + "/my_filter.cpp", change.what, change.by);
  }
  fs::create_directory(folder / "empty");
  const std::size_t copies = 60 - wrong.size() - 3;
  for (std::size_t i = 1; i <= copies; ++i) fs::copy(right, folder / ("copy_" + std::to_string(i)));

  const std::string csv_file = folder / "class.csv";
  const Said said = shell("cd " + folder / "" + " && \"$BLOOMLAB\" lab grade " + folder / "" +
                          "*/ --csv " + csv_file + " --seconds 20 --memory-mib 200 --jobs 3");
  INFO(said.out << said.err);
  CHECK(said.status == 0);
  // Where filters are not isolated that is said once, in one line.
  CHECK(said.err.starts_with("not isolated: ") == !bloomlab::foreign::why_not_isolated().empty());
  CHECK(std::ranges::count(said.err, '\n') == (said.err.empty() ? 0 : 1));
  CHECK_THAT(said.out, Contains("submissions: 60; all holds: 53, something does not: 7\n"));
  // The shell's pattern ends the folders' names with a slash.
  std::string csv = with_plain_spaces(read(csv_file));
  for (std::size_t at = 0; (at = csv.find("/\"", at)) != std::string::npos;) csv.erase(at, 1);

  const std::string expected = row_of(csv, "right");
  CHECK_THAT(expected, Contains("cpp,passed,10,10,0.0"));
  const auto behind_name = [](const std::string& row) { return row.substr(row.find("\",cpp")); };
  for (std::size_t i = 1; i <= copies; ++i) {
    CHECK(behind_name(row_of(csv, "copy_" + std::to_string(i))) == behind_name(expected));
  }
  CHECK_THAT(row_of(csv, "not_built"),
             Contains(",not_built,0,1,,,,,\"my_filter.cpp cannot be built:") &&
                 Contains("error: expected"));
  CHECK_THAT(row_of(csv, "timeout"),
             Contains(",timeout,1,2,") && Contains("gave no answer within 20 s"));
  CHECK_THAT(row_of(csv, "crashed"),
             Contains(",crashed,1,6,") && Contains("the filter crashed (libmy_filter.so: crashed"));
  CHECK_THAT(row_of(csv, "memory"),
             Contains(",memory,1,2,") && Contains("more memory than its limit of 200 MiB"));
  CHECK_THAT(row_of(csv, "failed"),
             Contains(",failed,") && Contains("1 of 10 000 inserted keys are denied"));
  CHECK_THAT(row_of(csv, "unfilled"), Contains(",failed,2,12,") && Contains("gap 1 of"));
  CHECK_THAT(row_of(csv, "empty"), Contains(",unreadable,0,1,") && Contains("assignment.json"));
  CHECK_THAT(read(folder / "class.svg"),
             Contains("<svg") && Contains("55 submissions with a rate"));
}

TEST_CASE("a table that would be lost or overwrite something is refused before grading", "[lab]") {
  const TemporaryFolder folder;
  make_assignment(folder / "mine", "python");
  const std::string source = read(folder / "mine/my_filter.py");
  fs::create_directory(folder / "q");
  fs::create_symlink(folder / "mine", folder / "link");
  write(folder / "cases.json", "{}");
  const auto refused = [&](const std::string& csv, const std::string& fault,
                           const std::string& more = "") {
    INFO(csv);
    const Said said = bloomlab_says("lab grade " + folder / "mine" + " --csv " + csv + more);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(said.err == "bloomlab: --csv: \"" + csv + "\" " + fault + "\n");
  };
  const std::string no_file = "is no file that can be written, or its figure is none; name a file";
  refused(folder / "q/", no_file);
  refused(folder / "q", no_file);
  refused(folder / "cases.json/a.csv", no_file);
  fs::create_directory(folder / "a.svg");
  refused(folder / "a.csv", no_file);
  refused(folder / "class.svg", "is where the figure of the class goes; name it .csv");
  for (const char* inside : {"mine/my_filter.py", "mine/new.csv", "link/deep/new.csv"}) {
    refused(folder / inside, "lies in the submission " + folder / "mine" +
                                 ", into whose folder nothing is written; name a file elsewhere");
  }
  write(folder / "cases.json", "{}");
  refused(folder / "cases.json", "is the file of --cases; name another file",
          " --cases " + folder / "cases.json");
  CHECK(read(folder / "mine/my_filter.py") == source);
}

TEST_CASE("hidden cases find what the given ones do not, and are named in the reasons", "[lab]") {
  if (!has_tools("cpp")) return;
  const TemporaryFolder folder;
  const std::string right = right_one(folder / "right", "cpp", "zh");
  const std::string fitted = folder / "fitted";
  fs::copy(right, fitted);
  replace_in(fitted + "/my_filter.cpp", "std::ceil(n * request->bits_per_key)",
             "std::ceil(n * std::fmin(10.0, request->bits_per_key))");
  write(folder / "hidden.json", R"({"format": "bloomlab-lab-cases-1", "seed": 5,
    "limits": {"seconds": 30, "memory_mib": 512},
    "cases": [{"name": "many bits", "n": 3000, "bits_per_key": 12, "queries": 20000}]})");
  const Said said = bloomlab_says("lab grade " + right + " " + fitted + " --lang ru --csv " +
                                  folder / "a.csv" + " --cases " + folder / "hidden.json");
  CHECK(said.status == 0);
  CHECK_THAT(said.out, Contains("работ: 2; выполнено всё: 1, не всё: 1"));
  // Without a name, all folders of the current one, in the order of their names: the table's
  // numbers, which stand at the points too.
  const Said all = shell("cd " + folder / "" + " && \"$BLOOMLAB\" lab grade --csv all.csv");
  CHECK_THAT(read(folder / "all.csv"),
             Contains("\n1,\"fitted\",cpp") && Contains("\n2,\"right\",cpp"));
  CHECK_THAT(read(folder / "all.svg"),
             Contains("<tspan >1</tspan>") && Contains("<tspan >2</tspan>"));
  const std::string csv = with_plain_spaces(read(folder / "a.csv"));
  CHECK_THAT(row_of(csv, "right"), Contains(",passed,11,11,"));
  CHECK_THAT(
      row_of(csv, "fitted"),
      Contains(",failed,") && Contains("размер, many bits: в фильтре 30 000 бит, а не 36 000"));
  CHECK(bloomlab_says("lab check " + fitted).status == 0);
}
