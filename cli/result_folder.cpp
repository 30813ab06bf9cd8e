#include "cli/result_folder.hpp"

#include <algorithm>
#include <system_error>

#include "record/input_error.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::cli {

namespace fs = std::filesystem;

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
