#include "cli/retired_options.hpp"

#include <array>
#include <string_view>

namespace bloomlab::cli {
namespace {

struct Renamed {
  std::string_view command;
  std::string_view retired;
  std::string_view today;
};

constexpr std::array renamed = {
    Renamed{"bench", "--launches", "--process-runs"},
    Renamed{"plan", "--strangers", "--absent-keys"},
};

/// Whether the argument is that option, alone or with `=VALUE`.
bool is_option(std::string_view argument, std::string_view option) {
  return argument == option ||
         (argument.starts_with(option) && argument.substr(option.size()).starts_with('='));
}

}  // namespace

std::vector<std::string> with_options_of_today(std::span<char* const> arguments,
                                               std::ostream& hints) {
  std::vector<std::string> result(arguments.begin(), arguments.end());
  for (std::size_t i = 2; i < result.size() && result[i] != "--"; ++i) {
    for (const Renamed& option : renamed) {
      if (result[1] != option.command || !is_option(result[i], option.retired)) continue;
      hints << "bloomlab: " << option.retired << " is called " << option.today
            << " now; the old name goes with the next version\n";
      result[i].replace(0, option.retired.size(), option.today);
    }
  }
  return result;
}

}  // namespace bloomlab::cli
