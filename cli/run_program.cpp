#include "cli/run_program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "core/theory/models.hpp"
#include "experiments/cells/own_filters.hpp"
#include "record/input_error.hpp"
#include "record/json.hpp"
#include "record/json_view.hpp"
#include "record/suggest.hpp"

namespace bloomlab::cli {
namespace {

/// Every subcommand, in the order of the help text: what is asked without measuring, what
/// measures, what looks at filters of others, what is for courses.
constexpr Command commands[] = {
    {"Ask", "plan", "Choose m, k or n so that a rate is kept; say what it costs", add_plan},
    {"Ask", "judge", "Judge parameters and what was counted", add_judge},
    {"", "check-params", "The former name of judge", add_judge},
    {"Ask", "system", "Say what a production system makes of n and p, and what to set", add_system},
    {"Ask", "threshold", "Say how many false positives a test may allow", add_threshold},
    {"Ask", "theory", "Evaluate a closed form at full precision", add_theory},
    {"Ask", "explain", "Show a small Bloom filter at work, step by step", add_explain},
    {"Measure", "run", "Run the experiments of one or more configs", add_run},
    {"Measure", "check", "Check configs; say how many cells, how much memory and how long",
     add_check},
    {"Measure", "report", "Compare results with theory; write the figures and REPORT.md",
     add_report},
    {"Measure", "verify", "Measure again and demand equal counts", add_verify},
    {"Measure", "compare", "Say what differs between two result folders beyond chance",
     add_compare},
    {"Measure", "canon", "Print the digest of what must be equal between two runs", add_canon},
    {"Measure", "bench", "Measure speeds beside limits and peers, with their rates", add_bench},
    {"Measure", "list", "List filters, hashes, probes, reductions, key sources, kinds and configs",
     add_list},
    {"", process_run_command, "Measure one trial and end", add_process_run},
    {"Examine", "inspect", "Say what a saved filter tells, whoever wrote it", add_inspect},
    {"Examine", "export", "Write a filter of keys for Guava, Go or Parquet", add_export},
    {"Examine", "audit", "Examine one filter from outside, and say what is wrong and why",
     add_audit},
    {"Teach", "lab", "Make, check and grade assignments of a course", add_lab},
    {"Teach", "claims", "Judge what sources say, or the claims of a file", add_claims},
};

int complain(const std::exception& error, int status) {
  std::cout.flush();
  std::cerr << "bloomlab: " << one_line(error.what()) << '\n';
  return status;
}

constexpr std::string_view memory_line =
    "bloomlab: out of memory; run fewer jobs or a smaller config\n";

int out_of_memory() {
  std::cout.flush();
  std::cerr << memory_line;
  return failed;
}

/// For a destructor that finds no memory, in any thread: nlohmann's allocate, and may not throw.
[[noreturn]] void end_with_a_line() {
  try {
    if (const std::exception_ptr fault = std::current_exception()) std::rethrow_exception(fault);
  } catch (const std::bad_alloc&) {
    static_cast<void>(!::write(STDERR_FILENO, memory_line.data(), memory_line.size()));
    ::_exit(failed);
  } catch (...) {  // a defect: let it be seen
  }
  std::abort();
}

/// What a full disk or a closed pipe kept from being printed must not pass for done.
int with_output_written(int status) {
  std::cout.flush();
  if (std::cout) return status;
  std::cerr << "bloomlab: the output cannot be written; make room, or send it elsewhere\n";
  return status == done ? failed : status;
}

/// Descriptors that the caller has closed would be given to the next files that are opened, which
/// would then take what is printed. As if closed, these can be neither read nor written.
void hold_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    const int opened = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != stream) ::close(opened);
  }
}

/// A path that the system refuses: too long, of a folder without permission, or the current folder,
/// which has no name once it is removed.
std::string path_of(const std::filesystem::filesystem_error& error) {
  if (!error.path1().empty()) return error.path1().string();
  std::error_code removed;
  static_cast<void>(std::filesystem::current_path(removed));
  return removed ? "the current folder" : "a path";
}

/// The net below every command: no reader of a file has named a value of another kind, so that
/// neither the file nor the place is known here, only what the command was given.
int complain_of_value(const std::string& command, const record::Json::exception& error) {
  return complain(
      record::InputError(command + ": cannot read a file that it takes: " +
                         record::plain_fault(error) + "; restore the file, or make it again"),
      bad_input);
}

int perform(const std::string& command, const Action& action) {
  try {
    return with_output_written(action());
  } catch (const record::InputError& error) {
    return complain(error, bad_input);
  } catch (const theory::DomainError& error) {
    return complain(error, bad_input);
  } catch (const record::Json::exception& error) {
    return complain_of_value(command, error);
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(record::InputError(path_of(error) + ": " + error.code().message() +
                                       "; check the path and its permissions"),
                    bad_input);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::system_error& error) {
    // A thread that finds no memory for its stack.
    const bool short_of_memory = error.code() == std::errc::resource_unavailable_try_again;
    return short_of_memory ? out_of_memory() : complain(error, failed);
  } catch (const std::exception& error) {
    return complain(error, failed);
  }
}

/// @param word as it was given, perhaps with a value behind `=`
/// @param otherwise what to do where no known option is near
std::string unknown_option(std::string word, std::span<const std::string_view> known,
                           const std::string& otherwise = "") {
  word = word.substr(0, word.find('='));
  const auto near = record::nearest(word, known);
  const std::string advice = near ? "did you mean \"" + std::string(*near) + "\"?" : otherwise;
  return "unknown option \"" + word + "\"" + (advice.empty() ? "" : "; " + advice);
}

/// Whether words like n=20 stand among its arguments.
bool takes_quantities(const CLI::App& command) {
  return std::ranges::any_of(command.get_options(), [](const CLI::Option* option) {
    return option->get_positional() && option->get_type_name() == quantity;
  });
}

/// What is wrong with the first word that the command does not take.
std::string unexpected_word(const CLI::App& command) {
  const std::vector<std::string> words = command.remaining(true);
  const auto option = std::ranges::find_if(
      words, [](const std::string& word) { return word.size() > 1 && word.front() == '-'; });
  if (option == words.end()) {
    const std::string word = words.empty() ? "" : words.front();
    return "found \"" + word + "\", which is no option, and it takes no further word";
  }
  // An option of one letter, written with two dashes.
  const std::string letter = option->substr(1, option->find('=') - 1);
  if (letter.size() == 2 && letter[0] == '-' && command.get_option_no_throw(letter) != nullptr) {
    return unknown_option(*option, std::array<std::string_view, 1>{letter});
  }
  std::vector<std::string> names;
  for (const CLI::Option* const known : command.get_options()) {
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
  }
  return unknown_option(
      *option, std::vector<std::string_view>(names.begin(), names.end()),
      takes_quantities(command) ? "a quantity is written without dashes, such as n=1M" : "");
}

int parse_failure(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    return with_output_written(app.exit(error));
  }
  std::string name;
  const CLI::App* innermost = &app;
  while (!innermost->get_subcommands().empty()) {
    innermost = innermost->get_subcommands().front();
    name += innermost->get_name() + " ";
  }
  std::string fault = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    fault =
        (name.empty() ? "" : name.substr(0, name.size() - 1) + ": ") + unexpected_word(*innermost);
  }
  std::cerr << "bloomlab: " << one_line(fault) << "; see bloomlab " << name << "--help\n";
  return bad_input;
}

/// A first word that is neither a command nor an option of all; CLI11 would only say that a command
/// is missing.
std::optional<std::string> unknown_first_word(int argc, char** argv) {
  if (argc < 2) return std::nullopt;
  const std::string_view word = argv[1];
  if (word.starts_with('-')) {
    constexpr std::array<std::string_view, 2> options = {"--help", "--version"};
    if (word == "-h" || std::ranges::find(options, word) != options.end()) return std::nullopt;
    return unknown_option(std::string(word), options) + "; see bloomlab --help";
  }
  std::vector<std::string_view> known;
  for (const Command& command : commands) {
    if (command.name == word) return std::nullopt;
    if (!command.group.empty()) known.push_back(command.name);
  }
  return "unknown command \"" + std::string(word) + "\"; " + record::suggestion(word, known) +
         "; see bloomlab --help";
}

/// Memory for the way out: where there is no more of it, what was begun must still be put away, and
/// even that takes some (nlohmann's destructors allocate, and may not throw).
constexpr std::size_t way_out_bytes = std::size_t{16} << 20;
std::atomic<void*> way_out = nullptr;

[[noreturn]] void make_way_out() {
  std::free(way_out.exchange(nullptr));
  throw std::bad_alloc();
}

int run_main(int argc, char** argv) {
  if (const auto fault = unknown_first_word(argc, argv)) {
    return complain(record::InputError(*fault), bad_input);
  }
  CLI::App app{"bloomlab: a laboratory for Bloom filters"};
  app.set_version_flag("--version", BLOOMLAB_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Each command has its own --help. Exit status: 0 done; 1 the run failed or a promise "
      "did not hold;\n2 bad input.");
  std::vector<Action> actions;
  std::vector<const CLI::App*> parsers;
  for (const Command& command : commands) {
    CLI::App* parser = app.add_subcommand(std::string(command.name), std::string(command.summary));
    parser->group(std::string(command.group));
    actions.push_back(command.add(*parser));
    parsers.push_back(parser);
  }
  if (argc < 2) {
    app.name(argv[0]);
    std::cout << app.help();
    return with_output_written(done);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return parse_failure(app, error);
  }
  for (std::size_t i = 0; i < parsers.size(); ++i) {
    if (parsers[i]->parsed()) return perform(parsers[i]->get_name(), actions[i]);
  }
  return bad_input;
}

}  // namespace

int run_program(int argc, char** argv, std::span<const OwnFilterType> filters,
                std::span<const HashOperations> hashes) {
  hold_closed_streams();
  std::set_terminate(end_with_a_line);
  way_out = std::malloc(way_out_bytes);  // only promised: nothing is written there
  if (way_out == nullptr) return out_of_memory();
  std::set_new_handler(make_way_out);
  try {
    experiments::bring_own_filters(filters);
    experiments::bring_own_hashes(hashes);
    return run_main(argc, argv);
  } catch (const record::InputError& error) {
    return complain(error, bad_input);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

}  // namespace bloomlab::cli
