// bloomlab canon RESULTS_DIR: the digest of what must be equal between two runs.

#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "analysis/data/load.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "experiments/cells/foreign_cell.hpp"
#include "record/result_file.hpp"
#include "record/sha256.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;

struct CanonOptions {
  std::string folder;
  bool json = false;
};

/// Names, in one line, what the digest leaves out, or says nothing.
void say_left_out(const std::string& name, const record::ResultFile& file) {
  std::map<std::string, std::set<std::string>> cells;
  for (const record::Observation& observation : file.observations) {
    if (record::is_repeatable(observation)) continue;
    const record::Json* const filter = experiments::foreign_object(observation.cell);
    cells[filter != nullptr ? experiments::foreign_text(*filter) : "a filter"].insert(
        observation.cell.dump());
  }
  if (cells.empty()) return;
  std::string text;
  for (const auto& [filter, of_filter] : cells) {
    text += (text.empty() ? "" : "; ") + filter + " (" + std::to_string(of_filter.size()) +
            (of_filter.size() == 1 ? " cell)" : " cells)");
  }
  std::cerr << name << ": not in the digest, as they declare themselves non-deterministic: " << text
            << '\n';
}

int print_digests(const CanonOptions& options) {
  record::Json digests = record::Json::object();
  for (const fs::path& path : result_files(options.folder)) {
    const std::string name = path.filename().string();
    const record::ResultFile file = analysis::read_checked(path);
    digests[name] = record::sha256_hex(record::canonical_text(file));
    say_left_out(name, file);
  }
  if (options.json) {
    std::cout << digests.dump() << '\n';
  } else {
    for (const auto& [name, digest] : digests.items()) {
      std::cout << digest.get<std::string>() << "  " << name << '\n';
    }
  }
  return done;
}

}  // namespace

Action add_canon(CLI::App& parser) {
  auto options = std::make_shared<CanonOptions>();
  parser.add_option("results", options->folder, "Folder of result files")->required();
  parser.add_flag("--json", options->json, "Print one JSON object, file name to digest");
  parser.footer(
      "The digest is a SHA-256 over a result file without its provenance and timings.\n"
      "Equal digests mean equal counts, whatever the threads, shards or machine. A file that lacks "
      "a\n"
      "cell or trial of its config, or whose numbers do not fit each other, is refused. Cells of\n"
      "filters that declare themselves non-deterministic are left out, and named on standard "
      "error.");
  return [options] { return print_digests(*options); };
}

}  // namespace bloomlab::cli
