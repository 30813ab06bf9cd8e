// The pages of this repository's own configs, over the results of the reference run.
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <sstream>

#include "analysis/data/load.hpp"
#include "analysis/pages/page.hpp"
#include "analysis/report/section.hpp"
#include "record/strict_json.hpp"
#include "tests/paths.hpp"
#include "tests/read_text.hpp"

using namespace bloomlab::analysis;

namespace {

namespace fs = std::filesystem;

const fs::path study_root(BLOOMLAB_SOURCE_DIR);

/// The folders with configs of the study, each beside its page.
const std::array<fs::path, 8> config_folders = {
    study_root / "configs",         study_root / "configs/textbook",
    study_root / "configs/hashing", study_root / "configs/lab_report",
    study_root / "configs/filters", study_root / "configs/trust",
    study_root / "configs/speed",   study_root / "configs/applications"};

std::vector<fs::path> files_of_configs() {
  std::vector<fs::path> files;
  for (const fs::path& folder : config_folders) {
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  }
  return files;
}

/// The config of a result; where nobody has it, a path that does not exist.
fs::path config_of_result(const std::string& stem) {
  for (const fs::path& folder : config_folders) {
    if (fs::exists(folder / (stem + ".json"))) return folder / (stem + ".json");
  }
  return {};
}

/// The results of the repository with the pages as they stand beside the configs now.
const std::vector<Experiment>& study_results() {
  static const std::vector<Experiment> all = [] {
    std::vector<Experiment> experiments;
    for (ResultSet& set : load_good(study_root / "results").sets) {
      experiments.push_back(analyse(std::move(set)));
      Experiment& experiment = experiments.back();
      const fs::path config = config_of_result(experiment.stem);
      if (config.empty()) continue;
      experiment.config["page"] = bloomlab::record::read_json(config, 1 << 20).at("page");
      experiment.pages.clear();
      const fs::path page = config.parent_path() / experiment.config["page"].get<std::string>();
      for (const char* ending : {".md", ".zh.md", ".ru.md"}) {
        fs::path other = page;
        other.replace_extension(ending);
        experiment.pages[other.filename().string()] = read_text(other);
      }
    }
    return experiments;
  }();
  return all;
}

/// What the page of a result says: its answer, and what follows.
std::string study_text(const std::string& stem) {
  for (const Experiment& experiment : study_results()) {
    if (experiment.stem != stem) continue;
    const Section section = page_section(experiment, study_results(), Words("en"), {});
    return section.answer + "\n" + section.body;
  }
  return "not measured";
}

}  // namespace

TEST_CASE("every config has a page, in every language", "[pages][study]") {
  std::size_t configs = 0;
  for (const fs::path& config : files_of_configs()) {
    if (config.extension() != ".json") continue;
    INFO(config);
    ++configs;
    const fs::path page =
        config.parent_path() /
        bloomlab::record::read_json(config, 1 << 20).at("page").get<std::string>();
    for (const char* ending : {".md", ".zh.md", ".ru.md"}) {
      fs::path other = page;
      CHECK(fs::exists(other.replace_extension(ending)));
    }
  }
  CHECK(configs >= 48);
}

TEST_CASE("every application has a small twin with the same page", "[pages][study]") {
  std::size_t configs = 0;
  for (const auto& entry : fs::directory_iterator(study_root / "configs/applications")) {
    if (entry.path().extension() != ".json") continue;
    INFO(entry.path());
    ++configs;
    const auto large = bloomlab::record::read_json(entry.path(), 1 << 20);
    const auto small = bloomlab::record::read_json(
        study_root / "configs/smoke" / entry.path().filename(), 1 << 20);
    CHECK(small.at("kind") == large.at("kind"));
    CHECK(small.at("title") == large.at("title"));
    CHECK(small.at("question") == large.at("question"));
    CHECK(small.at("page") == "../applications/" + large.at("page").get<std::string>());
  }
  CHECK(configs >= 8);
}

TEST_CASE("every page is written over the reference results, in every language", "[pages][study]") {
  for (const char* language : {"en", "zh", "ru"}) {
    const Words words(language);
    for (const Experiment& experiment : study_results()) {
      if (!has_page(experiment)) continue;
      INFO(language << ": " << experiment.stem);
      Section section;
      REQUIRE_NOTHROW(section = page_section(experiment, study_results(), words, {}));
      CHECK(section.fault.empty());
      CHECK_FALSE(section.answer.empty());
      CHECK(section.answer.size() <= 1200);
      CHECK(section.title.empty() == false);
      CHECK((language == std::string("en")) == (section.title == experiment.title));
      if (language != std::string("en")) continue;
      // The page in the repository was written from the results beside it. Title and links are its
      // own.
      const std::string page = read_text(study_root / "results/pages" / (experiment.stem + ".md"));
      std::istringstream lines(section.answer + "\n" + section.body);
      for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("## ") || line.find("](") != std::string::npos) continue;
        CHECK_THAT(page, Catch::Contains(line));
      }
    }
  }
}

TEST_CASE("what the sources print comes out again", "[pages][study]") {
  CHECK_THAT(study_text("textbook_table"), Catch::Contains("49 of the 49") &&
                                               Catch::Contains("49 of 49 cases") &&
                                               Catch::Contains("8 of 9 rows"));
  CHECK_THAT(study_text("ratio_table"), Catch::Contains("6 of the 7"));
  CHECK_THAT(study_text("lab_report"), Catch::Contains("88 of 88"));
  CHECK_THAT(study_text("literature"), Catch::Contains("Of 68 numbers printed in 5 works, 59") &&
                                           Catch::Contains("23 of its 30 entries"));
  CHECK_THAT(read_text(study_root / "README.md"),
             Catch::Contains("49 of 49 entries") && Catch::Contains("88 of 88 values"));
}

TEST_CASE("a translation asks for what its page has", "[pages][study]") {
  for (const fs::path& file : files_of_configs()) {
    const std::string name = file.filename().string();
    if (!name.ends_with(".page.md")) continue;
    const auto tags_of = [&](const fs::path& path) {
      const auto page =
          pages::parse_page(path.filename().string(), read_text(path), "", pages::Divider::none);
      const auto names = tag_names(page.name, page.template_text);
      std::set<std::string> tags;
      for (std::string tag : names) {
        // A block's own tag begins with the stem, which is empty here.
        if (tag.starts_with("figure:_")) tag.erase(tag.find('_'), 1);
        tags.insert(tag);
      }
      return tags;
    };
    for (const char* ending : {".zh.md", ".ru.md"}) {
      fs::path other = file;
      other.replace_extension(ending);
      INFO(other);
      CHECK(tags_of(other) == tags_of(file));
    }
  }
}
