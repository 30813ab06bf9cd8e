#include "analysis/report/section.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/exhibits/kinds.hpp"
#include "analysis/figures/automatic.hpp"
#include "analysis/report/common.hpp"
#include "analysis/report/page_section.hpp"
#include "analysis/tables/cells_table.hpp"
#include "analysis/text/embedded.hpp"

namespace bloomlab::analysis {

namespace {

/// Whether the section of this name is one for this kind of experiment.
bool has_own_section(const Experiment& experiment) {
  return kind_of_exhibit(experiment.stem) == experiment.kind;
}

/// The template of a config, or the one for any config.
std::pair<std::string, std::string_view> section_template(const Experiment& experiment,
                                                          const Words& words) {
  const std::string ending = "." + words.language() + ".md";
  const std::string own = "templates/sections/" + experiment.stem + ending;
  if (has_own_section(experiment)) {
    if (const auto text = embedded_text(own)) return {own, *text};
  }
  return general_template(experiment, words);
}

std::string figure_text(const plot::Figure& figure, const Experiment& experiment,
                        const Words& words, const Links& links) {
  if (figure.series.empty()) return "";
  return "![" + markdown_escaped(figure.title) + "](" + links.figures + link_text(figure.name) +
         ".svg)\n\n" + words("figure.source", {{"link", results_link(experiment, links)}});
}

bool asks_for(const std::string& where, std::string_view text, const std::string& tag) {
  const auto names = tag_names(where, text);
  return std::find(names.begin(), names.end(), tag) != names.end();
}

/// The content as texts by tag. A template may ask for every figure by name, or for all by the tag
/// "figures" where their names depend on the config.
Tags tags_of(const Content& content, const Experiment& experiment, const Words& words,
             const Links& links, bool figures_together) {
  Tags tags = content.values;
  for (const Table& table : content.tables) {
    if (table.shown != Shown::csv_only) tags["table:" + table.name] = table.rows.empty() ? "" : markdown(table);
  }
  if (figures_together) tags["figures"] = "";
  for (const plot::Figure& figure : content.figures) {
    const std::string text = figure_text(figure, experiment, words, links);
    if (figures_together) {
      tags["figures"] += (tags["figures"].empty() ? "" : "\n\n") + text;
    } else {
      tags["figure:" + figure.name] = text;
    }
  }
  for (const auto& [whole, names] : content.parts) {
    std::string& together = tags["figure:" + whole];
    for (const std::string& name : names) {
      together.append(together.empty() ? "" : "\n\n").append(tags["figure:" + name]);
      tags.erase("figure:" + name);
    }
  }
  return tags;
}

/// The lowest and the highest rate, each with its cell.
std::string span_of_rates(const Experiment& experiment, const Words& words) {
  const auto [least, most] =
      std::minmax_element(experiment.measurements.begin(), experiment.measurements.end(),
                          [](const Measurement& a, const Measurement& b) {
                            return a.estimate->rate.value < b.estimate->rate.value;
                          });
  const std::vector<Axis> axes = telling_axes(experiment.measurements);
  const auto place = [&](const Measurement& m) {
    const std::string label = label_of(m.cell, axes);
    return label.empty() ? "–" : label;
  };
  return words("span", {{"least", rate_text(&*least)},
                        {"least_cell", place(*least)},
                        {"most", rate_text(&*most)},
                        {"most_cell", place(*most)}});
}

/// What the section of a config shows that the catalogue of exhibits does not know.
Content automatic_content(const Experiment& experiment, const Words& words) {
  if (experiment.measurements.empty()) return {.tables = {counts_table(experiment, words)}};
  return {.values = {{"span", span_of_rates(experiment, words)}},
          .figures = automatic_figures(experiment, words)};
}

}  // namespace

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \n");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \n") - first + 1));
}

std::pair<std::string, std::string_view> general_template(const Experiment& experiment,
                                                          const Words& words) {
  const std::string name =
      std::string(experiment.measurements.empty() ? "templates/counts" : "templates/section") +
      "." + words.language() + ".md";
  return {name, template_called(name)};
}

std::string link_text(const std::string& text) {
  static constexpr std::string_view hex = "0123456789ABCDEF";
  static constexpr std::string_view plain = "-_.~/";
  std::string link;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    const bool letter = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                        (byte >= 'a' && byte <= 'z');
    if (letter || plain.find(character) != std::string_view::npos) {
      link += character;
    } else {
      link += '%';
      link += hex[byte / 16];
      link += hex[byte % 16];
    }
  }
  return link;
}

std::string results_link(const Experiment& experiment, const Links& links) {
  std::string link = "[";
  link.append(markdown_escaped(experiment.file_name)).append("](").append(links.results);
  return link.append(link_text(experiment.file_name)).append(")");
}

std::string_view template_called(const std::string& name) {
  const auto text = embedded_text(name);
  if (!text) throw TemplateError(name + ": there is no such template");
  return *text;
}

Page fill_page(const std::string& where, std::string_view text, const Tags& tags) {
  const std::string whole = expand(where, text, tags);
  const std::size_t line = whole.find(answer_divider);
  if (line == std::string::npos) {
    throw TemplateError(where + ": no line \"---\" between the answer and the body");
  }
  return {.answer = trimmed(std::string_view(whole).substr(0, line)),
          .body = trimmed(std::string_view(whole).substr(line + answer_divider.size()))};
}

Content section_content(const Experiment& experiment, const Words& words, const Links& links) {
  Content content = common_content(experiment, words, links);
  bool special = false;
  for (const ExhibitEntry& exhibit : exhibits()) {
    if (exhibit.stem != experiment.stem || !has_own_section(experiment)) continue;
    content.add(exhibit.build(experiment, words));
    special = true;
  }
  if (!special) content.add(automatic_content(experiment, words));
  return content;
}

Section fill_section(const std::string& where, std::string_view text, const Experiment& experiment,
                     Content content, const Words& words, const Links& links) {
  const bool together = asks_for(where, text, "figures");
  Page page = fill_page(where, text, tags_of(content, experiment, words, links, together));
  std::erase_if(content.figures, [](const plot::Figure& figure) { return figure.series.empty(); });
  return {.stem = experiment.stem,
          .title = words.of_data(experiment.title),
          .answer = std::move(page.answer),
          .body = std::move(page.body),
          .content = std::move(content),
          .notice = {},
          .fault = {}};
}

Section make_section(const Experiment& experiment, const Words& words, const Links& links,
                     std::span<const Experiment> others) {
  std::string notice;
  std::string broken_page;
  if (has_page(experiment)) {
    try {
      return page_section(experiment, others, words, links);
    } catch (const std::exception& fault) {
      broken_page = experiment.file_name + ": its page is left out: " + fault.what();
    }
  }
  try {
    const auto [where, text] = section_template(experiment, words);
    Section section = fill_section(where, text, experiment,
                                   section_content(experiment, words, links), words, links);
    section.fault = broken_page;
    return section;
  } catch (const std::exception& fault) {
    // The name is another config's: what its section looks for is not in these cells.
    notice = experiment.file_name + ": is shown as any config is, not as the one called \"" +
             experiment.stem + "\" (" + fault.what() + ")";
  }
  const auto [where, text] = general_template(experiment, words);
  Content content = common_content(experiment, words, links);
  content.add(automatic_content(experiment, words));
  Section section = fill_section(where, text, experiment, std::move(content), words, links);
  section.notice = std::move(notice);
  section.fault = std::move(broken_page);
  return section;
}

}  // namespace bloomlab::analysis
