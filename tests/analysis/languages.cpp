// The report in every language: nothing missing, nothing typed, the same tags.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "analysis/claims/book.hpp"
#include "analysis/report/report.hpp"
#include "analysis/text/words.hpp"
#include "record/result_file.hpp"
#include "record/strict_json.hpp"
#include "statistics/thresholds.hpp"
#include "synthetic.hpp"
#include "temporary.hpp"
#include "tests/analysis/one_claim.hpp"
#include "tests/paths.hpp"

using namespace bloomlab::analysis;

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> translations = {"zh", "ru"};
const fs::path root(BLOOMLAB_SOURCE_DIR);

std::set<std::string> tags_in(const std::string& name, std::string_view text) {
  const auto names = tag_names(name, text);
  return {names.begin(), names.end()};
}

/// The phrases of one language, English to translated.
Json phrases_of(const std::string& language) {
  const auto text = embedded_text("templates/phrases." + language + ".json");
  REQUIRE(text.has_value());
  return Json::parse(*text);
}

/// Runs of three digits or more, and numbers with a point: those that a translation may not change.
/// Others may: ten million is one thousand times ten thousand in Chinese.
std::vector<std::string> long_numbers(const std::string& text) {
  std::vector<std::string> numbers = phrase_of(text).numbers;
  std::erase_if(numbers, [](const std::string& number) { return number.size() < 3; });
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace

TEST_CASE("every template exists in every language, with the same tags", "[analysis][languages]") {
  std::size_t templates = 0;
  for (const EmbeddedText& entry : embedded_texts()) {
    const std::string name(entry.name);
    if (!name.starts_with("templates/") || !name.ends_with(".en.md")) continue;
    ++templates;
    for (const std::string& language : translations) {
      const std::string other =
          name.substr(0, name.size() - std::string("en.md").size()) + language + ".md";
      INFO(other);
      const auto text = embedded_text(other);
      REQUIRE(text.has_value());
      CHECK(tags_in(other, *text) == tags_in(name, entry.text));
      CHECK((text->find("\n---\n") == std::string_view::npos) ==
            (entry.text.find("\n---\n") == std::string_view::npos));
    }
  }
  CHECK(templates >= 5);
}

TEST_CASE("every word exists in every language, with the same tags", "[analysis][languages]") {
  const Words english("en");
  for (const std::string& language : translations) {
    const Words words(language);
    CHECK(words.texts().size() == english.texts().size());
    for (const auto& [key, text] : english.texts()) {
      INFO(language << ": " << key);
      REQUIRE(words.has(key));
      const std::string& translated = words.texts().at(key);
      CHECK(tags_in(key, translated) == tags_in(key, text));
      Tags tags;
      for (const std::string& tag : tag_names(key, translated)) tags[tag] = "x";
      CHECK_NOTHROW(words(key, tags));  // no digit is typed
    }
  }
}

TEST_CASE("numbers leave a phrase and come back", "[analysis][languages]") {
  const auto phrase = phrase_of("5 of 11 right; m = 0.25.");
  CHECK(phrase.pattern == "# of # right; m = #.");
  CHECK(phrase.numbers == std::vector<std::string>{"5", "11", "0.25"});
  const Words words("zh");
  CHECK(words.of_data("5 of 11 right") == "正确 5 / 11");
  CHECK(words.of_data("5 of 11 right; WRONG m = 12, computed 0.5") ==
        "正确 5 / 11; 错误 m = 12，算得 0.5");
  CHECK(words.of_data("a student's own title") == "a student's own title");
  CHECK(words.of_data("5 of 11 right; a student's own title") ==
        "正确 5 / 11; a student's own title");
  CHECK(Words("en").of_data("5 of 11 right") == "5 of 11 right");
}

TEST_CASE("a phrase has as many numbers in every language, none of them typed",
          "[analysis][languages]") {
  CHECK(phrases_of("zh").size() == phrases_of("ru").size());
  for (const std::string& language : translations) {
    const Json phrases = phrases_of(language);
    for (const auto& [english, translated] : phrases.items()) {
      INFO(language << ": " << english);
      const std::string text = translated;
      CHECK(phrase_of(english).numbers.empty());
      CHECK(phrase_of(text).numbers.empty());
      CHECK(std::count(text.begin(), text.end(), '#') ==
            std::count(english.begin(), english.end(), '#'));
    }
  }
}

TEST_CASE("what the thresholds mean is translated", "[analysis][languages]") {
  for (const std::string& language : translations) {
    const Words words(language);
    for (const auto& threshold : bloomlab::statistics::thresholds::all()) {
      const std::string meaning(threshold.meaning);
      INFO(language << ": " << meaning);
      CHECK(words.of_data(meaning) != meaning);
    }
  }
}

TEST_CASE("every committed claim is translated and keeps its numbers", "[analysis][languages]") {
  for (const claims::Book& book : claims::committed_books()) {
    for (const std::string& language : translations) {
      Words words(language);
      words = words.with(book.words.at(language));
      CHECK(words.of_data(book.source) != book.source);
      for (const claims::Claim& claim : book.claims) {
        INFO(language << ": " << claim.text.id);
        REQUIRE(claim.text.translations.contains(language));
        CHECK(long_numbers(claim.text.translations.at(language)) ==
              long_numbers(claim.text.statement));
      }
    }
  }
}

TEST_CASE("what open claims need is translated, and nothing else that is needed",
          "[analysis][languages][claims]") {
  const auto books = claims::committed_books();
  for (const claims::Book& book : books) {
    std::set<std::string> needed;
    for (const auto& claim : claims::judge_books({&book, 1}, {})) {
      const std::string& note = claim.finding.note;
      if (claim.kind == "open") needed.insert(phrase_of(note.substr(0, note.find("; "))).pattern);
    }
    for (const std::string& language : translations) {
      INFO(book.id << ", " << language);
      std::set<std::string> translated;
      for (const auto& [english, text] : book.words.at(language)) {
        if (english.starts_with("needs ")) translated.insert(english);
      }
      CHECK(translated == needed);
    }
  }
}

TEST_CASE("a claim without translation is shown in English, and says so",
          "[analysis][languages][claims]") {
  const std::vector<claims::Book> books = {claims::read_book(
      R"j({"format": "bloomlab-claims-1", "id": "T", "source": "mine", "claims": [
        {"id": "T-1", "statement": "one is one", "statement_ru": "один есть один",
         "check": {"sql": "select 1 as holds"}}]})j",
      "mine.json")};
  const auto judged = claims::judge_books(books, {});
  const auto statement = [&](const std::string& language) {
    return claims::claims_table(judged, Words(language)).rows.front().at(1).text;
  };
  CHECK(statement("en") == "one is one");
  CHECK(statement("ru") == "один есть один");
  CHECK(statement("zh") == "one is one （英文原文）");
  const auto table = claims::claims_table(judged, Words("ru"));
  CHECK(table.rows.front().at(4).text == "ВЕРНО");
}

TEST_CASE("reports of all languages share a folder", "[analysis][languages]") {
  CHECK(report_name("en", "md") == "REPORT.md");
  CHECK(report_name("zh", "html") == "REPORT.zh.html");
  const Temporary folder;
  const auto results = folder.path / "results";
  bloomlab::record::write_result_file(results / "students_own.json",
                                      synthetic::results({.stem = "students_own"}));
  const auto write = [&](const std::string& language) {
    return write_report({.results = results,
                         .report = folder.path,
                         .figures = folder.path / "figures",
                         .pages = folder.path / "pages",
                         .csv = folder.path / ("csv_" + language),
                         .language = language});
  };
  const auto read = [](const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  write("en");
  const std::string english = read(folder.path / "REPORT.md");
  const auto chinese = write("zh");
  CHECK(chinese.report_file == folder.path / "REPORT.zh.md");
  write("ru");
  CHECK(read(folder.path / "REPORT.md") == english);
  CHECK_THAT(read(folder.path / "REPORT.zh.md"), Catch::Contains("(figures/zh/students_own.svg)"));
  CHECK_THAT(read(folder.path / "REPORT.zh.md"), Catch::Contains("## 答案"));
  CHECK_THAT(read(folder.path / "REPORT.ru.md"), Catch::Contains("## Ответы"));
  CHECK_THAT(read(folder.path / "figures/ru/students_own.svg"), Catch::Contains("частота"));
  for (const auto& entry : fs::directory_iterator(folder.path / "csv_en")) {
    INFO(entry.path().filename());
    CHECK(read(entry.path()) == read(folder.path / "csv_zh" / entry.path().filename()));
    CHECK(read(entry.path()) == read(folder.path / "csv_ru" / entry.path().filename()));
  }
}
