#include "lab/language.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "record/input_error.hpp"
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

}  // namespace bloomlab::lab
