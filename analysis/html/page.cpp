#include "analysis/html/page.hpp"

#include <string>
#include <vector>

#include "analysis/html/policy.hpp"
#include "analysis/html/sections.hpp"
#include "analysis/plot/text.hpp"
#include "analysis/text/embedded.hpp"
#include "analysis/text/template.hpp"
#include "analysis/text/words.hpp"

namespace bloomlab::analysis::html {

namespace {

std::string page_part(const std::string& name) {
  const auto text = embedded_text("templates/page/" + name);
  if (!text) throw TemplateError("templates/page/" + name + ": there is no such template");
  return std::string(*text);
}

/// A list of links; chapters are folded lists of their own.
std::string contents_html(const std::vector<PageSection>& sections) {
  std::string text;
  std::string chapter;
  const auto end_chapter = [&] {
    if (!chapter.empty()) text.append("</ol></details></li>\n");
  };
  for (const PageSection& section : sections) {
    if (section.chapter != chapter) {
      end_chapter();
      chapter = section.chapter;
      if (!chapter.empty()) {
        text.append("<li><details><summary>").append(chapter).append("</summary>\n<ol>\n");
      }
    }
    text.append("<li><a href=\"#").append(section.id).append("\">").append(section.label);
    text.append("</a></li>\n");
  }
  end_chapter();
  return text;
}

std::string section_html(const PageSection& section) {
  const bool experiment = !section.chapter.empty();
  const std::string heading = experiment ? "h3" : "h2";
  const std::string title = "<" + heading + ">" + section.title + "</" + heading + ">";
  if (!section.folded) {
    return "<section id=\"" + section.id + "\">\n" + title + "\n" + section.body + "</section>\n";
  }
  std::string text = "<details class=\"";
  text.append(experiment ? "section experiment" : "section");
  text.append("\" id=\"").append(section.id).append("\">\n<summary>").append(title);
  if (!section.answer.empty()) {
    text.append("\n<span class=\"answer\">").append(section.answer).append("</span>");
  }
  text.append("</summary>\n<div class=\"body\">\n").append(section.body);
  return text.append("</div>\n</details>\n");
}

}  // namespace

std::string page(const PageSource& source, const std::string& language) {
  const Words words(language, "page");
  const Outline outline = outline_of(blocks_of(source.markdown, source.pictures), source.answers);
  std::string sections;
  for (const PageSection& section : outline.sections) sections += section_html(section);
  const std::string script = page_part("page.js");
  const auto word = [&](const std::string& key) { return plot::xml_text(words(key)); };
  const Tags places{{"report", source.report_link}, {"results", source.results_folder}};
  return fill_frame("templates/page/page.html", page_part("page.html"),
                    {{"language", plot::xml_text(language)},
                     {"policy", content_policy(script)},
                     {"title", outline.title},
                     {"style", page_part("page.css")},
                     {"script", script},
                     {"word:skip", word("skip")},
                     {"word:contents", word("contents")},
                     {"word:open", word("open")},
                     {"word:close", word("close")},
                     {"word:theme", word("theme")},
                     {"word:print", word("print")},
                     {"word:sort", word("sort")},
                     {"word:teach", word("teach")},
                     {"word:back", word("back")},
                     {"word:next", word("next")},
                     {"word:close_one", word("close_one")},
                     {"word:footer", line_of(words("footer", places))},
                     {"contents", contents_html(outline.sections)},
                     {"intro", outline.intro},
                     {"sections", sections}});
}

}  // namespace bloomlab::analysis::html
