// bloomlab-foreign guard MEMORY_MIB network|no-network PATH FOLDER OPTION... start library PATH
// bloomlab-foreign guard MEMORY_MIB network|no-network PATH FOLDER OPTION... start command WORD...
// bloomlab-foreign within ...
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "foreign/runner/runner.hpp"

namespace {

using namespace bloomlab::foreign::runner;

int usage() {
  std::fputs("bloomlab-foreign is started by bloomlab, to run a filter from outside\n", stderr);
  return 2;
}

int guard_of(const std::vector<std::string>& words) {
  constexpr std::size_t first_option = 5;
  if (words.size() < first_option) return usage();
  Job job{.memory_mib = std::strtoull(words[1].c_str(), nullptr, 10),
          .network = words[2] == "network",
          .search_path = words[3],
          .folder = words[4]};
  for (std::size_t i = first_option; i + 1 < words.size(); i += 2) {
    const std::string& option = words[i];
    const std::string& value = words[i + 1];
    if (option == "bubblewrap") job.bubblewrap = value;
    if (option == "writes") job.writes_folder = value == "folder";
    if (option == "user") job.own_user = value == "own";
    if (option == "home") job.home = value;
    if (option == "hide") job.hidden.push_back(value);
    if (option == "show") job.shown.push_back(value);
    if (option != "start") continue;
    job.start.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
    break;
  }
  return job.start.size() < 2 ? usage() : guard(job);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return usage();
  if (words.front() == "guard") return guard_of(words);
  if (words.front() == "within") return start_within(inner_of(words));
  return usage();
}
