// A trial in a process of its own.
#include "experiments/engine/process_run.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <sstream>
#include <string>

#include "experiments/speed/child_process.hpp"
#include "experiments/speed/machine_tuning.hpp"
#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

const ProcessRunRequest small_request = {
    .kind = "hash_speed",
    .config = {{"queries", 1024}, {"repetitions", 1}, {"warm_up", 0}},
    .cell = {{"hash", "xxhash3_64"}, {"key_length", "8"}, {"words", 1}},
    .seed = 5};

std::string asked_for(const ProcessRunRequest& request) {
  return record::Json{{"kind", request.kind},
                      {"config", request.config},
                      {"cell", request.cell},
                      {"seed", request.seed},
                      {"tuning", tuning_json(request.tuning)}}
      .dump();
}

}  // namespace

TEST_CASE("a child is given a text, and its answer and end are kept",
          "[experiments][process_run]") {
  const ChildOutcome echo = run_child({"/bin/cat", {}, {}}, "a text\n");
  CHECK(echo.output == "a text\n");
  CHECK(echo.ending == "with exit status 0");
  const ChildOutcome setting =
      run_child({"/bin/sh", {"-c", "printf %s \"$LAB\"; exit 3"}, {"LAB=set"}}, "");
  CHECK(setting.output == "set");
  CHECK(setting.ending == "with exit status 3");
  CHECK(run_child({"/bin/sh", {"-c", "kill -9 $$"}, {}}, std::string(1 << 20, 'x')).ending ==
        "by signal 9");
  CHECK_THROWS_WITH(run_child({"/no/such/program", {}, {}}, ""),
                    "cannot start /no/such/program: No such file or directory");
}

TEST_CASE("a child that takes nothing ends no process and changes no other's signals",
          "[experiments][process_run]") {
  struct sigaction before {};
  struct sigaction after {};
  sigset_t blocked;
  sigaction(SIGPIPE, nullptr, &before);
  CHECK(before.sa_handler == SIG_DFL);
  CHECK(run_child({"/bin/true", {}, {}}, std::string(1 << 22, 'x')).ending == "with exit status 0");
  sigaction(SIGPIPE, nullptr, &after);
  CHECK(after.sa_handler == SIG_DFL);
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  CHECK(sigismember(&blocked, SIGPIPE) == 0);
  sigpending(&blocked);
  CHECK(sigismember(&blocked, SIGPIPE) == 0);
  // A child may be ended by its own broken pipe.
  CHECK(run_child({"/bin/sh", {"-c", "kill -PIPE $$"}, {}}, "").ending == "by signal 13");
}

TEST_CASE("the side of the process run answers with what it measured here",
          "[experiments][process_run]") {
  std::istringstream in(asked_for(small_request));
  std::ostringstream out;
  REQUIRE(answer_process_run(in, out) == 0);
  const record::Json answer = record::Json::parse(out.str());
  CHECK(answer.at("measurements").at(0).at("measured") ==
        measure_here(small_request).front().measured);
}

TEST_CASE("a fault of the side of the process run is told to the one who started it",
          "[experiments][process_run]") {
  ProcessRunRequest request = small_request;
  request.kind = "no_such_kind";
  std::istringstream in(asked_for(request));
  std::ostringstream out;
  CHECK(answer_process_run(in, out) == 1);
  const ProcessRunner process_run =
      runner_of_program("/bin/sh", {"-c", "cat >/dev/null; echo '" + [&] {
                                      std::string text = out.str();
                                      text.pop_back();
                                      return text;
                                    }() + "'"});
  CHECK_THROWS_WITH(process_run(request), Catch::Contains("no_such_kind"));
}

TEST_CASE("bad input of the side of the process run is bad input here",
          "[experiments][process_run]") {
  const ProcessRunner process_run = runner_of_program(
      "/bin/sh",
      {"-c", "cat >/dev/null; echo '{\"fault\": \"no such file\", \"bad_input\": true}'"});
  CHECK_THROWS_MATCHES(process_run(small_request), record::InputError,
                       Catch::Matchers::Message("no such file"));
}

TEST_CASE("a child that ends without an answer fails its trial", "[experiments][process_run]") {
  CHECK_THROWS_WITH(runner_of_program("/bin/sh", {"-c", "exit 7"})(small_request),
                    "the process that was started to measure this cell ended with exit status 7 "
                    "without an answer");
}

}  // namespace bloomlab::experiments
