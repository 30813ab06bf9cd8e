#include "analysis/report/front.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <utility>

#include "analysis/html/raw.hpp"
#include "analysis/pages/page.hpp"
#include "analysis/report/section.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::analysis {

namespace {

constexpr std::uintmax_t largest_front_bytes = 1 << 20;
constexpr std::string_view stem_of_front = "report";
constexpr std::string_view answer_tag = "answer:";
constexpr std::string_view figure_tag = "figure:";

/// The stems that the tags below every heading of level 3 name, in their order.
std::vector<Chapter> chapters_of(const std::string& where, const std::string& text) {
  constexpr std::string_view heading = "### ";
  std::vector<Chapter> chapters;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(heading)) {
      chapters.push_back({.title = line.substr(heading.size()), .stems = {}});
    }
    for (const std::string& tag : tag_names(where, line)) {
      if (!tag.starts_with(answer_tag)) continue;
      if (chapters.empty()) chapters.emplace_back();
      chapters.back().stems.push_back(tag.substr(answer_tag.size()));
    }
  }
  return chapters;
}

const Section* section_called(std::span<const Section> sections, std::string_view stem) {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const Section& section) { return section.stem == stem; });
  return found == sections.end() ? nullptr : &*found;
}

bool is_in_a_chapter(const std::vector<Chapter>& chapters, const std::string& stem) {
  return std::any_of(chapters.begin(), chapters.end(), [&](const Chapter& chapter) {
    return std::find(chapter.stems.begin(), chapter.stems.end(), stem) != chapter.stems.end();
  });
}

class FrontBuilder {
 public:
  FrontBuilder(const FrontText& front, const FrontParts& parts, const Words& words)
      : parts_(parts),
        page_(pages::parse_page(front.name, front.text, std::string(stem_of_front),
                                pages::Divider::none)),
        prose_(pages::parse_page(front.name, front.prose, std::string(stem_of_front),
                                 pages::Divider::none)),
        words_(words.with(prose_.words)) {}

  [[nodiscard]] FrontPage build() {
    Experiment study;
    study.stem = stem_of_front;
    Content content = pages::content_of(page_, study, parts_.experiments, words_);
    FrontPage front{.markdown = {},
                    .chapters = chapters_of(page_.name, prose_.template_text),
                    .figures = content.figures};
    add_rest(front.chapters);
    Tags tags = std::move(content.values);
    for (const Table& table : content.tables) tags["table:" + table.name] = markdown(table);
    for (const std::string& tag : tag_names(prose_.name, prose_.template_text)) {
      if (const auto text = text_of(tag, front)) tags[tag] = *text;
    }
    front.markdown = trimmed(expand(prose_.name, prose_.template_text, tags)) + "\n";
    return front;
  }

 private:
  /// What no tag names comes last.
  void add_rest(std::vector<Chapter>& chapters) {
    Chapter rest{.title = chapters.empty() ? "" : words_("chapter.own"), .stems = {}};
    for (const Section& section : parts_.sections) {
      if (!is_in_a_chapter(chapters, section.stem)) rest.stems.push_back(section.stem);
    }
    rest_ = rest.stems;
    if (!rest.stems.empty()) chapters.push_back(std::move(rest));
  }

  [[nodiscard]] std::string answer(const std::string& stem) const {
    const Section* section = section_called(parts_.sections, stem);
    if (section == nullptr) {
      return words_("summary.not_measured", {{"stems", markdown_escaped(stem)}});
    }
    return item(section->title, stem, section->answer);
  }

  [[nodiscard]] std::string item(const std::string& title, std::string_view anchor,
                                 const std::string& answer) const {
    return words_(
        "summary.item",
        {{"title", markdown_escaped(title)}, {"link", section_mark(anchor)}, {"answer", answer}});
  }

  /// The text of a tag that is not the page's own.
  [[nodiscard]] std::optional<std::string> text_of(const std::string& tag,
                                                   const FrontPage& front) const {
    if (tag == "verdict") return parts_.verdict;
    if (tag == "replication") return parts_.replication;
    if (tag == "title") {
      const bool one = parts_.sections.size() == 1;
      return one ? markdown_escaped(parts_.sections.front().title) : words_("report.title");
    }
    if (tag == "answers") return rest_text(front);
    if (tag == "method")
      return item(words_("method.title"), method_anchor, words_("method.answer"));
    if (tag == "claims") {
      if (parts_.claims.empty()) return "";
      return item(words_("claims.title"), claims_anchor, parts_.claims);
    }
    if (tag.starts_with(answer_tag)) return answer(tag.substr(answer_tag.size()));
    if (tag.starts_with(figure_tag)) return picture(tag.substr(figure_tag.size()), front);
    return std::nullopt;
  }

  [[nodiscard]] std::string rest_text(const FrontPage& front) const {
    std::string text;
    if (!rest_.empty() && front.chapters.size() > 1) {
      text.append("### ").append(front.chapters.back().title).append("\n\n");
    }
    for (const std::string& stem : rest_) text.append(answer(stem)).append("\n");
    return trimmed(text);
  }

  /// A figure of any section; nothing where its result was not measured.
  [[nodiscard]] std::string picture(const std::string& name, const FrontPage& front) const {
    const auto found = [&](const std::vector<plot::Figure>& figures) -> std::string {
      for (const plot::Figure& figure : figures) {
        if (figure.name != name) continue;
        return "![" + markdown_escaped(figure.title) + "](" + marked_links().figures +
               link_text(name) + ".svg)";
      }
      return "";
    };
    std::string text = found(front.figures);
    for (const Section& section : parts_.sections) {
      if (text.empty()) text = found(section.content.figures);
    }
    return text;
  }

  const FrontParts& parts_;
  pages::PageText page_;
  pages::PageText prose_;
  Words words_;
  std::vector<std::string> rest_;
};

}  // namespace

FrontText read_front(const std::filesystem::path& path, const std::string& language) {
  FrontText front{.name = path.filename().string(),
                  .text = record::read_text(path, largest_front_bytes),
                  .prose = {}};
  std::filesystem::path other = path;
  other.replace_extension(language + path.extension().string());
  const bool translated = language != "en" && std::filesystem::exists(other);
  front.prose = translated ? record::read_text(other, largest_front_bytes) : front.text;
  return front;
}

FrontText general_front(const Words& words) {
  const std::string name = "templates/report." + words.language() + ".md";
  const std::string text(template_called(name));
  return {.name = name, .text = text, .prose = text};
}

FrontPage make_front(const FrontText& front, const FrontParts& parts, const Words& words) {
  html::check_formulas(front.name, front.prose);
  return FrontBuilder(front, parts, words).build();
}

}  // namespace bloomlab::analysis
