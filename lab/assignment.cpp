#include "lab/assignment.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "analysis/text/words.hpp"
#include "record/atomic_file.hpp"
#include "record/input_error.hpp"
#include "record/input_file.hpp"
#include "record/json_view.hpp"
#include "record/strict_json.hpp"
#include "record/suggest.hpp"

namespace bloomlab::lab {
namespace {

constexpr std::array<Language, 4> all = {{
    {.name = "cpp",
     .title = "C++",
     .source = "my_filter.cpp",
     .build = "g++ -std=c++17 -O2 -fPIC -shared -I. my_filter.cpp -o libmy_filter.so",
     .start = "libmy_filter.so",
     .is_library = true,
     .made = "*.so",
     .weighed_keys = 1'000'000,
     .spare_mib = 1},
    {.name = "python",
     .title = "Python",
     .source = "my_filter.py",
     .build = "",
     .start = "python3 my_filter.py",
     .made = "__pycache__/",
     .weighed_keys = 250'000,
     .spare_mib = 1},
    {.name = "java",
     .title = "Java",
     .source = "MyFilter.java",
     .build = "javac -encoding UTF-8 MyFilter.java",
     .start = "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmn4m MyFilter",
     .made = "*.class",
     .weighed_keys = 500'000,
     .spare_mib = 2},
    {.name = "js",
     .title = "JavaScript",
     .source = "my_filter.js",
     .build = "",
     .start = "node my_filter.js",
     .made = "node_modules/",
     .weighed_keys = 500'000,
     .spare_mib = 4},
}};

/// What stands between the marks of the gap, without spaces.
std::optional<std::string> gap_in(std::string_view text, int number) {
  const std::string name = " gap " + std::to_string(number);
  const std::size_t open = text.find(">>>" + name);
  if (open == std::string_view::npos) return std::nullopt;
  const std::size_t close = text.find("<<<" + name, open);
  if (close == std::string_view::npos) return std::nullopt;
  std::string between;
  for (const char c : text.substr(open, close - open)) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) between += c;
  }
  return between;
}

namespace fs = std::filesystem;
using analysis::Tags;
using analysis::Words;
using record::Json;

constexpr std::string_view manifest_name = "assignment.json";
constexpr std::string_view format = "bloomlab-lab-1";

std::string_view template_text(const std::string& name) {
  const auto text = analysis::embedded_text("templates/lab/" + name);
  if (!text) throw record::RunError("templates/lab/" + name + ": is not part of this program");
  return *text;
}

/// The filter of the config, without the braces around it.
std::string filter_json(const Language& language) {
  if (language.is_library) {
    return R"("kind": "library", "path": ")" + std::string(language.start) + '"';
  }
  std::string words;
  std::string_view rest = language.start;
  while (!rest.empty()) {
    const std::size_t space = std::min(rest.find(' '), rest.size());
    words += (words.empty() ? "" : ", ") + ('"' + std::string(rest.substr(0, space)) + '"');
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  std::string json = R"("kind": "command", "command": [)" + words + "]";
  // The program of a class file is not named in its command.
  if (!language.build.empty()) json += R"(, "files": [")" + std::string(language.source) + R"("])";
  return json;
}

/// What the tags of the template stand for: the words of the code, and what a language fixes.
std::string filled(const std::string& name, const Assignment& assignment, const Words& words) {
  const std::string_view text = template_text(name);
  const Language& language = *assignment.language;
  const std::string build =
      language.build.empty() ? words("build.none", {{"source", std::string(language.source)}})
                             : words("build.command", {{"command", std::string(language.build)}});
  Tags tags;
  for (const std::string& tag : analysis::tag_names(name, text)) {
    if (tag == "title") {
      tags[tag] = language.title;
    } else if (tag == "source") {
      tags[tag] = language.source;
    } else if (tag == "k") {
      tags[tag] = std::to_string(assigned_probes);
    } else if (tag == "build") {
      tags[tag] = build;
    } else if (tag == "made") {
      tags[tag] = language.made;
    } else if (tag == "filter") {
      tags[tag] = filter_json(language);
    } else if (words.has("code." + tag)) {
      tags[tag] = words("code." + tag);
    }
  }
  return analysis::fill_frame(name, text, tags);
}

std::string manifest_of(const Assignment& assignment) {
  const Json json = {
      {"format", format}, {"language", assignment.language->name}, {"lang", assignment.human}};
  return json.dump(2) + "\n";
}

bool is_empty_or_absent(const fs::path& folder) {
  if (!fs::exists(fs::symlink_status(folder))) return true;
  return fs::is_directory(folder) && fs::is_empty(folder);
}

}  // namespace

std::span<const Language> languages() { return all; }

const Language& language(std::string_view name) {
  const auto* const found = std::ranges::find(all, name, &Language::name);
  if (found != all.end()) return *found;
  std::vector<std::string_view> known;
  for (const Language& one : all) known.push_back(one.name);
  throw record::InputError("unknown language \"" + std::string(name) + "\"; " +
                           record::suggestion(name, known));
}

std::vector<int> unfilled_gaps(std::string_view text, std::string_view given) {
  std::vector<int> unfilled;
  for (int number = 1; number <= planted_gaps; ++number) {
    const auto gap = gap_in(text, number);
    if (gap && gap == gap_in(given, number)) unfilled.push_back(number);
  }
  return unfilled;
}

void write_assignment(const Assignment& assignment) {
  const Words words(assignment.human, "lab");
  const fs::path& folder = assignment.folder;
  if (folder.empty() || !is_empty_or_absent(folder)) {
    throw record::InputError(folder.string() +
                             ": is not an empty folder; name one that is empty or not there yet");
  }
  const Language& language = *assignment.language;
  const std::string source(language.source);
  const std::string end = "." + assignment.human + ".md";
  std::vector<std::pair<std::string, std::string>> files = {
      {std::string(manifest_name), manifest_of(assignment)},
      {source, filled(source + ".in", assignment, words)},
      {"README.md", filled("README" + end, assignment, words)},
      {"HANDOUT.md", filled("HANDOUT" + end, assignment, words)},
      {"sweep.json", filled("sweep.json", assignment, words)},
      {"sweep.page.md", std::string(template_text("sweep.page.md"))},
      {".gitignore", filled("gitignore", assignment, words)}};
  for (const std::string translated : {"zh", "ru"}) {
    const std::string page = "sweep.page." + translated + ".md";
    files.emplace_back(page, template_text(page));
  }
  if (language.is_library) {
    files.emplace_back("bloomlab_filter.h", template_text("bloomlab_filter.h"));
  }
  for (const auto& [name, text] : files) record::write_atomically(folder / name, text);
}

Assignment read_assignment(const fs::path& folder) {
  constexpr std::array<std::string_view, 3> keys = {"format", "language", "lang"};
  constexpr std::uintmax_t most_bytes = 4096;
  const fs::path path = folder / manifest_name;
  if (!fs::exists(fs::symlink_status(path))) {
    throw record::InputError(folder.string() + ": holds no " + std::string(manifest_name) +
                             ", so it is no assignment; bloomlab lab new DIR makes one");
  }
  const record::Origin origin{path.string()};
  const Json json = record::parse_json(record::read_regular(path, most_bytes), path.string());
  const record::JsonView view(json, origin);
  const record::ObjectReader reader(view, "an assignment", keys);
  constexpr std::array<std::string_view, 1> formats = {format};
  static_cast<void>(reader.at("format", "the format").word("format", formats));
  std::vector<std::string_view> known;
  for (const Language& one : languages()) known.push_back(one.name);
  const auto name = reader.at("language", "a language").word("language", known);
  constexpr std::array<std::string_view, 3> humans = {"en", "zh", "ru"};
  const auto human = reader.at("lang", "language of its texts").word("language", humans);
  return {folder, &language(name), std::string(human)};
}

}  // namespace bloomlab::lab
