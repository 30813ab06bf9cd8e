// `run --slurm` with programs in Slurm's place, which run the tasks at once; with a real Slurm:
// tests/reliability/slurm.sh.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "record/sha256.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::tests;
namespace fs = std::filesystem;

namespace {

// Keeps its arguments in `asked`. A task dies where dies-I is there, once, or always-I.
constexpr const char* fake_sbatch = R"sh(#!/bin/sh
[ "$1" = --version ] && exit 0
cd "${0%/*}" || exit 1
echo "$*" >>asked
cat >script
[ -e refusal ] && { cat refusal >&2; exit 1; }
for word; do case $word in --array=*) indices=${word#--array=} ;; esac; done
eval "pattern=$(sed -n 's/^#SBATCH --output=//p' script)"
for range in $(echo "$indices" | tr , ' '); do
  for index in $(seq "${range%-*}" "${range#*-}"); do
    log=$(printf %s "$pattern" | sed "s/%a/$index/; s/%%/%/g")
    if [ -e "always-$index" ] || rm "dies-$index" 2>/dev/null; then
      printf 'begun\nslurmstepd: error: out of memory\n' >"$log"
    else
      SLURM_ARRAY_TASK_ID=$index SLURM_CPUS_ON_NODE=1 sh ./script >"$log" 2>&1
    fi
  done
done
[ -e queue-after ] && mv queue-after queue
echo '77;here'
)sh";

// The I-th call prints queue-I, or what always stands in `queue`.
constexpr const char* fake_squeue = R"sh(#!/bin/sh
cd "${0%/*}" || exit 1
echo call >>calls
[ -e silence ] && { cat silence >&2; exit 1; }
cat queue "queue-$(wc -l <calls | tr -d ' ')" 2>/dev/null
exit 0
)sh";

constexpr const char* fake_scancel = "#!/bin/sh\necho \"$*\" >\"${0%/*}/cancelled\"\n";

/// A cluster, a config and its folder, with names that a shell would take apart.
class Cluster {
 public:
  Cluster() {
    fs::create_directory(root() / "bin");
    put("sbatch", fake_sbatch);
    put("squeue", fake_squeue);
    put("scancel", fake_scancel);
    for (const char* program : {"sbatch", "squeue", "scancel"}) {
      fs::permissions(root() / "bin" / program, fs::perms::owner_all);
    }
    write(root() / "a b.json", small_config());
  }

  [[nodiscard]] fs::path root() const { return fs::canonical(folder_.path()); }
  [[nodiscard]] fs::path out() const { return root() / "it's 9% out"; }
  void put(const std::string& name, const std::string& text) const {
    write(root() / "bin" / name, text);
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    return read(root() / "bin" / name);
  }
  [[nodiscard]] bool was_asked() const { return fs::exists(root() / "bin" / "asked"); }

  [[nodiscard]] static std::string command(const std::string& further) {
    return "run 'a b.json' --out 'it'\\''s 9% out' --slurm " + further;
  }
  [[nodiscard]] Said says(const std::string& command, const std::string& after = "") const {
    return shell("cd '" + root().string() + "'; PATH=\"$PWD/bin:$PATH\"; export PATH; " +
                 "\"$BLOOMLAB\" " + command + after);
  }
  [[nodiscard]] Said run(const std::string& further) const { return says(command(further)); }

  /// Of an array of three shards.
  [[nodiscard]] std::string name() const {
    return "bloomlab-" + bloomlab::record::sha256_hex("3\nrun\n" + (root() / "a b.json").string() +
                                                      "\n--out\n" + out().string())
                             .substr(0, 8);
  }
  [[nodiscard]] std::string log(int shard) const {
    return (out() / ".partial" / (name() + "." + std::to_string(shard) + ".log")).string();
  }

  /// Whether the result is that of one machine, and nothing lies beside it but its shards.
  void check_result() const {
    REQUIRE(says("run 'a b.json' --out whole").status == 0);
    const std::string whole = says("canon whole").out;
    CHECK_FALSE(whole.empty());
    CHECK(says("canon \"it's 9% out\"", " | grep -v shard").out == whole);
    CHECK_FALSE(fs::exists(out() / ".partial"));
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a dry run prints the script of the array and submits nothing", "[cli][slurm]") {
  const Cluster cluster;
  const std::string program = fs::canonical(BLOOMLAB_BINARY_DIR "/bloomlab").string();
  const std::string root = cluster.root().string();
  const Said said = cluster.run(
      "3 --dry-run --jobs 2 --sbatch '--partition=long --time=10' --sbatch '--comment=\"a b\"'");
  CHECK(said.status == 0);
  CHECK(said.err.empty());
  CHECK(said.out ==
        "#!/bin/sh\n#SBATCH --no-requeue\n#SBATCH --cpus-per-task=2\n"
        "#SBATCH --partition=long --time=10\n#SBATCH --comment=\"a b\"\n#SBATCH --job-name=" +
            cluster.name() + "\n#SBATCH --array=1-3\n#SBATCH --output='" + root +
            "/it'\\''s 9%% out/.partial/" + cluster.name() + ".%a.log'\nexec " + program +
            " run '" + root + "/a b.json' --out '" + root +
            "/it'\\''s 9% out' --shard \"$SLURM_ARRAY_TASK_ID/3\" --jobs 2\n");
  CHECK_FALSE(cluster.was_asked());
  CHECK_FALSE(fs::exists(cluster.out()));
}

TEST_CASE("a dry run has the shards that lack, and what each task is told", "[cli][slurm]") {
  const Cluster cluster;
  CHECK_THAT(cluster.run("3 --dry-run --max-memory 1GiB --timeout 60 --replicate 4").out,
             Catch::EndsWith("% out' --max-memory 1GiB --timeout 60 --replicate 4 --shard "
                             "\"$SLURM_ARRAY_TASK_ID/3\" --jobs \"$SLURM_CPUS_ON_NODE\"\n"));
  const std::string out = "run 'a b.json' --out \"it's 9% out\" --shard ";
  REQUIRE(cluster.says(out + "2/3").status == 0);
  CHECK_THAT(cluster.run("3 --dry-run").out, Catch::Contains("#SBATCH --array=1,3\n"));
  REQUIRE(cluster.says(out + "1/3").status == 0);
  REQUIRE(cluster.says(out + "3/3").status == 0);
  const Said none = cluster.run("3 --dry-run");
  CHECK(none.status == 0);
  CHECK(none.out.empty());
  CHECK(none.err == "every shard is there: nothing would be submitted\n");
}

TEST_CASE("Slurm's tasks give what one machine gives", "[cli][slurm]") {
  const Cluster cluster;
  cluster.put("queue-2", "task PENDING Resources\ntask RUNNING None\na warning\n");
  cluster.put("queue-3", "task RUNNING None\ntask COMPLETING None\n");
  const Said said = cluster.run("3");
  CHECK(said.status == 0);
  const std::string name = cluster.name();
  CHECK_THAT(said.err, Catch::StartsWith(
                           name + ": job 77;here with 3 tasks, round 1 of 3: shards 1-3 of 3\n" +
                           name + ": 1 task runs, 1 task waits (Resources)\n" + name +
                           ": 2 tasks run\n" + name + ": 3 of 3 shards are there\n"));
  CHECK_THAT(said.out, Catch::Contains("out/a b.json: merged from its shards\n"));
  CHECK(cluster.text("asked") == "--parsable --job-name=" + name + " --array=1-3\n");
  cluster.check_result();
  SECTION("and once more nothing is submitted") {
    CHECK(cluster.run("3").status == 0);
    CHECK(cluster.text("asked") == "--parsable --job-name=" + name + " --array=1-3\n");
  }
}

TEST_CASE("of an array only the tasks that died are submitted again", "[cli][slurm]") {
  const Cluster cluster;
  cluster.put("dies-1", "");
  cluster.put("dies-3", "");
  const Said said = cluster.run("3");
  CHECK(said.status == 0);
  CHECK_THAT(said.err, Catch::Contains(": 1 of 3 shards are there\n") &&
                           Catch::Contains("with 2 tasks, round 2 of 3: shards 1,3 of 3\n"));
  const std::string asked = "--parsable --job-name=" + cluster.name() + " --array=";
  CHECK(cluster.text("asked") == asked + "1-3\n" + asked + "1,3\n");
  cluster.check_result();
}

TEST_CASE("after three rounds the shards that lack are named, and the same command goes on",
          "[cli][slurm]") {
  const Cluster cluster;
  cluster.put("always-2", "");
  const Said said = cluster.run("3 --jobs 1");
  CHECK(said.status == 1);
  CHECK(said.out.empty());
  CHECK_THAT(said.err,
             Catch::EndsWith("bloomlab: shards lack after 3 rounds: 2/3; " + cluster.log(2) +
                             " ends with: slurmstepd: error: out of memory; `bloomlab " +
                             Cluster::command("3 --jobs 1") + "` goes on\n"));
  const std::string asked = cluster.text("asked");
  CHECK(std::count(asked.begin(), asked.end(), '\n') == 3);
  fs::remove(cluster.root() / "bin" / "always-2");
  CHECK(cluster.run("3 --jobs 1").status == 0);
  CHECK_THAT(cluster.text("asked"), Catch::EndsWith(" --array=2\n"));
  cluster.check_result();
}

TEST_CASE("an array that is under way is followed, not submitted", "[cli][slurm]") {
  const Cluster cluster;
  for (const int shard : {1, 3}) {
    REQUIRE(
        cluster.says("run 'a b.json' --out \"it's 9% out\" --shard " + std::to_string(shard) + "/3")
            .status == 0);
  }
  cluster.put("queue-1", "task RUNNING None\n");
  const Said said = cluster.run("3");
  CHECK(said.status == 0);
  CHECK_THAT(said.err,
             Catch::StartsWith(cluster.name() + ": 2 of 3 shards are there\n" + cluster.name() +
                               ": job 77;here with 1 task, round 2 of 3: shards 2 of 3\n"));
}

TEST_CASE("a signal cancels the array and says how to go on", "[cli][slurm]") {
  const Cluster cluster;
  cluster.put("queue-after", "task PENDING Priority\n");
  const auto terminated = [&] {
    const Said said = cluster.says(
        Cluster::command("3"),
        " & follower=$!; while kill -0 $follower && ! [ -e bin/queue ]; do sleep 0.05; done; "
        "kill $follower; wait $follower");
    CHECK(said.status == 143);
    return said.err;
  };
  const std::string end = "; `bloomlab " + Cluster::command("3") + "` goes on\n";
  SECTION("scancel cancels") {
    CHECK_THAT(terminated(), Catch::EndsWith("bloomlab: terminated; the array " + cluster.name() +
                                             " is cancelled" + end));
    CHECK(cluster.text("cancelled") == "--name=" + cluster.name() + "\n");
  }
  SECTION("scancel does not") {
    cluster.put("scancel", "#!/bin/sh\necho refused >&2\nexit 1\n");
    CHECK_THAT(terminated(),
               Catch::EndsWith("bloomlab: terminated; the array is not cancelled, as scancel ended "
                               "with exit status 1: refused; `scancel --name=" +
                               cluster.name() + "` cancels it" + end));
  }
}

TEST_CASE("without Slurm nothing is made, and the line says what to do", "[cli][slurm]") {
  const TemporaryFolder folder;
  write(folder / "a.json", small_config());
  const Said missing = shell("PATH=/no/such/folder; \"$BLOOMLAB\" run " + (folder / "a.json") +
                             " --out " + (folder / "out") + " --slurm 3");
  CHECK(missing.status == 2);
  CHECK(missing.err ==
        "bloomlab: --slurm: there is no sbatch on PATH; log in to a machine of the cluster, "
        "install Slurm's programs (Debian: slurm-client), or run each shard by hand, with --shard "
        "I/3 in place of --slurm\n");
  CHECK_FALSE(fs::exists(folder / "out"));
}

TEST_CASE("what Slurm refuses fails the run with its words", "[cli][slurm]") {
  const Cluster cluster;
  SECTION("sbatch") {
    cluster.put("refusal", "sbatch: error: invalid partition specified: long\n");
    const Said said = cluster.run("3 --sbatch --partition=long");
    CHECK(said.status == 1);
    CHECK(said.err ==
          "bloomlab: --slurm: sbatch ended with exit status 1: sbatch: error: invalid partition "
          "specified: long; correct --sbatch, or try `bloomlab " +
              Cluster::command("3 --sbatch --partition=long") + "` again\n");
  }
  SECTION("squeue, after it was asked five times") {
    cluster.put("silence", "slurm_load_jobs error: Unable to contact slurm controller\n");
    const Said said = cluster.run("3");
    CHECK(said.status == 1);
    CHECK(said.err ==
          "bloomlab: --slurm: squeue ended with exit status 1: slurm_load_jobs error: Unable to "
          "contact slurm controller; `bloomlab " +
              Cluster::command("3") + "` follows an array that is under way\n");
    CHECK(cluster.text("calls") == "call\ncall\ncall\ncall\ncall\n");
    CHECK_FALSE(cluster.was_asked());
  }
}

TEST_CASE("everything is checked before anything is submitted", "[cli][slurm]") {
  const Cluster cluster;
  const auto refused = [&](const std::string& arguments) {
    const Said said = cluster.says(arguments);
    INFO(arguments);
    CHECK(said.status == 2);
    CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
    CHECK_FALSE(cluster.was_asked());
    return said.err;
  };
  write(cluster.root() / "fault.json", small_config("[3, 0]"));
  CHECK_THAT(refused("run 'a b.json' fault.json --out out --slurm 2"),
             Catch::Contains("fault.json: "));
  CHECK_THAT(refused(Cluster::command("2 --sbatch ''")),
             Catch::Contains("--sbatch: found \"\"; options of sbatch in one line are allowed"));
  CHECK_THAT(refused(Cluster::command("2 --sbatch '-p a\n-t 1'")),
             Catch::Contains("--sbatch: found \"-p a -t 1\""));
  CHECK_THAT(refused("run 'a b.json' --out 'a\\b' --slurm 2"),
             Catch::Contains("a\\b; Slurm writes into no folder with a backslash"));
  for (const char* further : {"0", "2 --shard 1/2", "2 --only k", "2 --force", "2 --pages"}) {
    CHECK_THAT(refused(Cluster::command(further)), Catch::Contains("--slurm"));
  }
  for (const char* further : {"--dry-run", "--sbatch=-x"}) {
    CHECK_THAT(refused("run 'a b.json' --out out " + std::string(further)),
               Catch::Contains("--slurm"));
  }
  REQUIRE(cluster.says("run 'a b.json' --out \"it's 9% out\" --shard 1/2").status == 0);
  CHECK_THAT(refused(Cluster::command("3")),
             Catch::Contains("is a shard of another number than 3"));
}
