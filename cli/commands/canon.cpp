// bloomlab canon RESULTS_DIR: the digest of what must be equal between two runs.

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "analysis/data/load.hpp"
#include "cli/command.hpp"
#include "cli/result_folder.hpp"
#include "record/result_file.hpp"
#include "record/sha256.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;

struct CanonOptions {
  std::string folder;
  bool json = false;
};

int print_digests(const CanonOptions& options) {
  record::Json digests = record::Json::object();
  for (const fs::path& file : result_files(options.folder)) {
    digests[file.filename().string()] =
        record::sha256_hex(record::canonical_text(analysis::read_checked(file)));
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
      "cell or trial of its config, or whose numbers do not fit each other, is refused.");
  return [options] { return print_digests(*options); };
}

}  // namespace bloomlab::cli
