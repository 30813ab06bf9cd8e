#include "experiments/engine/journal.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "record/input_error.hpp"
#include "tests/experiments/config_files.hpp"

namespace bloomlab::experiments {
namespace {

const Identity identity{"config", "build", "machine"};

record::Observation observation(std::uint64_t trial, double rate) {
  record::Observation result;
  result.cell = {{"n", 5}, {"filter", {{"fp", 0.01}}}};
  result.group = "0123456789abcdef";
  result.trial = trial;
  result.seed = 18'446'744'073'709'551'615ULL;
  result.redrawn = {"keys"};
  result.measured = {{"conditional_rate", rate}};
  result.timing = {{"insert_ns", 7}};
  return result;
}

/// A journal, and what was in it when it was opened.
struct Opened {
  explicit Opened(const std::filesystem::path& path, const Identity& of = identity)
      : journal(path, of, {}, [this](const std::vector<record::Observation>& unit) {
          recovered.insert(recovered.end(), unit.begin(), unit.end());
        }) {}
  std::vector<record::Observation> recovered;
  Journal journal;
};

}  // namespace

TEST_CASE("a journal gives back what was appended, to the last bit", "[experiments][journal]") {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "sub" / "a.jsonl";
  {
    Opened opened(path);
    Journal& journal = opened.journal;
    CHECK(opened.recovered.empty());
    journal.append({observation(0, 0.1), observation(1, 1.0 / 3.0)});
    journal.append({observation(2, 1.0)});
  }
  const Opened opened(path);
  const auto& recovered = opened.recovered;
  REQUIRE(recovered.size() == 3);
  CHECK(to_json(recovered[1]) == to_json(observation(1, 1.0 / 3.0)));
  CHECK(to_json(recovered[2]).dump() == to_json(observation(2, 1.0)).dump());
}

TEST_CASE("a line without an end is cut off and written over", "[experiments][journal]") {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "a.jsonl";
  Journal(path, identity).append({observation(0, 0.5)});
  std::ofstream(path, std::ios::app) << R"([{"cell": {"n":)";
  {
    Opened opened(path);
    CHECK(opened.recovered.size() == 1);
    opened.journal.append({observation(1, 0.5)});
  }
  CHECK(Opened(path).recovered.size() == 2);
}

TEST_CASE("a journal of another config, build or machine starts empty", "[experiments][journal]") {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "a.jsonl";
  for (const Identity& other :
       {Identity{"other", "build", "machine"}, Identity{"config", "other", "machine"},
        Identity{"config", "build", "other"}}) {
    Journal(path, identity).append({observation(0, 0.5)});
    CHECK(Opened(path, other).recovered.empty());
    CHECK(Opened(path).recovered.empty());
  }
}

TEST_CASE("removing a journal removes its folder if that is then empty", "[experiments][journal]") {
  const testing::TemporaryFolder folder;
  const auto partial = folder.path() / ".partial";
  Journal first(partial / "a.jsonl", identity);
  Journal second(partial / "b.jsonl", identity);
  first.remove();
  CHECK(std::filesystem::exists(partial / "b.jsonl"));
  second.remove();
  CHECK_FALSE(std::filesystem::exists(partial));
}

TEST_CASE("a journal that is open is the one at its path, whoever removes one meanwhile",
          "[experiments][journal]") {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / ".partial" / "a.jsonl";
  std::atomic<int> elsewhere = 0;
  std::atomic<int> opened = 0;
  const auto open_and_remove = [&] {
    for (int round = 0; round < 3000; ++round) {
      try {
        Journal journal(path, identity);
        ++opened;
        if (!std::filesystem::exists(path)) ++elsewhere;
        journal.remove();
      } catch (const record::RunError& fault) {
        // The other one has it.
        if (std::string(fault.what()).find("another run") == std::string::npos) ++elsewhere;
      }
    }
  };
  {
    const std::jthread one(open_and_remove);
    const std::jthread other(open_and_remove);
  }
  CHECK(opened > 0);
  CHECK(elsewhere == 0);
}

TEST_CASE("a journal is opened though its folder is made and removed again meanwhile",
          "[experiments][journal]") {
  const testing::TemporaryFolder folder;
  const auto partial = folder.path() / ".partial";
  std::vector<std::string> faults;
  {
    const std::jthread others([&](const std::stop_token& end) {
      while (!end.stop_requested()) {
        std::error_code ignored;
        std::filesystem::create_directory(partial, ignored);
        std::filesystem::remove(partial, ignored);
      }
    });
    for (int round = 0; round < 300; ++round) {
      try {
        Journal(partial / "a.jsonl", identity).remove();
      } catch (const record::RunError& fault) {
        faults.emplace_back(fault.what());
      }
    }
  }
  CHECK(faults == std::vector<std::string>());
}

TEST_CASE("a link where the journal would be is not followed", "[experiments][journal]") {
  const testing::TemporaryFolder folder;
  const auto target = folder.path() / "precious";
  std::ofstream(target) << "precious";
  const auto path = folder.path() / ".partial" / "a.jsonl";
  std::filesystem::create_directory(path.parent_path());
  std::filesystem::create_symlink(target, path);
  CHECK_THROWS_WITH(Journal(path, identity),
                    path.string() +
                        ": is no regular file, as a journal must be; remove it, or use "
                        "another --out");
  CHECK(std::filesystem::file_size(target) == 8);
}

TEST_CASE("a link where the journal's folder would be is not followed", "[experiments][journal]") {
  const testing::TemporaryFolder folder;
  const auto elsewhere = folder.path() / "elsewhere";
  const auto partial = folder.path() / ".partial";
  std::filesystem::create_directory(elsewhere);
  std::ofstream(elsewhere / "a.jsonl") << "precious";
  for (const auto& target : {elsewhere, folder.path() / "nowhere"}) {
    std::filesystem::create_symlink(target, partial);
    for (const char* name : {"a.jsonl", "b.jsonl", "a.shard-1-of-2.jsonl"}) {
      INFO(target << ", " << name);
      CHECK_THROWS_WITH(Journal(partial / name, identity),
                        partial.string() +
                            ": is no folder, as that of journals must be; remove it, or use "
                            "another --out");
    }
    CHECK(std::filesystem::is_symlink(partial));
    std::filesystem::remove(partial);
  }
  CHECK(std::filesystem::file_size(elsewhere / "a.jsonl") == 8);
  CHECK_FALSE(std::filesystem::exists(elsewhere / "b.jsonl"));
  CHECK_FALSE(std::filesystem::exists(elsewhere / "a.shard-1-of-2.jsonl"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "nowhere"));
}

}  // namespace bloomlab::experiments
