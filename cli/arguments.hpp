// Arguments that several commands have: name=value, --max-memory, changed configs, and a folder of
// result files.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/config/config.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/json.hpp"
#include "record/suggest.hpp"

namespace bloomlab::cli {

/// What words like n=1M are called in the help text of a command that takes them.
inline constexpr const char* quantity = "NAME=VALUE";

/// Takes each name once. Throws record::InputError for a text without "=" and a name given twice.
class Assignments {
 public:
  /// @param command in messages
  Assignments(std::string command, const std::vector<std::string>& texts)
      : command_(std::move(command)) {
    for (const std::string& text : texts) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || equals == 0) {
        throw record::InputError(command_ + ": found \"" + text +
                                 "\"; quantities are written name=value, such as n=1M");
      }
      if (!values_.emplace(text.substr(0, equals), text.substr(equals + 1)).second) {
        throw record::InputError(command_ + ": " + text.substr(0, equals) +
                                 " is given twice; give it once");
      }
    }
  }

  [[nodiscard]] std::optional<std::string> take(const std::string& name) {
    const auto found = values_.find(name);
    if (found == values_.end()) return std::nullopt;
    std::string value = found->second;
    values_.erase(found);
    return value;
  }

  /// n and p, where they are given; p may be called fpr.
  [[nodiscard]] std::optional<std::uint64_t> take_keys() {
    const auto text = take("n");
    return text ? std::optional(planner::parse_count("n", *text, "keys")) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> take_rate() {
    const auto p = take("p");
    const auto fpr = take("fpr");
    if (p && fpr) {
      throw record::InputError(command_ + ": p and fpr are the same rate; give one of them");
    }
    if (fpr) return planner::parse_probability("fpr", *fpr);
    return p ? std::optional(planner::parse_probability("p", *p)) : std::nullopt;
  }

  /// What nobody took.
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& rest() const {
    return values_;
  }

  /// Refuses what nobody took and is not known.
  void require_known(const std::vector<std::string_view>& known) const {
    for (const auto& [name, value] : values_) {
      if (std::ranges::find(known, name) != known.end()) continue;
      throw record::InputError(command_ + ": unknown quantity \"" + name + "\"; " +
                               record::suggestion(name, known));
    }
  }

 private:
  std::string command_;
  std::map<std::string, std::string, std::less<>> values_;
};

/// Allows a number from `least` to `most`, and neither nan nor inf: for CLI::Option::check.
/// @param what it is a number of, with what it is for example: "seconds, such as 0.5"
[[nodiscard]] CLI::Validator number_in(double least, double most, const std::string& what);

/// Of --timeout and --seconds: from a nanosecond to 30 years.
[[nodiscard]] CLI::Validator any_seconds();

/// Adds the option to a command.
void add_max_memory(CLI::App& parser, std::optional<std::string>& text);

/// Its value [bytes]. Throws record::InputError for what is no size.
[[nodiscard]] std::optional<std::uint64_t> max_memory_bytes(const std::optional<std::string>& text);

/// A check of options that take any 64-bit number, which CLI11 reads from -1 and 2^64 too: what is
/// wrong with the text, or an empty one.
[[nodiscard]] std::string fault_of_number(const std::string& text);

/// Writes a config that a run on this machine accepts, or nothing. Throws record::InputError for an
/// empty name, a config that cannot be run (`what` it measures is named), and a file that is there.
void emit_config(const std::string& path, const record::Json& config, const std::string& what);

/// The config with another JSON, and with its page. Throws record::InputError as a reader of it.
[[nodiscard]] experiments::Config with_json(const experiments::Config& config,
                                            const record::Json& json);

/// The *.json of a folder in order of their names; never empty. Throws record::InputError where the
/// folder cannot be read or holds none.
[[nodiscard]] std::vector<std::filesystem::path> result_files(const std::filesystem::path& folder);

}  // namespace bloomlab::cli
