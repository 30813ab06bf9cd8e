// Lets a cluster measure: Slurm, its batch system, runs an array of tasks, each this very program
// on one shard of the configs. What is waited for and repeated here is the array; who runs it where
// and when, Slurm decides. Its programs: sbatch, squeue, scancel (slurm.schedmd.com).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::cli {

/// What Slurm is to measure, and how it is asked.
struct SlurmRun {
  std::uint64_t shards = 1;            ///< N, the tasks of a whole array
  std::vector<std::string> arguments;  ///< of a task's program, without --shard and --jobs
  std::filesystem::path out;           ///< folder of the results, absolute; every node sees it
  unsigned jobs = 0;                   ///< processors of a task; 0: as many as Slurm gives
  std::vector<std::string> options;    ///< further ones of sbatch, a line of the script each
  std::string resuming;                ///< the command that goes on
  /// The shards that are still to be measured, by index in ascending order.
  std::function<std::vector<std::uint64_t>()> lacking;
};

/// Refuses what cannot stand in a batch script: options of several lines, and a folder whose name
/// Slurm would read as something else. Throws record::InputError.
void check_slurm(const SlurmRun& run);

/// The script that sbatch is given for an array of these shards, at least one. Its name follows
/// from what is measured, so that the same command finds an array that is under way.
[[nodiscard]] std::string slurm_script(const SlurmRun& run,
                                       const std::vector<std::uint64_t>& shards);

/// Submits what lacks, or follows the array that is under way, says on standard error how far it
/// is, and submits again what ended without a result, at most three rounds in all. SIGINT and
/// SIGTERM cancel the array. The output of the tasks is in OUT/.partial and removed when no shard
/// lacks. Throws record::MissingProgram where Slurm is not on this machine, and record::RunError
/// where it refuses the array, does not answer any more, or shards lack after the last round.
void measure_by_slurm(const SlurmRun& run);

}  // namespace bloomlab::cli
