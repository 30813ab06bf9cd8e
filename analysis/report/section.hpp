// One section of the report: the answer for the front page, and the page with tables and figures.
// Where the config names a page (docs/pages.md) its answer and prose stand in the frame that every
// section has; else the section is that of any config.
//
// What every section shows: the question, how much was measured, what the tests say, all cells.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/content.hpp"
#include "analysis/text/utf8.hpp"

namespace bloomlab::analysis {

/// A filled template: the answer, one paragraph for the first page, and the page itself.
struct Page {
  std::string answer;
  std::string body;  ///< Markdown, with its heading
};

/// What stands between the answer of a template or a page and its body.
inline constexpr std::string_view answer_divider = "\n---\n";

/// `text` without the blanks and empty lines around it.
[[nodiscard]] std::string trimmed(std::string_view text);

/// The name and the text of the template for any config of the experiment's sort.
[[nodiscard]] std::pair<std::string, std::string_view> general_template(
    const Experiment& experiment, const Words& words);

/// `text` with its tags replaced, parted at its line "---". `where` names it in errors. Throws
/// TemplateError for a fault.
[[nodiscard]] Page fill_page(const std::string& where, std::string_view text, const Tags& tags);

/// A section, ready to be put together.
struct Section {
  std::string stem;
  std::string title;
  std::string answer;  ///< one paragraph
  std::string body;    ///< Markdown, with its heading
  Content content;     ///< the tables and figures that it shows
  std::string fault;   ///< what is wrong with the page of the config; mostly empty
};

/// The section: that of the config's page, else that of any config. A fault of the page is told,
/// and the experiment shown as any; so is what keeps it from being shown at all. Throws
/// TemplateError for a fault of the template of any config.
[[nodiscard]] Section make_section(const Experiment& experiment, const Words& words,
                                   const Links& links, std::span<const Experiment> others = {});

/// `content` put into a section template: the answer, a line "---", the body.
[[nodiscard]] Section fill_section(const std::string& where, std::string_view text,
                                   const Experiment& experiment, Content content,
                                   const Words& words, const Links& links);

/// The file of a table's CSV: STEM.TABLE.csv.
[[nodiscard]] std::string csv_name(const std::string& stem, const std::string& table);

/// A line with links to CSV files, each by a name to show and the name of its file.
[[nodiscard]] std::string csv_links(std::span<const std::pair<std::string, std::string>> files,
                                    const Words& words, const Links& links);

/// Whether the result brings the page that its config names.
[[nodiscard]] bool has_page(const Experiment& experiment);

/// The texts that the page's translation has words for; none in English.
[[nodiscard]] std::map<std::string, std::string, std::less<>> page_phrases(
    const Experiment& experiment, const Words& words);

/// The section that the page makes; `others` are all results of the folder. Only where has_page().
/// Throws record::InputError or TemplateError, one line with page and line, for a fault of it.
[[nodiscard]] Section page_section(const Experiment& experiment, std::span<const Experiment> others,
                                   const Words& general, const Links& links);

/// Texts title, question, size, fixed, members, tests; table cells.
[[nodiscard]] Content common_content(const Experiment& experiment, const Words& words,
                                     const Links& links);

/// What was counted, cell by cell: of kinds that measure no filter.
[[nodiscard]] Table counts_table(const Experiment& experiment, const Words& words);

/// The times of a result, as tables: per key of kinds of speed, else the medians of each cell;
/// empty where nothing was timed.
[[nodiscard]] std::string times_text(const Experiment& experiment, const Words& words);

/// A run of speeds as tables, one a regime, and in a sentence each what its rates say, and how
/// quiet the machine was; both begin with a word in bold where the run has failed by them.
[[nodiscard]] std::string speeds_text(const Experiment& experiment);

/// Inserted keys that were answered "absent" though the filter had taken them, over all trials: any
/// is a fault of the filter.
[[nodiscard]] std::uint64_t false_negatives(const Experiment& experiment);

/// "[fpr_vs_m.json](results/fpr_vs_m.json)".
[[nodiscard]] std::string results_link(const Experiment& experiment, const Links& links);

}  // namespace bloomlab::analysis
