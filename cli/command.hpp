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

using AddCommand = Action(CLI::App& parser);

/// A subcommand. `add` declares its options on the parser and returns its action; the options'
/// storage belongs to the action.
struct Command {
  std::string_view group;  ///< its heading in the help text; empty: it is not there
  std::string_view name;
  std::string_view summary;
  AddCommand* add;
};

/// The command of a process that is started to measure one trial; not in the help text.
inline constexpr std::string_view process_run_command = "process-run";

// One of each, in cli/commands.
AddCommand add_run, add_check, add_list, add_report, add_canon, add_bench, add_process_run,
    add_verify, add_compare, add_theory, add_plan, add_judge, add_system, add_inspect, add_export,
    add_threshold, add_explain, add_claims, add_audit, add_lab;

}  // namespace bloomlab::cli
