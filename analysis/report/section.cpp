#include "analysis/report/section.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/figures/automatic.hpp"
#include "analysis/pages/render.hpp"
#include "analysis/pages/tables.hpp"
#include "analysis/report/common.hpp"
#include "analysis/report/page_section.hpp"
#include "analysis/text/embedded.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis {

namespace {

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
    tags["table:" + table.name] = table.rows.empty() ? "" : markdown(table);
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

std::string rate_text(const Measurement& m) {
  const statistics::Estimate& rate = m.estimate->rate;
  return with_interval(rate.value, rate.interval.low, rate.interval.high);
}

/// The lowest and the highest rate, each with its cell.
std::string span_of_rates(const Experiment& experiment, const Words& words) {
  const auto [least, most] =
      std::minmax_element(experiment.measurements.begin(), experiment.measurements.end(),
                          [](const Measurement& a, const Measurement& b) {
                            return a.estimate->rate.value < b.estimate->rate.value;
                          });
  const std::vector<Axis> axes = distinguishing_axes(experiment.measurements);
  const auto place = [&](const Measurement& m) {
    const std::string label = label_of(m.cell, axes);
    return label.empty() ? "–" : label;
  };
  return words("span", {{"least", rate_text(*least)},
                        {"least_cell", place(*least)},
                        {"most", rate_text(*most)},
                        {"most_cell", place(*most)}});
}

/// What the section of a config without a page shows.
Content automatic_content(const Experiment& experiment, const Words& words) {
  if (experiment.measurements.empty()) return {.tables = {counts_table(experiment, words)}};
  return {.values = {{"span", span_of_rates(experiment, words)}},
          .figures = automatic_figures(experiment, words)};
}

/// The cells as pages see them, for programs.
void add_cells(const Experiment& experiment, Content& content) {
  constexpr std::string_view cells = "cells";
  for (const pages::NamedTable& table : pages::tables_for(experiment)) {
    if (table.name != cells) continue;
    const pages::Relation rows = table.make(experiment);
    if (!rows.columns.empty()) content.csv.try_emplace(std::string(cells), pages::csv(rows));
  }
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

std::string results_link(const Experiment& experiment, const Links& links) {
  std::string link = "[";
  link.append(markdown_escaped(experiment.file_name)).append("](").append(links.results);
  return link.append(link_text(experiment.file_name)).append(")");
}

std::string csv_name(const std::string& stem, const std::string& table) {
  return stem + "." + table + ".csv";
}

std::string csv_links(std::span<const std::pair<std::string, std::string>> files,
                      const Words& words, const Links& links) {
  std::string text;
  for (const auto& [shown, file] : files) {
    text.append(text.empty() ? "[" : ", [").append(markdown_escaped(shown));
    text.append("](").append(links.tables).append(link_text(file)).append(")");
  }
  return words("tables.csv", {{"links", text}});
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

Section fill_section(const std::string& where, std::string_view text, const Experiment& experiment,
                     Content content, const Words& words, const Links& links) {
  const bool together = asks_for(where, text, "figures");
  Page page = fill_page(where, text, tags_of(content, experiment, words, links, together));
  std::vector<std::pair<std::string, std::string>> files;
  add_cells(experiment, content);
  for (const auto& [name, rows] : content.csv) {
    files.emplace_back(name, csv_name(experiment.stem, name));
  }
  if (!files.empty()) page.body += "\n\n" + csv_links(files, words, links);
  std::erase_if(content.figures, [](const plot::Figure& figure) { return figure.series.empty(); });
  return {.stem = experiment.stem,
          .title = words.of_data(experiment.title),
          .answer = std::move(page.answer),
          .body = std::move(page.body),
          .content = std::move(content),
          .fault = {}};
}

Section make_section(const Experiment& experiment, const Words& words, const Links& links,
                     std::span<const Experiment> others) {
  std::string broken_page;
  if (has_page(experiment)) {
    try {
      return page_section(experiment, others, words, links);
    } catch (const std::exception& fault) {
      broken_page = experiment.file_name + ": its page is left out: " + fault.what();
    }
  }
  const auto [where, text] = general_template(experiment, words);
  Content content = common_content(experiment, words, links);
  content.add(automatic_content(experiment, words));
  Section section = fill_section(where, text, experiment, std::move(content), words, links);
  section.fault = std::move(broken_page);
  return section;
}

}  // namespace bloomlab::analysis
