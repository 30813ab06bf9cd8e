#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "analysis/html/page.hpp"
#include "analysis/report/report.hpp"
#include "analysis/tables/table.hpp"

namespace bloomlab::analysis {

namespace {

/// "results/" as a folder: "results"; the report's own folder: ".".
std::string folder_of(const std::string& link) {
  return link.empty() ? "." : link.substr(0, link.size() - 1);
}

/// The heading under which the front page has the answer of this result.
std::string chapter_of(const std::vector<Chapter>& chapters, const std::string& stem) {
  for (const Chapter& chapter : chapters) {
    if (std::find(chapter.stems.begin(), chapter.stems.end(), stem) != chapter.stems.end()) {
      return chapter.title;
    }
  }
  return "";
}

}  // namespace

std::string report_page(const Report& report, const std::map<std::string, std::string>& pictures,
                        const std::string& language, const Places& places) {
  const Targets targets{.links = places.links,
                        .section = [](const std::string& stem) { return "#" + link_text(stem); }};
  html::Pictures by_link;
  for (const auto& [name, svg] : pictures) {
    by_link[places.links.figures + link_text(name) + ".svg"] = svg;
  }
  html::PageSource source{.markdown = {},
                          .pictures = std::move(by_link),
                          .results_folder = folder_of(places.links.results)};
  std::string markdown = report.front;
  const auto add = [&](std::string_view anchor, const std::string& body, const std::string& answer,
                       const std::string& chapter) {
    const std::string id = link_text(std::string(anchor));
    markdown += "\n<a id=\"" + id + "\"></a>\n\n" + body + "\n";
    source.answers[id] = {.markdown = with_links(answer, targets), .chapter = chapter};
  };
  if (!report.claims.empty()) add(claims_anchor, report.claims, report.claims_answer, "");
  for (const Section& section : report.sections) {
    add(section.stem, section.body, section.answer, chapter_of(report.chapters, section.stem));
  }
  markdown += "\n<a id=\"" + std::string(method_anchor) + "\"></a>\n\n" + report.method;
  markdown = with_links(markdown, targets);
  source.markdown = markdown;
  const std::string file = report_name(language, "md");
  source.report_link = "[" + markdown_escaped(file) + "](" + file + ")";
  return html::page(source, language);
}

}  // namespace bloomlab::analysis
