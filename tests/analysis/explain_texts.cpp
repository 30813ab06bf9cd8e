#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "analysis/explain/drawing.hpp"
#include "analysis/explain/trace_text.hpp"
#include "core/catalogue.hpp"
#include "record/input_error.hpp"
#include "tests/paths.hpp"

namespace bloomlab::analysis::explain {

namespace {

constexpr std::array<const char*, 3> languages = {"en", "zh", "ru"};

std::string explain_sources() {
  namespace fs = std::filesystem;
  std::string all;
  for (const auto& entry :
       fs::directory_iterator(fs::path(BLOOMLAB_SOURCE_DIR) / "analysis" / "explain")) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    all.append(std::istreambuf_iterator<char>(file), {});
  }
  return all;
}

std::vector<std::string> sorted_tags(const std::string& key, const std::string& text) {
  std::vector<std::string> names = tag_names(key, text);
  std::ranges::sort(names);
  return names;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("every language of explain has the same texts with the same tags",
          "[analysis][explain]") {
  const Words english("en", "explain");
  CHECK(english.texts().size() > 50);
  for (const char* language : languages) {
    const Words words(language, "explain");
    CHECK(words.texts().size() == english.texts().size());
    for (const auto& [key, text] : words.texts()) {
      INFO(language << " " << key);
      REQUIRE(english.has(key));
      CHECK(sorted_tags(key, text) == sorted_tags(key, english.texts().find(key)->second));
      Tags tags;
      for (const std::string& tag : tag_names(key, text)) tags[tag] = "x";
      CHECK_NOTHROW(words(key, tags));  // no digit is typed
    }
  }
}

TEST_CASE("every text of explain is asked for", "[analysis][explain]") {
  const std::string code = explain_sources();
  const Words words("en", "explain");
  for (const auto& [key, text] : words.texts()) {
    INFO(key);
    const bool composed = key.starts_with("rate.") || key.starts_with("position.") ||
                          key.starts_with("reduction.") || key.starts_with("answer.");
    CHECK((composed || code.find("\"" + key + "\"") != std::string::npos));
  }
}

TEST_CASE("every probe and reduction of the catalogue is explained in every language",
          "[analysis][explain]") {
  for (const char* language : languages) {
    const Lines lines(language);
    for_each_type<HashingSchemes>([&]<class Family>(std::type_identity<Family>) {
      CHECK(lines.has("position." + std::string(Family::name)));
    });
    for_each_type<Reductions>([&]<class Reduction>(std::type_identity<Reduction>) {
      CHECK(lines.has("reduction." + std::string(Reduction::name)));
    });
  }
}

TEST_CASE("an unknown language of explain names those that exist", "[analysis][explain]") {
  CHECK_THROWS_WITH(Lines("de"), "unknown language \"de\"; allowed: en, ru, zh");
}

TEST_CASE("bits are drawn sixteen a row below their positions", "[analysis][explain]") {
  std::vector<bool> bits(18);
  bits[1] = bits[4] = bits[17] = true;
  const Marks marks = {{1, Ink::fresh}, {4, Ink::standing}, {5, Ink::missing}};
  CHECK(bit_rows(bits, marks, Colours::none) ==
        "       0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15\n"
        "       0  [1]  0   0  (1) [0]  0   0   0   0   0   0   0   0   0   0\n"
        "      16  17\n"
        "       0   1\n");
  CHECK(bit_rows({true}, {{0, Ink::fresh}}, Colours::ansi).find("\x1b[1;32m[1]\x1b[0m") !=
        std::string::npos);
}

TEST_CASE("the slides' example is told with the reason of each answer", "[analysis][explain]") {
  const Trace told = trace(slides_lesson());
  const std::string text = trace_text(told, Lines("en"), Colours::none);
  for (const char* part :
       {"newly set: 3, 8\n", "already set: 4 by baidu\n", "Bit 5 is 0: 0voice was certainly",
        "And baidu was really inserted.", "But taobao was never inserted: a false positive.",
        "X/m = 5/16 = 0.3125\n", "(1 − 1/m)^k = 0.9375^3 = 0.823975\n",
        "as 0.99, 0.9801, 0.9801. The third is a misprint: 0.99³ = 0.970299."}) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(trace_text(told, Lines("en"), Colours::ansi).find('\x1b') != std::string::npos);
  CHECK(trace_text(told, Lines("zh"), Colours::none).find("第 5 位是 0") != std::string::npos);
  CHECK(trace_text(told, Lines("ru"), Colours::none).find("Бит 5 равен 0") != std::string::npos);
}

TEST_CASE("remarks on the slides and on given positions come only where they belong",
          "[analysis][explain]") {
  Lesson lesson;
  lesson.inserted = {"a"};
  const std::string text = trace_text(trace(lesson), Lines("en"), Colours::none);
  CHECK(text.find("slides") == std::string::npos);
  CHECK(text.find("suppose positions drawn at random") == std::string::npos);
  CHECK(text.find("words: 0x") != std::string::npos);
  CHECK(text.find("Queries") == std::string::npos);
}

TEST_CASE("an insert that changes nothing is told so", "[analysis][explain]") {
  Lesson lesson;
  lesson.inserted = {"a", "a"};
  const std::string text = trace_text(trace(lesson), Lines("en"), Colours::none);
  CHECK(count_of(text, "No bit changed") == 1);
}

TEST_CASE("the dead mice name every bottle", "[analysis][explain]") {
  CHECK(mice_for(1000) == 10);
  CHECK(mice_for(1) == 0);
  CHECK(mice_for(2) == 1);
  CHECK(mice_for(1024) == 10);
  CHECK(mice_for(1025) == 11);
  CHECK(mice_for(std::uint64_t{1} << 63) == 63);
  CHECK(code_of(1000, 10) == "1111101000");
  for (std::uint64_t bottles = 1; bottles <= 130; ++bottles) {
    CHECK(rightly_named(bottles) == bottles);
    for (int mouse = 0; mouse < mice_for(bottles); ++mouse) {
      std::uint64_t count = 0;
      for (std::uint64_t bottle = 1; bottle <= bottles; ++bottle) count += drinks(mouse, bottle);
      CHECK(bottles_of(mouse, bottles) == count);
    }
  }
}

TEST_CASE("the puzzle of the bottles is told for any number of them", "[analysis][explain]") {
  const Lines lines("en");
  const std::string slides = bottles_text(1000, 1000, lines, Colours::none);
  CHECK(slides.find("10 mice are enough for 1000 bottles, as 2^10 = 1024 ≥ 1000") !=
        std::string::npos);
  CHECK(slides.find("Bottle 1000 = 1111101000 is the poisoned one. After a week these mice are "
                    "dead: 10, 9, 8, 7, 6, 4.") != std::string::npos);
  CHECK(slides.find("512 + 256 + 128 + 64 + 32 + 8 = 1000.") != std::string::npos);
  CHECK(slides.find("mouse 2, worth 2: bottles 2, 3, 6, 7, 10, 11, … (500 in all)") !=
        std::string::npos);
  CHECK(slides.find("the right one was named 1000 times") != std::string::npos);
  CHECK(bottles_text(1, 1, lines, Colours::none) ==
        "A single bottle needs no mouse: it is the poisoned one.\n");
  const std::string power = bottles_text(8, 8, lines, Colours::none);
  CHECK(power.find("mouse 3, worth 4: bottles 4, 5, 6, 7 (4 in all)") != std::string::npos);
  CHECK(power.find("no mouse is dead") != std::string::npos);
  CHECK(power.find("Bottle 8 has one digit more") != std::string::npos);
  const std::string huge =
      bottles_text(std::uint64_t{1} << 63, std::uint64_t{1} << 62, lines, Colours::none);
  CHECK(huge.find("4611686018427387904 = 4611686018427387904.") != std::string::npos);
}

TEST_CASE("the drawing points from keys to bits and says the same in words",
          "[analysis][explain]") {
  const Trace told = trace(slides_lesson());
  const Drawing drawing = drawing_of(told, Lines("en"));
  CHECK(drawing.above.size() == 2);
  CHECK(drawing.below[0].hue == drawing.above[0].hue);
  CHECK(drawing.notes[3] == "0voice: 1, 5, 8; absent, bit 5 is 0");
  const std::string svg = svg_of(drawing);
  CHECK(count_of(svg, "<line") == 15);
  CHECK(count_of(svg, "class=\"set\"") == 5);
  CHECK(count_of(svg, "class=\"zero\"") == 11);
  CHECK(svg.find("prefers-color-scheme: dark") != std::string::npos);
}

TEST_CASE("a drawing takes any text as a key, and many bits", "[analysis][explain]") {
  Lesson lesson;
  lesson.inserted = {"a<b>&\"c\"", std::string(300, 'w'), "百度"};
  const std::string svg = svg_of(drawing_of(trace(lesson), Lines("en")));
  CHECK(svg.find("a&lt;b&gt;&amp;") != std::string::npos);
  CHECK(svg.find("<b>") == std::string::npos);
  CHECK(svg.find("百度") != std::string::npos);
  lesson.m = 256;
  const std::string large = svg_of(drawing_of(trace(lesson), Lines("en")));
  CHECK(count_of(large, "<line") == 0);
  CHECK(large.find(">255</text>") != std::string::npos);
}

}  // namespace bloomlab::analysis::explain
