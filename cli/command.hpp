// A subcommand of the one binary: what to parse, and what to do then.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string_view>

namespace bloomlab::cli {

/// Exit statuses of every command.
enum ExitStatus : int {
  done = 0,
  failed = 1,     ///< the run failed, or a promise did not hold
  bad_input = 2,  ///< the command line, a config or a folder was refused
};

/// What a subcommand does once its arguments are parsed; the result is the exit status.
using Action = std::function<int()>;

/// A subcommand. `add` declares its options on the parser and returns its action; the options'
/// storage belongs to the action.
struct Command {
  std::string_view name;
  std::string_view summary;
  Action (*add)(CLI::App& parser);
};

/// The command of a process that is started to measure one trial; not in the help text.
inline constexpr std::string_view process_run_command = "process-run";

// One of each, in cli/commands.
Action add_run(CLI::App& parser);
Action add_check(CLI::App& parser);
Action add_list(CLI::App& parser);
Action add_report(CLI::App& parser);
Action add_canon(CLI::App& parser);
Action add_bench(CLI::App& parser);
Action add_process_run(CLI::App& parser);
Action add_verify(CLI::App& parser);
Action add_compare(CLI::App& parser);
Action add_theory(CLI::App& parser);
Action add_plan(CLI::App& parser);
Action add_check_params(CLI::App& parser);
Action add_system(CLI::App& parser);
Action add_inspect(CLI::App& parser);
Action add_export(CLI::App& parser);
Action add_threshold(CLI::App& parser);
Action add_explain(CLI::App& parser);
Action add_claims(CLI::App& parser);
Action add_audit(CLI::App& parser);
Action add_lab(CLI::App& parser);

}  // namespace bloomlab::cli
