#include "cli/command.hpp"

namespace bloomlab::cli {

std::span<const Command> commands() {
  static constexpr Command all[] = {
      {"run", "Run the experiments of one or more configs", add_run},
      {"check", "Check configs; say how many cells, how much memory and how long", add_check},
      {"list", "List filters, hashes, probes, reductions, key sources and kinds", add_list},
      {"report", "Compare results with theory; write the figures and REPORT.md", add_report},
      {"canon", "Print the digest of what must be equal between two runs", add_canon},
      {"verify", "Measure again and demand equal counts", add_verify},
      {"compare", "Say what differs between two result folders beyond chance", add_compare},
      {"bench", "Measure speeds beside limits and peers, with their rates", add_bench},
      {process_run_command, "Measure one trial and end", add_process_run},
      {"theory", "Evaluate a closed form at full precision", add_theory},
      {"plan", "Choose m, k or n so that a rate is kept; say what it costs", add_plan},
      {"explain", "Show a small Bloom filter at work, step by step", add_explain},
      {"check-params", "Judge parameters, or a production system's rules", add_check_params},
      {"system", "Say what a production system makes of n and p, and what to set", add_system},
      {"inspect", "Say what a saved filter tells, whoever wrote it", add_inspect},
      {"export", "Write a filter of keys for Guava, Go or Parquet", add_export},
      {"audit", "Examine one filter from outside, and say what is wrong and why", add_audit},
      {"threshold", "Say how many false positives a test may allow", add_threshold},
      {"claims", "Judge what sources say, or the claims of a file", add_claims},
      {"lab", "Make, check and grade assignments of a course", add_lab},
  };
  return all;
}

}  // namespace bloomlab::cli
