// The files of a report: a front page, and a page for every result beside it.
#include <string>
#include <utility>

#include "analysis/report/report.hpp"
#include "analysis/tables/table.hpp"

namespace bloomlab::analysis {

namespace {

/// Sections of so many bytes together stand in REPORT.md itself.
constexpr std::size_t most_inline_bytes = 64 * 1024;

std::string anchor(const std::string& stem) { return "<a id=\"" + link_text(stem) + "\"></a>"; }

/// "## Title" of a section as the heading of a page.
std::string as_page(const std::string& body, const std::string& back) {
  const std::string start = body.starts_with("## ") ? body.substr(1) : body;
  return back + "\n\n" + start + "\n";
}

class FileWriter {
 public:
  FileWriter(const Report& report, const Places& places, const Words& words, bool is_study)
      : report_(report), places_(places), words_(words) {
    std::size_t bytes = 0;
    for (const Section& section : report.sections) bytes += section.body.size();
    inline_ = !is_study && bytes <= most_inline_bytes;
  }

  [[nodiscard]] std::vector<TextFile> files() const {
    const std::string main = report_name(words_.language(), "md");
    std::string front = report_.front;
    for (const Section& section : report_.sections) {
      if (inline_) front += "\n" + anchor(section.stem) + "\n\n" + section.body + "\n";
    }
    std::vector<TextFile> all = {{main, with_links(front, from_main())}};
    add_beside(all, "method.md", report_.method);
    if (!report_.claims.empty()) add_beside(all, "claims.md", report_.claims);
    if (inline_) return all;
    const std::string up = upwards();
    const Targets targets{
        .links = {up + places_.links.results, up + places_.links.figures,
                  places_.pages == places_.links.tables ? "" : up + places_.links.tables},
        .section = [&](const std::string& stem) { return link_to(stem, up, ""); }};
    for (const Section& section : report_.sections) {
      all.push_back({places_.pages + section.stem + ".md",
                     with_links(as_page(section.body, back_link(up + main)), targets)});
    }
    return all;
  }

 private:
  void add_beside(std::vector<TextFile>& all, const char* ending, const std::string& text) const {
    const std::string main = report_name(words_.language(), "md");
    all.push_back({report_name(words_.language(), ending),
                   with_links(as_page(text, back_link(main)), from_beside())});
  }

  /// Links of a file beside REPORT.md, and of REPORT.md itself.
  [[nodiscard]] Targets from_beside() const {
    return {.links = places_.links, .section = [this](const std::string& stem) {
              return link_to(stem, "", places_.pages);
            }};
  }
  [[nodiscard]] Targets from_main() const {
    Targets targets = from_beside();
    if (!inline_) return targets;
    targets.section = [this](const std::string& anchor) {
      const bool is_page = anchor == method_anchor || anchor == claims_anchor;
      return is_page ? link_to(anchor, "", places_.pages) : "#" + link_text(anchor);
    };
    return targets;
  }

  /// The page of a section, from a file from which REPORT.md lies `up` and the pages in `pages`.
  [[nodiscard]] std::string link_to(const std::string& anchor, const std::string& up,
                                    const std::string& pages) const {
    if (anchor == method_anchor) return up + report_name(words_.language(), "method.md");
    if (anchor == claims_anchor) return up + report_name(words_.language(), "claims.md");
    if (inline_) return up + report_name(words_.language(), "md") + "#" + link_text(anchor);
    return pages + link_text(anchor) + ".md";
  }

  [[nodiscard]] std::string back_link(const std::string& target) const {
    return "[" + words_("link.back") + "](" + target + ")";
  }

  /// From the folder of the pages to that of REPORT.md.
  [[nodiscard]] std::string upwards() const {
    std::string up;
    for (const char character : places_.pages) up += character == '/' ? "../" : "";
    return up;
  }

  const Report& report_;
  const Places& places_;
  const Words& words_;
  bool inline_ = false;
};

}  // namespace

std::vector<TextFile> report_files(const Report& report, const Places& places, const Words& words,
                                   bool is_study) {
  return FileWriter(report, places, words, is_study).files();
}

}  // namespace bloomlab::analysis
