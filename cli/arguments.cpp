#include "cli/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "experiments/config/config.hpp"
#include "experiments/config/reading.hpp"
#include "planner/units.hpp"
#include "record/atomic_file.hpp"
#include "record/json_view.hpp"
#include "record/strict_json.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::cli {

CLI::Validator number_in(double least, double most, const std::string& what) {
  const auto fault = [=](const std::string& text) -> std::string {
    double value = 0.0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    // Nothing compares with nan.
    if (error == std::errc() && stop == end && value >= least && value <= most) return "";
    return "found \"" + text + "\"; a number from " + record::shortest(least) + " to " +
           record::shortest(most) + " is allowed, of " + what;
  };
  return {fault, "", ""};
}

CLI::Validator any_seconds() { return number_in(1e-9, 1e9, "seconds, such as 0.5"); }

void add_max_memory(CLI::App& parser, std::optional<std::string>& text) {
  parser.add_option("--max-memory", text,
                    "Take no more memory than this, with its unit: 2GiB; default: what the machine "
                    "has available and the limits of control group and process leave");
}

std::optional<std::uint64_t> max_memory_bytes(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return planner::parse_memory("--max-memory", *text) / 8;
}

std::string fault_of_number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault == std::errc() && end == text.data() + text.size()) return "";
  return "found \"" + text + "\"; a whole number from 0 to 18446744073709551615 is allowed";
}

namespace fs = std::filesystem;

void emit_config(const std::string& path, const record::Json& config, const std::string& what) {
  constexpr std::uintmax_t largest = std::uintmax_t{16} << 20;
  if (path.empty()) {
    throw record::InputError("--emit-config: found an empty name; give a file, such as mine.json");
  }
  const std::string text = config.dump(1) + "\n";
  try {
    static_cast<void>(experiments::config_of(config, path));
  } catch (const record::InputError& error) {
    throw record::InputError("--emit-config: " + what +
                             " cannot be measured here, nothing is written: " + error.what());
  }
  if (fs::is_regular_file(path) && record::read_text(path, largest) != text) {
    throw record::InputError("--emit-config: " + path +
                             " is there already and holds something else; remove it, or name "
                             "another file");
  }
  record::write_atomically(path, text);
}

experiments::Config with_json(const experiments::Config& config, const record::Json& json) {
  experiments::Config changed = experiments::config_of(json, config.path);
  changed.pages = config.pages;
  return changed;
}

std::vector<fs::path> result_files(const fs::path& folder) {
  std::error_code fault;
  std::vector<fs::path> files;
  for (fs::directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault)) {
    std::error_code unknown;
    if (it->path().extension() != ".json" || !it->is_regular_file(unknown)) continue;
    const std::string name = it->path().filename().string();
    if (const auto hidden = record::first_hidden(name)) {
      throw record::InputError(it->path().string() + ": the file's name holds " + *hidden +
                               "; rename it");
    }
    files.push_back(it->path());
  }
  if (fault) {
    throw record::InputError(folder.string() + ": cannot be read (" + fault.message() +
                             "); name a folder of results");
  }
  if (files.empty()) {
    throw record::InputError(folder.string() +
                             ": holds no result file (*.json); name a folder that `bloomlab run "
                             "--out` wrote");
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace bloomlab::cli
