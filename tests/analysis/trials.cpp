// A result file that lost or gained an observation is refused.
#include <catch2/catch.hpp>

#include "analysis/data/load.hpp"
#include "record/input_error.hpp"
#include "synthetic.hpp"
#include "tests/edit.hpp"
#include "tests/thrown.hpp"

using namespace bloomlab::analysis;

namespace {

bloomlab::record::ResultFile whole_file() {
  auto file = synthetic::results({.stem = "r", .m = {4000}, .k = {3}, .trials = 4});
  file.provenance["complete"] = true;
  return file;
}

std::string complaint(const bloomlab::record::ResultFile& file) {
  return bloomlab::tests::thrown([&] { check_trials(file, "r.json"); }, "none");
}

std::string in_cell(const bloomlab::record::ResultFile& file, const std::string& rest) {
  return "r.json: cell " + file.observations.front().cell.dump() + rest + "; run the config again";
}

}  // namespace

TEST_CASE("a file with all of its trials is taken", "[analysis][trials]") {
  CHECK(complaint(whole_file()) == "none");
}

TEST_CASE("a lost, a doubled and a made-up trial are named", "[analysis][trials][errors]") {
  auto lost = whole_file();
  bloomlab::tests::edit(lost.observations, [](auto& list) { list.erase(list.begin() + 2); });
  CHECK(complaint(lost) == in_cell(lost, " lacks trial 2"));

  auto doubled = whole_file();
  doubled.observations.push_back(doubled.observations[1]);
  CHECK(complaint(doubled) == in_cell(doubled, " has trial 1 twice"));

  auto made_up = whole_file();
  bloomlab::tests::edit(made_up.observations, [&](auto& list) { list[3].trial = 999; });
  CHECK(complaint(made_up) ==
        in_cell(made_up, " has trial 999 and its config has 4, counted from 0"));
}

TEST_CASE("an unfinished file and a run to a precision may lack trials", "[analysis][trials]") {
  auto file = whole_file();
  bloomlab::tests::edit(file.observations, [](auto& list) { list.pop_back(); });
  CHECK(complaint(file) != "none");
  file.config["precision"] = bloomlab::record::Json::object();
  CHECK(complaint(file) == "none");
  file.config.erase("precision");
  file.provenance["complete"] = false;
  CHECK(complaint(file) == "none");
}
