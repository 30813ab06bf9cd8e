#include "experiments/engine/provenance.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>

#include "experiments/config/reading.hpp"
#include "experiments/machine/build_info.hpp"
#include "tests/experiments/engine_configs.hpp"

namespace bloomlab::experiments {
namespace {

const std::string file_grid = R"({"keys": {"source": "file", "path": "words"}, "n": 2,
    "filter": {"kind": "standard", "m": 100, "k": 3},
    "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}})";

std::string words(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i) + "\n";
  return text;
}

}  // namespace

TEST_CASE("provenance says where results come from", "[experiments][provenance]") {
  const auto json = provenance_of({"c", "b", "m"}, 2, Shard{1, 3}, true);
  CHECK(json.at("commit").get<std::string>().size() >= 7);
  CHECK(json.at("dirty").is_boolean());
  CHECK_FALSE(json.at("compiler").get<std::string>().empty());
  CHECK(json.at("machine").at("cores").get<unsigned>() >= 1);
  CHECK(json.at("machine").at("memory_bytes").get<std::uint64_t>() > (1U << 20));
  CHECK_FALSE(json.at("machine").at("kernel").get<std::string>().empty());
  CHECK(json.at("libraries").contains("xxhash"));
  CHECK(std::regex_match(json.at("date").get<std::string>(),
                         std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)")));
  CHECK(json.at("jobs") == 2);
  CHECK(json.at("shard") == record::Json{{"index", 1}, {"count", 3}});
  CHECK(json.at("complete") == true);
  CHECK_FALSE(provenance_of({"c", "b", "m"}, 2, {}, true).contains("shard"));
}

TEST_CASE("an identity survives its way through a file", "[experiments][provenance]") {
  const Identity identity{"c", "b", "m"};
  CHECK(identity_of(provenance_of(identity, 2, {}, true)) == identity);
  CHECK(identity_of(record::Json::object()) == Identity{});
}

TEST_CASE("the identity changes with the config and with the files that it reads",
          "[experiments][provenance]") {
  const testing::TemporaryFolder folder;
  folder.write("words", words(3002));
  const Identity first = identity_of(testing::config_with(folder, file_grid));
  CHECK(identity_of(testing::config_with(folder, file_grid)) == first);
  folder.write("words", words(3003));
  const Identity changed = identity_of(testing::config_with(folder, file_grid));
  CHECK(changed.config != first.config);
  CHECK(changed.build == first.build);
  CHECK(identity_of(testing::mixed_config(folder)).config != first.config);
}

TEST_CASE("the identity changes with the lists of texts that a config reads",
          "[experiments][provenance]") {
  const testing::TemporaryFolder folder;
  folder.write("words", words(40));
  folder.write("others", words(50));
  const auto identity = [&] {
    return identity_of(read_config(folder.write(
        "config.json",
        R"({"$schema": "bloomlab-config-1", "kind": "known_texts", "title": "t", "question": "q",
            "seed": 42, "trials": 3, "unlisted": 5, "shared_across": [], "expected_flags": [],
            "grid": {"list": "words", "n": 0, "unlisted_are": "lines", "unlisted_path": "others",
                     "bits_per_text": 8}})")));
  };
  const Identity first = identity();
  CHECK(identity() == first);
  folder.write("words", words(41));
  const Identity other_list = identity();
  CHECK(other_list.config != first.config);
  folder.write("others", words(51));
  CHECK(identity().config != other_list.config);
  std::filesystem::remove(folder.path() / "others");
  CHECK_THROWS_WITH(identity(), Catch::Contains("which is no file; a relative path of list or "
                                                "unlisted_path starts from the config's folder"));
}

TEST_CASE("the build's name starts with the commit, or the version where there is none",
          "[experiments][provenance]") {
  const GitState& git = git_state();
  CHECK(build_id().starts_with(git.commit == "unknown" ? build_settings().version : git.commit));
  CHECK((build_id().find('+') != std::string::npos) == git.dirty);
}

TEST_CASE("all that is timed is compiled with the flags that results record",
          "[experiments][provenance]") {
  const std::string flags = flags_as_compiled();
  CAPTURE(flags);
  CHECK(flags.find("-std=c++20") != std::string::npos);
  CHECK(flags.find("-ffp-contract=off") != std::string::npos);
  // One set, of core, experiments and foreign alike; with sanitizers vector kernels have theirs.
  CHECK((flags.find('|') != std::string::npos) == (flags.find("-fsanitize") != std::string::npos));
  CHECK(build_settings().flags == flags);
}

}  // namespace bloomlab::experiments
