// The walls of the house, checked on the text of every include: docs/architecture.md says why.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/paths.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path root = BLOOMLAB_SOURCE_DIR;

/// Which modules a module may include, beside itself.
const std::map<std::string, std::set<std::string>> allowed = {
    {"core", {}},
    {"record", {"core"}},
    {"statistics", {}},
    {"foreign", {"core", "record"}},
    {"audit", {"core", "record", "statistics", "foreign"}},
    {"experiments", {"core", "record", "statistics", "foreign", "audit"}},
    {"planner", {"core", "record"}},
    {"formats", {"core"}},
    {"analysis", {"core", "record", "statistics", "planner"}},
    {"lab", {"core", "record", "statistics", "foreign", "analysis"}},
    {"cli",
     {"core", "record", "statistics", "planner", "formats", "foreign", "audit", "experiments",
      "analysis", "lab"}},
};

struct Include {
  std::string file;
  std::string target;
};

std::vector<Include> includes_below(const fs::path& folder) {
  static const std::regex directive(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".hpp" && extension != ".cpp" && extension != ".in") continue;
    std::ifstream text(entry.path());
    std::smatch match;
    for (std::string line; std::getline(text, line);) {
      if (std::regex_search(line, match, directive)) {
        found.push_back({fs::relative(entry.path(), root).string(), match[1]});
      }
    }
  }
  return found;
}

/// Lines of C++ below the folder in which the expression is found, each after its file.
std::vector<std::string> lines_with(const fs::path& folder, const std::regex& expression) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".hpp" && extension != ".cpp") continue;
    std::ifstream text(entry.path());
    for (std::string line; std::getline(text, line);) {
      if (!std::regex_search(line, expression)) continue;
      found.push_back(fs::relative(entry.path(), root).string() + ": " + line);
    }
  }
  return found;
}

std::string top_folder(const std::string& path) { return path.substr(0, path.find('/')); }

std::vector<std::string> including(const fs::path& folder, const std::regex& forbidden) {
  std::vector<std::string> faults;
  for (const Include& include : includes_below(folder)) {
    if (std::regex_search(include.target, forbidden)) {
      faults.push_back(include.file + " includes " + include.target);
    }
  }
  return faults;
}

/// Units (a header and its source are one) and what each includes, of the modules.
std::map<std::string, std::set<std::string>> units_and_uses() {
  const auto unit_of = [](const fs::path& file) {
    return (file.parent_path() / file.stem()).generic_string();
  };
  std::map<std::string, std::set<std::string>> uses;
  for (const auto& [module, others] : allowed) {
    for (const auto& entry : fs::recursive_directory_iterator(root / module)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".hpp" && extension != ".cpp" && extension != ".h") continue;
      uses[unit_of(fs::relative(entry.path(), root))];
    }
    for (const Include& include : includes_below(root / module)) {
      const std::string from = unit_of(include.file);
      const std::string to = unit_of(include.target);
      if (from != to) uses[from].insert(to);
    }
  }
  return uses;
}

/// Units from which a way of includes leads back to themselves, by the circle that each is in.
std::map<std::string, std::string> units_in_circles(
    const std::map<std::string, std::set<std::string>>& uses) {
  const auto reached_from = [&](const std::string& unit) {
    std::set<std::string> reached;
    std::vector<std::string> open = {unit};
    while (!open.empty()) {
      const auto at = uses.find(open.back());
      open.pop_back();
      if (at == uses.end()) continue;
      for (const std::string& used : at->second) {
        if (reached.insert(used).second) open.push_back(used);
      }
    }
    return reached;
  };
  std::map<std::string, std::set<std::string>> reached;
  for (const auto& [unit, used] : uses) reached[unit] = reached_from(unit);
  std::map<std::string, std::string> circles;
  for (const auto& [unit, all] : reached) {
    if (!all.contains(unit)) continue;
    for (const std::string& other : all) {
      const auto back = reached.find(other);
      if (back != reached.end() && back->second.contains(unit)) circles[unit] += other + " ";
    }
  }
  return circles;
}

/// Includes within a module from a room to one that does not stand below it. `floors` from the
/// lowest to the highest; rooms of one line see nothing of each other, but for files of the ground.
std::vector<std::string> arrows_up(const std::string& module,
                                   const std::vector<std::set<std::string>>& floors,
                                   std::size_t at_least) {
  const auto room = [](const fs::path& path) { return std::next(path.begin())->string(); };
  const auto floor = [&](const std::string& name) {
    return std::find_if(floors.begin(), floors.end(),
                        [&](const auto& rooms) { return rooms.contains(name); }) -
           floors.begin();
  };
  const auto includes = includes_below(root / module);
  REQUIRE(includes.size() > at_least);
  std::vector<std::string> faults;
  for (const Include& include : includes) {
    const std::string from = room(include.file);
    INFO(include.file << " includes " << include.target);
    REQUIRE(floor(from) < static_cast<std::ptrdiff_t>(floors.size()));
    if (top_folder(include.target) != module || room(include.target) == from) continue;
    const bool file_of_the_ground =
        floor(from) == 0 && floor(room(include.target)) == 0 && fs::path(from).has_extension();
    const bool own_header = fs::path(include.file).stem() == fs::path(include.target).stem();
    if (floor(room(include.target)) < floor(from) || file_of_the_ground || own_header) continue;
    faults.push_back(include.file + " includes " + include.target);
  }
  return faults;
}

}  // namespace

TEST_CASE("no unit of a module leads back to itself", "[architecture]") {
  const auto uses = units_and_uses();
  REQUIRE(uses.size() > 400);
  REQUIRE(uses.at("core/keyed_filter").size() > 3);
  CHECK(units_in_circles({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}, {"d", {"a"}}}) ==
        std::map<std::string, std::string>{{"b", "b c "}, {"c", "b c "}});
  for (const auto& [unit, circle] : units_in_circles(uses)) {
    INFO(unit << " is in a circle with " << circle);
    CHECK(circle.empty());
  }
}

TEST_CASE("a module includes only the modules that the plan allows", "[architecture]") {
  for (const auto& [module, others] : allowed) {
    const auto includes = includes_below(root / module);
    REQUIRE_FALSE(includes.empty());
    for (const Include& include : includes) {
      const std::string target = top_folder(include.target);
      if (!allowed.contains(target)) continue;
      INFO(include.file << " includes " << include.target);
      CHECK((target == module || others.contains(target)));
    }
  }
}

TEST_CASE("no header hides another that is included by the same name", "[architecture]") {
  std::vector<std::string> headers;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::end(entry); ++entry) {
    const std::string name = entry->path().filename().string();
    // The strange headers of tests/consumer are there to be found in place of ours, and are not.
    if (entry->is_directory() && (name == "build" || name == "consumer" || name.starts_with('.'))) {
      entry.disable_recursion_pending();
    }
    if (entry->path().extension() == ".hpp") {
      headers.push_back(fs::relative(entry->path(), root).string());
    }
  }
  REQUIRE(headers.size() > 100);
  for (const std::string& hiding : headers) {
    for (std::size_t at = hiding.find('/'); at != std::string::npos;
         at = hiding.find('/', at + 1)) {
      const std::string hidden = hiding.substr(at + 1);
      if (hidden.find('/') == std::string::npos) continue;
      INFO(hiding << " may be found in place of " << hidden);
      CHECK(std::find(headers.begin(), headers.end(), hidden) == headers.end());
    }
  }
}

TEST_CASE("the rooms of the analysis form no circle", "[architecture]") {
  std::map<std::string, std::set<std::string>> uses;
  for (const Include& include : includes_below(root / "analysis")) {
    const fs::path from(include.file);
    const fs::path to(include.target);
    const auto room = [](const fs::path& path) {
      return path.parent_path().has_parent_path() ? std::next(path.begin())->string()
                                                  : std::string("(top)");
    };
    if (top_folder(include.target) != "analysis" || room(from) == room(to)) continue;
    uses[room(from)].insert(room(to));
  }
  REQUIRE(uses.size() >= 8);
  // Take away what uses nothing that is left, until nothing is left, or only circles.
  for (bool less = true; less;) {
    less = false;
    for (auto at = uses.begin(); at != uses.end();) {
      const bool is_last = std::none_of(at->second.begin(), at->second.end(),
                                        [&](const auto& used) { return uses.contains(used); });
      at = is_last ? uses.erase(at) : std::next(at);
      less = less || is_last;
    }
  }
  std::string left;
  for (const auto& [room, used] : uses) left += room + " ";
  INFO("in a circle: " << left);
  CHECK(uses.empty());
}

TEST_CASE("the rooms of the core stand one above the other, and no arrow goes up",
          "[architecture]") {
  // From the lowest to the highest; rooms of one line see nothing of each other.
  const std::vector<std::set<std::string>> floors = {
      {"answer.hpp", "digest_stream.hpp", "digests.hpp", "filter_state.hpp", "parameters.hpp",
       "refusal.cpp", "refusal.hpp", "require_places.hpp", "type_list.hpp"},
      {"bits", "theory"},
      {"simd"},
      {"reduction", "keys"},
      {"hash"},
      {"probe"},
      {"filters"},
      {"hashing.hpp", "hashing.cpp"},
      {"catalogue.hpp", "hash_stage.hpp"},
      {"parallel"},
      {"serialization"},
      {"keyed_filter.cpp", "keyed_filter.hpp"},
      {"saved_filter.hpp", "atomic_filter.hpp"},
  };
  CHECK(arrows_up("core", floors, 500) == std::vector<std::string>{});
}

TEST_CASE("the rooms of the experiments stand one above the other, and no arrow goes up",
          "[architecture]") {
  const std::vector<std::set<std::string>> floors = {
      {"machine", "sources", "own_filter.hpp", "own_hash.hpp"},
      {"applications", "cells"},
      {"mutants", "peers"},
      {"speed"},
      {"kinds"},
      {"config"},
      {"engine"},
      {"store"},
  };
  CHECK(arrows_up("experiments", floors, 400) == std::vector<std::string>{});
}

TEST_CASE("the theory includes no filter, hash or probe: the judge shares no code with the judged",
          "[architecture]") {
  CHECK(including(root / "core/theory", std::regex("^core/(?!theory/)")).empty());
}

TEST_CASE("the core knows no JSON, no streams and no clock", "[architecture]") {
  CHECK(including(root / "core", std::regex("nlohmann|^(iostream|fstream|chrono|filesystem)$"))
            .empty());
}

TEST_CASE("statistics are pure functions over numbers: no JSON, no streams", "[architecture]") {
  CHECK(including(root / "statistics", std::regex("nlohmann|^(iostream|fstream|filesystem)$"))
            .empty());
}

TEST_CASE("no experiment evaluates a closed form: results hold no prediction", "[architecture]") {
  // But for what a filter's size is chosen by, where filters shrink and where levels share bits;
  // and for how many keys must be tried until some are found, which bounds the work before it
  // begins.
  const std::set<std::string> choose_sizes = {
      "experiments/kinds/hostile_keys.cpp", "experiments/kinds/shrinking.cpp",
      "experiments/kinds/table_levels.cpp", "experiments/store/main.cpp"};
  std::set<std::string> theorists;
  for (const Include& include : includes_below(root / "experiments")) {
    if (include.target.starts_with("core/theory/")) theorists.insert(include.file);
  }
  CHECK(theorists == choose_sizes);
  // And for the memory that a target rate takes, which is a filter's size and no result.
  const auto sizing = including(root / "experiments", std::regex("^core/filters/sizing.hpp$"));
  REQUIRE(sizing.size() == 1);
  CHECK_THAT(sizing.front(), Catch::Contains("speed/stream_implementations.cpp"));
}

TEST_CASE("the core reads no memory through a pointer to numbers of another width",
          "[architecture]") {
  // Strict aliasing: compilers take what such a pointer reads for other memory. Bytes, and types
  // that may alias, are named otherwise.
  static const std::regex view(R"(reinterpret_cast<(const )?(std::)?u?int(16|32|64)_t ?\*)");
  CHECK(lines_with(root / "core", view) == std::vector<std::string>{});
}

TEST_CASE("no module calls a function that answers all threads in one place", "[architecture]") {
  static const std::regex call(
      R"(\b(getpw(uid|nam)|getgr(gid|nam)|localtime|gmtime|asctime|ctime|strtok|tmpnam|ttyname|)"
      R"(getlogin|ptsname|gethostbyname|setlocale|setenv|unsetenv|putenv)\()");
  for (const auto& [module, others] : allowed) {
    CHECK(lines_with(root / module, call) == std::vector<std::string>{});
  }
}

TEST_CASE("no part of what a call gives is looked at after it has ended", "[architecture]") {
  // What a function gives by value lives to the end of its statement: a loop over a part of it that
  // is itself asked for by a call, and a name for such a part, read freed memory.
  static const std::regex part(
      R"((for \(.* :|& \w+ =) [\w:]*\w\([^)].*\)\.(at|front|back|value|get_ref)(<.*>)?\()");
  for (const auto& [module, others] : allowed) {
    CHECK(lines_with(root / module, part) == std::vector<std::string>{});
  }
  CHECK(lines_with(root / "tests", part) == std::vector<std::string>{});
}

TEST_CASE("a function that only gives a hint is inlined at any cost", "[architecture]") {
  // GCC 12 takes it for one without effect, and leaves out its calls where it does not inline it.
  static const std::regex inlined("always_inline|HWY_INLINE");
  static const std::regex begins(R"(\)[^()]*\{$)");  // a function, a loop or a branch
  static const std::regex other(R"(^ *(\} else|if|for|while|switch)\b)");
  std::vector<std::string> dropped;
  int hints = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "core")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream text(entry.path());
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
      if (lines[i].find("__builtin_prefetch(") == std::string::npos) continue;
      ++hints;
      std::size_t head = i - 1;
      while (head > 0 && lines[head].find("__builtin_prefetch(") != std::string::npos) --head;
      if (lines[head].find("//") != std::string::npos && head > 0) --head;
      if (lines[i + 1].find_first_not_of(" };,") != std::string::npos) continue;
      if (!std::regex_search(lines[head], begins) || std::regex_search(lines[head], other))
        continue;
      if (std::regex_search(lines[head], inlined)) continue;
      dropped.push_back(fs::relative(entry.path(), root).string() + ": " + lines[head]);
    }
  }
  CHECK(hints > 10);
  CHECK(dropped == std::vector<std::string>{});
}

TEST_CASE("a package with a header is installed only if some source includes it",
          "[architecture]") {
  // The lines of run_all.sh: PACKAGE header PATH.
  static const std::regex requirement(R"(^(\S+) header (\S+)$)");
  std::set<std::string> first_parts;
  for (const char* folder : {"core", "record", "statistics", "planner", "formats", "foreign",
                             "audit", "experiments", "analysis", "lab", "cli", "tests"}) {
    for (const Include& include : includes_below(root / folder)) {
      first_parts.insert(top_folder(include.target));
    }
  }
  std::ifstream script(root / "run_all.sh");
  std::smatch match;
  int packages = 0;
  for (std::string line; std::getline(script, line);) {
    if (!std::regex_match(line, match, requirement)) continue;
    ++packages;
    const fs::path header(match[2].str());
    INFO(line);
    CHECK(std::any_of(header.begin(), header.end(),
                      [&](const fs::path& part) { return first_parts.contains(part.string()); }));
  }
  CHECK(packages >= 10);
}
