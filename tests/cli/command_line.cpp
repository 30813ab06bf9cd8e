#include "tests/cli/command_line.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "record/result_file.hpp"
#include "tests/paths.hpp"

namespace bloomlab::tests {

namespace fs = std::filesystem;

Said shell(const std::string& command) {
  const TemporaryFolder folder;
  const std::string line = "BLOOMLAB='" BLOOMLAB_BINARY_DIR "/bloomlab'; ( " + command + " ) >" +
                           (folder / "out") + " 2>" + (folder / "err") + " </dev/null";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(folder / "out"),
          read(folder / "err")};
}

Said bloomlab_says(const std::string& arguments) { return shell("\"$BLOOMLAB\" " + arguments); }

TemporaryFolder::TemporaryFolder() {
  static std::atomic<int> number = 0;
  path_ = fs::temp_directory_path() /
          ("bloomlab-cli-" + std::to_string(getpid()) + "-" + std::to_string(++number));
  fs::create_directories(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

nlohmann::ordered_json observations_in(const std::filesystem::path& result) {
  const record::ResultFile file = record::read_result_file(result);
  nlohmann::ordered_json json = {{"config", file.config},
                                 {"provenance", file.provenance},
                                 {"observations", nlohmann::ordered_json::array()}};
  for (const auto& one : file.observations) json["observations"].push_back(record::to_json(one));
  return json;
}

void write_observations(const std::filesystem::path& result, const nlohmann::ordered_json& json) {
  record::ResultFile file;
  file.config = json.at("config");
  file.provenance = json.at("provenance");
  for (const auto& one : json.at("observations")) {
    file.observations.push_back(record::observation_from_json(one, result.string()));
  }
  record::write_result_file(result, file);
}

std::string small_config(const std::string& grid_k) {
  return R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate",
 "title": "Small", "question": "Does the command line work?", "seed": 7, "trials": 6,
 "queries": 4000, "shared_across": ["/filter/k"],
 "grid": {"keys": {"source": "uniform"}, "n": 500,
  "filter": {"kind": "standard", "m": {"per_n": [8, 10]}, "k": )" +
         grid_k + R"(},
  "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}}})";
}

}  // namespace bloomlab::tests
