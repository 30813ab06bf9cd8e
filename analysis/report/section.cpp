#include "analysis/report/section.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/data/measurement.hpp"
#include "analysis/html/raw.hpp"
#include "analysis/pages/figures.hpp"
#include "analysis/pages/page.hpp"
#include "analysis/pages/render.hpp"
#include "analysis/pages/tables.hpp"
#include "analysis/text/words.hpp"
#include "record/input_error.hpp"
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
    const std::string label = label_of(m.cell(), axes);
    return label.empty() ? "–" : label;
  };
  return words("span", {{"least", rate_text(*least)},
                        {"least_cell", place(*least)},
                        {"most", rate_text(*most)},
                        {"most_cell", place(*most)}});
}

/// What the section of a config without a page shows.
Content automatic_content(const Experiment& experiment, const Words& words) {
  if (experiment.measurements.empty()) {
    return {.values = {{"times_of_cells", times_text(experiment, words)}},
            .tables = {counts_table(experiment, words)}};
  }
  return {.values = {{"span", span_of_rates(experiment, words)}},
          .figures = pages::automatic_figures(experiment, words)};
}

/// The cells as pages see them, for programs.
void add_cells(const Experiment& experiment, Content& content) {
  constexpr std::string_view cells = "cells";
  for (const pages::NamedTable& table : pages::tables_for(experiment)) {
    if (table.name != cells) continue;
    auto text = pages::csv_of(table.make, experiment);
    if (text) content.csv.try_emplace(std::string(cells), *std::move(text));
  }
}

constexpr std::string_view page_ending = ".md";

/// The file of the experiment's page; "" where its config names none, or the result lacks it.
std::string page_name(const Experiment& experiment) {
  const auto named = experiment.config.find("page");
  if (named == experiment.config.end() || !named->is_string()) return "";
  const std::string name = std::filesystem::path(named->get<std::string>()).filename().string();
  return experiment.pages.contains(name) && name.ends_with(page_ending) ? name : "";
}

/// The page in this language, or as it is where nobody translated it.
std::string translated_page(const Experiment& experiment, const Words& words) {
  const std::string name = page_name(experiment);
  const std::string other = name.substr(0, name.size() - page_ending.size()) + "." +
                            words.language() + std::string(page_ending);
  return experiment.pages.contains(other) ? other : name;
}

/// `text` with `by` in place of the first `what`; false where it is not there.
bool replace_first(std::string& text, std::string_view what, std::string_view by) {
  const std::size_t place = text.find(what);
  if (place == std::string::npos) return false;
  text.replace(place, what.size(), by);
  return true;
}

/// A translation names a figure as the page's block does.
void name_figures(pages::PageText& prose, const pages::PageText& page, const std::string& stem) {
  for (const pages::Block& block : page.blocks) {
    if (block.kind != pages::Block::Kind::figure) continue;
    replace_all(prose.template_text, "{{figure:" + block.name + "}}",
                "{{figure:" + pages::figure_name(stem, block.name) + "}}");
  }
}

/// The template of any config with a page in it: its answer, and its prose where the figures stand,
/// or before the table where there are none.
std::string with_page(std::string_view general, const pages::PageText& page, bool has_figures) {
  const std::size_t line = page.template_text.find(answer_divider);
  const std::string answer = trimmed(page.template_text.substr(0, line));
  std::string prose = trimmed(page.template_text.substr(line + answer_divider.size()));
  std::string text(general);
  std::string rest = text.substr(text.find(answer_divider));
  const std::string with_automatic = prose + "\n\n{{figures}}";
  if (!replace_first(rest, "{{figures}}", has_figures ? prose : with_automatic)) {
    replace_first(rest, "{{table:", prose + "\n\n{{table:");
  }
  return answer + rest;
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
  try {
    Content content = common_content(experiment, words, links);
    content.add(automatic_content(experiment, words));
    Section section = fill_section(where, text, experiment, std::move(content), words, links);
    section.fault = std::move(broken_page);
    return section;
  } catch (const TemplateError&) {
    throw;
  } catch (const std::exception& fault) {
    const std::string told = experiment.file_name + ": cannot be shown: " + fault.what();
    return {.stem = experiment.stem,
            .title = words.of_data(experiment.title),
            .answer = markdown_escaped(told),
            .body = "## " + markdown_escaped(words.of_data(experiment.title)) + "\n\n" +
                    markdown_escaped(told),
            .content = {},
            .fault = told};
  }
}

bool has_page(const Experiment& experiment) { return !page_name(experiment).empty(); }

std::map<std::string, std::string, std::less<>> page_phrases(const Experiment& experiment,
                                                             const Words& words) {
  if (!has_page(experiment)) return {};
  const std::string shown = translated_page(experiment, words);
  try {
    return pages::parse_page(shown, experiment.pages.at(shown), experiment.stem).words;
  } catch (const record::InputError&) {
    return {};  // its section says so
  }
}

Section page_section(const Experiment& experiment, std::span<const Experiment> others,
                     const Words& general, const Links& links) {
  const std::string name = page_name(experiment);
  const pages::PageText page = pages::parse_page(name, experiment.pages.at(name), experiment.stem);
  const std::string shown = translated_page(experiment, general);
  html::check_formulas(shown, experiment.pages.at(shown));
  pages::PageText prose =
      shown == name ? page : pages::parse_page(shown, experiment.pages.at(shown), experiment.stem);
  if (shown != name && !prose.blocks.empty()) {
    throw record::InputError(prose.blocks.front().where(shown) + ": a translation has no blocks; " +
                             "say {{table:NAME}}, {{figure:NAME}} and values of " + name);
  }
  if (shown != name) name_figures(prose, page, experiment.stem);
  const Words words = general.with(prose.words);
  Content content = common_content(experiment, words, links);
  Content own = pages::content_of(page, experiment, others, words);
  const bool has_figures = !own.figures.empty() || !own.parts.empty();
  const bool has_tables = !own.tables.empty();
  content.add(std::move(own));
  if (!has_figures && !experiment.measurements.empty()) {
    content.figures = pages::automatic_figures(experiment, words);
  }
  std::string text = with_page(general_template(experiment, words).second, prose, has_figures);
  if (experiment.measurements.empty()) {
    replace_all(text, "{{times_of_cells}}\n\n", "");
    if (has_tables) {  // the page shows what it says
      replace_all(text, "{{table:counts}}", "");
    } else {
      content.add({.tables = {counts_table(experiment, words)}});
    }
  }
  return fill_section(shown, text, experiment, std::move(content), words, links);
}

}  // namespace bloomlab::analysis
