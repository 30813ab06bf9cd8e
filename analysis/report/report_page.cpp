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

}  // namespace

std::string report_page(const Report& report, const std::map<std::string, std::string>& pictures,
                        const std::string& language, const Links& links) {
  html::Pictures by_link;
  for (const auto& [name, svg] : pictures) {
    by_link[links.figures + link_text(name) + ".svg"] = svg;
  }
  const std::string file = report_name(language, "md");
  std::string link = "[";
  link.append(markdown_escaped(file)).append("](").append(file).append(")");
  return html::page({.markdown = report.markdown,
                     .summary = report.summary,
                     .answers = report.answers,
                     .pictures = std::move(by_link),
                     .report_link = std::move(link),
                     .results_folder = folder_of(links.results)},
                    language);
}

}  // namespace bloomlab::analysis
