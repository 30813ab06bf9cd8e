// Files of keys: the distinct lines are distinct, not empty, and of one line each.
#include <set>

#include "experiments/sources/lines.hpp"
#include "fuzz.hpp"
#include "record/input_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomlab;
  try {
    const auto lines =
        experiments::distinct_lines(fuzz::file_of(fuzz::text_of(data, size), ".txt"));
    const std::set<std::string> distinct(lines.begin(), lines.end());
    fuzz::require(distinct.size() == lines.size() && !distinct.contains(""));
    for (const std::string& line : lines) fuzz::require(line.find('\n') == std::string::npos);
  } catch (const record::InputError&) {
  }
  return 0;
}
