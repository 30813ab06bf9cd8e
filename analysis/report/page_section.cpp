#include "analysis/report/page_section.hpp"

#include <filesystem>
#include <string_view>
#include <utility>

#include "analysis/figures/automatic.hpp"
#include "analysis/html/formula.hpp"
#include "analysis/pages/page.hpp"
#include "analysis/pages/page_content.hpp"
#include "analysis/report/common.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis {

namespace {

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

/// `text` with `by` in place of every `what`.
std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

/// A translation names a figure as the page's block does.
void name_figures(pages::PageText& prose, const pages::PageText& page, const std::string& stem) {
  for (const pages::Block& block : page.blocks) {
    if (block.kind != pages::Block::Kind::figure) continue;
    prose.template_text = replaced(std::move(prose.template_text), "{{figure:" + block.name + "}}",
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
    content.figures = automatic_figures(experiment, words);
  }
  std::string text = with_page(general_template(experiment, words).second, prose, has_figures);
  if (experiment.measurements.empty()) {
    if (has_tables) {  // the page shows what it says
      text = replaced(std::move(text), "{{table:counts}}", "");
    } else {
      content.add({.tables = {counts_table(experiment, words)}});
    }
  }
  return fill_section(shown, text, experiment, std::move(content), words, links);
}

}  // namespace bloomlab::analysis
