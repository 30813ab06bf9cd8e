#include "analysis/pages/page_content.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "analysis/figures/rate_figure.hpp"
#include "analysis/pages/render.hpp"
#include "analysis/pages/tables.hpp"
#include "record/input_error.hpp"
#include "record/suggest.hpp"

namespace bloomlab::analysis::pages {

namespace {

using record::InputError;

/// The settings of a figure block, each read once.
class Settings {
 public:
  Settings(const Block& block, const std::string& page) : where_(block.where(page)) {
    static constexpr std::array<std::string_view, 15> known = {
        "query",    "x",   "y",     "series",  "line",   "line query", "reference", "kind",
        "residual", "log", "title", "caption", "mark x", "x label",    "y label"};
    for (auto& [key, value] : settings_of(block, page)) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        throw InputError(where_ + ": unknown setting \"" + key + "\" of a figure; " +
                         record::suggestion(key, known));
      }
      values_.emplace(key, value);
    }
  }

  [[nodiscard]] std::string text(const std::string& key, std::string otherwise = "") const {
    const auto found = values_.find(key);
    return found == values_.end() ? std::move(otherwise) : found->second;
  }

  [[nodiscard]] std::string required(const std::string& key) const {
    if (!values_.contains(key)) {
      throw InputError(where_ + ": a figure wants \"" + key + "\": add a line \"" + key +
                       ": ...\"");
    }
    return values_.at(key);
  }

  /// The index of the setting's word among `words`, the first where it is not set.
  [[nodiscard]] std::size_t choice(const std::string& key,
                                   std::span<const std::string_view> words) const {
    if (!values_.contains(key)) return 0;
    const auto found = std::find(words.begin(), words.end(), values_.at(key));
    if (found == words.end()) {
      throw InputError(where_ + ": \"" + key + "\" is \"" + values_.at(key) + "\"; " +
                       record::suggestion(values_.at(key), words));
    }
    return static_cast<std::size_t>(found - words.begin());
  }

  [[nodiscard]] const std::string& where() const { return where_; }

 private:
  std::string where_;
  std::map<std::string, std::string> values_;
};

FigureColumns columns_of(const Settings& settings) {
  static constexpr std::array<std::string_view, 3> kinds = {"points", "line", "step"};
  static constexpr std::array<std::string_view, 2> answers = {"no", "yes"};
  FigureColumns columns{.x = settings.required("x"),
                        .y = settings.required("y"),
                        .series = settings.text("series"),
                        .line = settings.text("line"),
                        .reference = settings.text("reference"),
                        .mark_x = settings.text("mark x"),
                        .kind = static_cast<plot::Kind>(settings.choice("kind", kinds)),
                        .residual = settings.choice("residual", answers) == 1};
  if (columns.residual && columns.line.empty()) {
    throw InputError(settings.where() + ": \"residual: yes\" wants a \"line\" to compare with");
  }
  return columns;
}

class ContentBuilder {
 public:
  ContentBuilder(const PageText& page, const Experiment& own, std::span<const Experiment> others,
                 const Words& words)
      : page_(page), own_(own), words_(words), numbers_(own, others) {}

  [[nodiscard]] Content build() {
    for (const Block& block : page_.blocks) {
      if (block.kind != Block::Kind::figure) read(block);
    }
    for (const Block& block : page_.blocks) {
      if (block.kind == Block::Kind::figure) content_.figures.push_back(figure(block));
    }
    return std::move(content_);
  }

 private:
  void read(const Block& block) {
    Relation rows = numbers_.query(block.text, block.where(page_.name));
    if (block.kind == Block::Kind::values) return add_values(block, rows);
    if (block.kind == Block::Kind::table) {
      content_.tables.push_back(table_of(block.name, block.text, rows));
    }
    relations_.emplace(block.name, std::move(rows));
  }

  void add_values(const Block& block, const Relation& rows) {
    const std::string where = block.where(page_.name);
    if (rows.rows.size() > 1) {
      throw InputError(where + ": values are one row, the query gives " +
                       std::to_string(rows.rows.size()) + "; use an aggregate or \"limit 1\"");
    }
    const std::vector<Value> nothing(rows.columns.size());
    for (const ShownColumn& column : shown_columns(rows)) {
      const Entry entry = entry_of(column, rows.rows.empty() ? nothing : rows.rows.front());
      const std::string text = column.unit.empty() ? entry.text : entry.text + " " + column.unit;
      if (!content_.values.emplace(column.heading, text).second) {
        throw InputError(where + ": a second value is called \"" + column.heading + "\"");
      }
    }
  }

  [[nodiscard]] const Relation& relation(const std::string& name, const Settings& settings) {
    const auto found = relations_.find(name);
    if (found != relations_.end()) return found->second;
    if (name == "cells") {
      return relations_.emplace(name, numbers_.query("select * from cells", settings.where()))
          .first->second;
    }
    throw InputError(settings.where() + ": no table or data block is called \"" + name + "\"");
  }

  [[nodiscard]] plot::Figure figure(const Block& block) {
    const Settings settings(block, page_.name);
    const FigureColumns columns = columns_of(settings);
    const Relation& rows = relation(settings.text("query", "cells"), settings);
    const std::string line_query = settings.text("line query");
    const Relation* lines = line_query.empty() ? nullptr : &relation(line_query, settings);
    static constexpr std::array<std::string_view, 4> logs = {"", "x", "y", "x y"};
    const std::size_t log = settings.choice("log", logs);
    const auto scale = [](bool is_log) { return is_log ? plot::Scale::log : plot::Scale::linear; };
    plot::Figure figure{
        .name = figure_name(own_.stem, block.name),
        .title = settings.text("title", words_.of_data(own_.title)),
        .caption = settings.text("caption"),
        .x = {.label = settings.text("x label", columns.x), .scale = scale((log & 1U) != 0)},
        .y = {.label = settings.text("y label", columns.y), .scale = scale((log & 2U) != 0)},
        .series = {}};
    if (figure.caption.empty() && !own_.measurements.empty()) {
      figure.caption = figure_caption(own_, words_);
    }
    figure.words = {.no_hit = words_("figure.no_hit"), .outside = words_("figure.outside")};
    add_series(figure, columns, rows, lines, settings.where());
    return figure;
  }

  const PageText& page_;
  const Experiment& own_;
  const Words& words_;
  Numbers numbers_;
  std::map<std::string, Relation> relations_;
  Content content_;
};

}  // namespace

Content content_of(const PageText& page, const Experiment& own, std::span<const Experiment> others,
                   const Words& words) {
  return ContentBuilder(page, own, others, words).build();
}

}  // namespace bloomlab::analysis::pages
