// bloomlab compare A B: what differs between two result folders beyond chance.

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "analysis/compare/comparison.hpp"
#include "analysis/data/load.hpp"
#include "cli/command.hpp"
#include "cli/compare/report.hpp"
#include "record/input_error.hpp"

namespace bloomlab::cli {
namespace {

struct CompareOptions {
  std::string first;
  std::string second;
  std::string fail_on;
  bool json = false;
};

/// A folder that cannot be read is bad input, whatever is wrong with it: exit status 1 says that
/// results differ.
std::vector<analysis::ResultSet> load_for_comparison(const std::string& folder) {
  try {
    return analysis::load(folder);
  } catch (const record::RunError& error) {
    throw record::InputError(error.what());
  }
}

int compare_folders(const CompareOptions& options, bool limited) {
  const auto limits =
      limited ? analysis::compare::parse_fail_on(options.fail_on) : analysis::compare::FailOn{};
  const auto first = load_for_comparison(options.first);
  const auto second = load_for_comparison(options.second);
  const auto pairing = analysis::compare::pair_up(first, second);
  if (pairing.cells() == 0) {
    throw record::InputError(options.first + " and " + options.second +
                             ": no cell of a file of one name is in both; name two folders with " +
                             "results of the same configs");
  }
  const auto comparison = analysis::compare::compare_pairs(pairing);
  const ComparisonAnswer answer{options.first, options.second, pairing, comparison, limits};
  if (options.json) {
    std::cout << comparison_json(answer).dump(2) << '\n';
  } else {
    std::cout << comparison_report(answer);
  }
  return answer.failed() ? failed : done;
}

}  // namespace

Action add_compare(CLI::App& parser) {
  auto options = std::make_shared<CompareOptions>();
  parser.add_option("first", options->first, "Folder of result files: what was")->required();
  parser.add_option("second", options->second, "Folder of result files: what is")->required();
  const auto* fail_on =
      parser.add_option("--fail-on", options->fail_on,
                        "rate:X,time:Y or one of them; X and Y are relative, such as 0.01 or 5%");
  parser.add_flag("--json", options->json, "Print every test as JSON");
  parser.footer(
      "Cells are matched by file, cell and step. A filter is the replicate of a rate, a process\n"
      "that of a duration. Holm's procedure keeps the chance of any false alarm at 0.01.\n"
      "Exit status 1 only with --fail-on:\n"
      "  rate:X  a rate changed beyond chance, up or down, and its 95 % interval does not exclude\n"
      "          a change by X\n"
      "  time:Y  a duration of at least 10 process runs a side rose beyond chance and beyond the "
      "noise\n"
      "          floor, by Y at least (Hodges and Lehmann's estimate); durations of trials within\n"
      "          one process are told and never fail\n"
      "docs/compare.md tells more.");
  return [options, fail_on] { return compare_folders(*options, fail_on->count() > 0); };
}

}  // namespace bloomlab::cli
