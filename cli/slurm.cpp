#include "cli/slurm.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/terminal.hpp"
#include "experiments/speed/child_process.hpp"
#include "record/input_error.hpp"
#include "record/sha256.hpp"
#include "record/shards.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Shards = std::vector<std::uint64_t>;

constexpr int most_rounds = 3;
constexpr milliseconds first_wait{250};
constexpr milliseconds longest_wait{30'000};
constexpr int most_silences = 5;  // in a row
constexpr std::string_view pending = "task PENDING ";

/// What a program found on PATH wrote, on either stream.
struct Answer {
  std::string text;
  std::string ending;

  [[nodiscard]] bool is_good() const { return ending == "with exit status 0"; }
  [[nodiscard]] bool is_of_no_program() const { return ending == "with exit status 127"; }
};

Answer ask(const std::vector<std::string>& words, const std::string& input = "") {
  experiments::ChildCommand command{"/bin/sh", {"-c", "exec \"$@\" 2>&1", "sh"}, {}};
  command.arguments.insert(command.arguments.end(), words.begin(), words.end());
  auto [text, ending] = experiments::run_child(command, input);
  text.erase(text.find_last_not_of('\n') + 1);
  return {std::move(text), std::move(ending)};
}

[[noreturn]] void fail(const std::string& program, const Answer& answer,
                       const std::string& advice) {
  throw record::RunError("--slurm: " + program + " ended " + answer.ending + ": " + answer.text +
                         "; " + advice);
}

std::string name_of(const SlurmRun& run) {
  std::string text = std::to_string(run.shards);
  for (const std::string& argument : run.arguments) text += '\n' + argument;
  return "bloomlab-" + record::sha256_hex(text).substr(0, 8);
}

fs::path log_of(const SlurmRun& run, std::uint64_t shard) {
  return run.out / ".partial" / (name_of(run) + "." + std::to_string(shard) + ".log");
}

/// "1-4,7": as sbatch takes the indices of an array.
std::string ranges(const Shards& shards) {
  std::string text;
  for (std::size_t i = 0; i < shards.size();) {
    std::size_t last = i;
    while (last + 1 < shards.size() && shards[last + 1] == shards[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(shards[i]);
    if (last != i) text += "-" + std::to_string(shards[last]);
    i = last + 1;
  }
  return text;
}

/// "3/8, 7/8".
std::string named(const SlurmRun& run, const Shards& lacking) {
  Shards present;
  for (std::uint64_t shard = 1; shard <= run.shards; ++shard) {
    if (!std::ranges::binary_search(lacking, shard)) present.push_back(shard);
  }
  return record::missing_shards(run.shards, present);
}

/// Slurm replaces % and what follows it.
std::string without_patterns(const std::string& path) {
  std::string text;
  for (const char letter : path) text.append(letter == '%' ? 2 : 1, letter);
  return text;
}

std::string last_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string last;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

/// The array on its way.
class Array {
 public:
  explicit Array(const SlurmRun& run) : run_(run), name_(name_of(run)) {}

  /// What of it Slurm has still to do: "2 tasks run, 1 waits (Resources)"; empty where it is over.
  [[nodiscard]] std::string queue() {
    for (int silences = 0;; ++silences) {
      const Answer answer = ask(
          {"squeue", "--noheader", "--array", "--me", "--name=" + name_, "--format=task %T %r"});
      if (answer.is_good()) return tasks_in(answer.text);
      if (silences + 1 == most_silences || answer.is_of_no_program()) {
        fail("squeue", answer, "`" + run_.resuming + "` follows an array that is under way");
      }
      rest();
    }
  }

  void submit(const Shards& shards, int round) {
    fs::create_directories(run_.out / ".partial");
    const Answer answer = submitted(slurm_script(run_, shards), ranges(shards));
    if (!answer.is_good()) {
      fail("sbatch", answer, "correct --sbatch, or try `" + run_.resuming + "` again");
    }
    say("job " + answer.text.substr(answer.text.rfind('\n') + 1) + " with " +
        cli::counted(shards.size(), "task") + ", round " + std::to_string(round) + " of " +
        std::to_string(most_rounds) + ": shards " + ranges(shards) + " of " +
        std::to_string(run_.shards));
  }

  /// Until Slurm has nothing of it left to do.
  void follow() {
    wait_ = first_wait;
    std::string said;
    for (std::string tasks; !(tasks = queue()).empty(); rest()) {
      if (tasks != said) say(tasks);
      said = tasks;
    }
  }

  /// Ends it, and says so.
  [[nodiscard]] std::string cancelled() {
    mutex_.lock();  // never given back: nothing is submitted any more
    const std::string advice = "; `" + run_.resuming + "` goes on";
    const Answer answer = ask({"scancel", "--name=" + name_});
    if (answer.is_good()) return "the array " + name_ + " is cancelled" + advice;
    return "the array is not cancelled, as scancel ended " + answer.ending + ": " + answer.text +
           "; `scancel --name=" + name_ + "` cancels it" + advice;
  }

  void say(const std::string& text) const {
    const std::scoped_lock lock(terminal_mutex());
    std::cerr << name_ << ": " << one_line(text) << '\n';
  }

 private:
  /// A signal that comes meanwhile waits for it, and then cancels what was submitted.
  Answer submitted(const std::string& script, const std::string& indices) {
    const std::scoped_lock lock(mutex_);
    return ask({"sbatch", "--parsable", "--job-name=" + name_, "--array=" + indices}, script);
  }

  static std::string tasks_in(const std::string& text) {
    std::uint64_t running = 0;
    std::uint64_t waiting = 0;
    std::string why;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("task ")) continue;  // a warning
      if (line.starts_with(pending)) {
        ++waiting;
        why = line.substr(pending.size());
      } else {
        ++running;
      }
    }
    std::string tasks;
    if (running != 0) tasks += cli::counted(running, "task") + (running == 1 ? " runs" : " run");
    if (waiting == 0) return tasks;
    return tasks + (running == 0 ? "" : ", ") + cli::counted(waiting, "task") +
           (waiting == 1 ? " waits (" : " wait (") + why + ")";
  }

  /// Ever longer: who has waited an hour can wait half a minute more.
  void rest() {
    std::this_thread::sleep_for(wait_);
    wait_ = std::min(2 * wait_, longest_wait);
  }

  const SlurmRun& run_;
  std::string name_;
  std::mutex mutex_;
  milliseconds wait_ = first_wait;
};

void require_slurm(const SlurmRun& run) {
  if (!ask({"sbatch", "--version"}).is_of_no_program()) return;
  throw record::MissingProgram(
      "--slurm: there is no sbatch on PATH; log in to a machine of the cluster, install Slurm's "
      "programs (Debian: slurm-client), or run each shard by hand, with --shard I/" +
      std::to_string(run.shards) + " in place of --slurm");
}

[[noreturn]] void give_up(const SlurmRun& run, const Shards& lacking) {
  const fs::path log = log_of(run, lacking.front());
  const std::string last = last_line(log);
  throw record::RunError("shards lack after " + std::to_string(most_rounds) +
                         " rounds: " + named(run, lacking) + "; " + log.string() +
                         (last.empty() ? " says nothing" : " ends with: " + last) + "; `" +
                         run.resuming + "` goes on");
}

void remove_logs(const SlurmRun& run) {
  std::error_code ignored;
  for (std::uint64_t shard = 1; shard <= run.shards; ++shard) {
    fs::remove(log_of(run, shard), ignored);
  }
  fs::remove(run.out / ".partial", ignored);  // where nothing else is in it
}

}  // namespace

void check_slurm(const SlurmRun& run) {
  for (const std::string& line : run.options) {
    if (!line.empty() && line.find('\n') == std::string::npos) continue;
    throw record::InputError("--sbatch: found \"" + line +
                             "\"; options of sbatch in one line are allowed, such as "
                             "\"--partition=long --time=2:00:00\"");
  }
  if (run.out.string().find_first_of("\\\n") == std::string::npos) return;
  throw record::InputError("--out: found " + run.out.string() +
                           "; Slurm writes into no folder with a backslash or a line end in its "
                           "name; name another folder");
}

std::string slurm_script(const SlurmRun& run, const Shards& shards) {
  std::string text = "#!/bin/sh\n";
  const auto option = [&](const std::string& words) { text += "#SBATCH " + words + "\n"; };
  option("--no-requeue");  // what ends without a result is submitted again by who follows
  if (run.jobs != 0) option("--cpus-per-task=" + std::to_string(run.jobs));
  for (const std::string& words : run.options) option(words);
  option("--job-name=" + name_of(run));
  option("--array=" + ranges(shards));
  const fs::path logs = without_patterns((run.out / ".partial").string());
  option("--output=" + record::shell_word((logs / (name_of(run) + ".%a.log")).string()));
  text += "exec " + record::shell_word(fs::read_symlink("/proc/self/exe").string());
  for (const std::string& argument : run.arguments) text += " " + record::shell_word(argument);
  const std::string jobs = run.jobs != 0 ? std::to_string(run.jobs) : "\"$SLURM_CPUS_ON_NODE\"";
  return text + " --shard \"$SLURM_ARRAY_TASK_ID/" + std::to_string(run.shards) + "\" --jobs " +
         jobs + "\n";
}

void measure_by_slurm(const SlurmRun& run) {
  Shards lacking = run.lacking();
  if (!lacking.empty()) {
    require_slurm(run);
    Array array(run);
    const Interruption interruption([&] { return array.cancelled(); });
    bool is_under_way = !array.queue().empty();
    for (int round = 1; round <= most_rounds && !lacking.empty(); ++round) {
      if (!std::exchange(is_under_way, false)) array.submit(lacking, round);
      array.follow();
      lacking = run.lacking();
      array.say(std::to_string(run.shards - lacking.size()) + " of " +
                cli::counted(run.shards, "shard") + (run.shards == 1 ? " is" : " are") + " there");
    }
  }
  if (!lacking.empty()) give_up(run, lacking);
  remove_logs(run);
}

}  // namespace bloomlab::cli
