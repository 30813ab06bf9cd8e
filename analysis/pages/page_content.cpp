#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "analysis/pages/figures.hpp"
#include "analysis/pages/page.hpp"
#include "analysis/pages/render.hpp"
#include "analysis/pages/tables.hpp"
#include "analysis/plot/figure.hpp"
#include "analysis/text/utf8.hpp"
#include "record/input_error.hpp"
#include "record/suggest.hpp"

namespace bloomlab::analysis::pages {

namespace {

using record::InputError;

/// The settings of a figure block, each read once.
class Settings {
 public:
  Settings(const Block& block, const std::string& page) : where_(block.where(page)) {
    static constexpr std::array<std::string_view, 27> known = {
        "query",      "x",           "y",      "series",   "line",    "line query", "reference",
        "kind",       "log",         "title",  "residual", "caption", "mark x",     "mark y",
        "mark label", "mark shaded", "label",  "open",     "joined",  "panel",      "panels",
        "x label",    "y label",     "x from", "x to",     "y from",  "y to"};
    for (auto& [key, value] : settings_of(block, page)) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        throw InputError(where_ + ": unknown setting \"" + key + "\" of a figure; " +
                         record::suggestion(key, known));
      }
      values_.emplace(key, value);
    }
  }

  [[nodiscard]] std::string text(const std::string& key, const std::string& otherwise = "") const {
    const auto found = values_.find(key);
    return found == values_.end() ? otherwise : found->second;
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

  /// A number that is set, if it is.
  [[nodiscard]] std::optional<double> number(const std::string& key) const {
    const std::string value = text(key);
    if (value.empty()) return std::nullopt;
    char* end = nullptr;
    const double read = std::strtod(value.c_str(), &end);
    if (*end != '\0' || !std::isfinite(read)) {
      throw InputError(where_ + ": \"" + key + "\" is \"" + value + "\"; a number is wanted");
    }
    return read;
  }

  /// Names between commas.
  [[nodiscard]] std::vector<std::string> list(const std::string& key) const {
    std::vector<std::string> names;
    std::istringstream in(text(key));
    for (std::string name; std::getline(in, name, ',');) {
      const std::size_t first = name.find_first_not_of(' ');
      if (first == std::string::npos) continue;
      names.push_back(name.substr(first, name.find_last_not_of(' ') - first + 1));
    }
    return names;
  }

  [[nodiscard]] bool yes(const std::string& key) const {
    static constexpr std::array<std::string_view, 2> answers = {"no", "yes"};
    return choice(key, answers) == 1;
  }

  [[nodiscard]] const std::string& where() const { return where_; }

 private:
  std::string where_;
  std::map<std::string, std::string> values_;
};

FigureColumns columns_of(const Settings& settings) {
  static constexpr std::array<std::string_view, 3> kinds = {"points", "line", "step"};
  FigureColumns columns{.x = settings.required("x"),
                        .y = settings.required("y"),
                        .series = settings.text("series"),
                        .mark_x = settings.text("mark x"),
                        .mark_y = settings.text("mark y"),
                        .mark_label = settings.text("mark label"),
                        .label = settings.text("label"),
                        .open = settings.text("open"),
                        .lines = settings.list("line"),
                        .references = settings.list("reference"),
                        .shaded = settings.yes("mark shaded"),
                        .kind = static_cast<plot::Kind>(settings.choice("kind", kinds)),
                        .residual = settings.yes("residual"),
                        .joined = settings.yes("joined")};
  if (columns.residual && columns.lines.empty()) {
    throw InputError(settings.where() + ": \"residual: yes\" wants a \"line\" to compare with");
  }
  return columns;
}

/// A name for a file, of anything.
std::string file_part(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool plain = is_letter_or_digit(c);
    if (plain) name += c;
    if (!plain && !name.empty() && name.back() != '_') name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

/// All queries of a page.
std::string sql_of(const PageText& page) {
  std::string sql;
  for (const Block& block : page.blocks) {
    if (block.kind != Block::Kind::figure) sql += block.text;
  }
  return sql;
}

class ContentBuilder {
 public:
  ContentBuilder(const PageText& page, const Experiment& own, std::span<const Experiment> others,
                 const Words& words)
      : page_(page), own_(own), words_(words), numbers_(own, others, sql_of(page)) {
    numbers_.speak(words);
  }

  [[nodiscard]] Content build() {
    for (const Block& block : page_.blocks) {
      if (block.kind != Block::Kind::figure) read(block);
    }
    for (const Block& block : page_.blocks) {
      if (block.kind == Block::Kind::figure) add_figures(block);
    }
    for (Table& table : content_.tables) {
      table.caption = expanded(std::move(table.caption));
      table.fold_label = expanded(std::move(table.fold_label));
    }
    drop_values_of_captions();
    return std::move(content_);
  }

 private:
  /// A caption or title may hold tags of values, and digits such as those of "95 %".
  [[nodiscard]] std::string expanded(std::string text) {
    if (text.find("{{") == std::string::npos) return text;
    Tags tags;
    for (const std::string& name : tag_names(page_.name, text)) {
      const auto found = content_.values.find(name);
      if (found == content_.values.end()) continue;
      tags.insert(*found);
      captions_ask_for_.insert(name);
    }
    constexpr std::size_t longest_caption = 64 * 1024;
    return fill_frame(page_.name, text, tags, longest_caption);
  }

  /// What captions alone ask for is no text of the page.
  void drop_values_of_captions() {
    for (const std::string& name : tag_names(page_.name, page_.template_text)) {
      captions_ask_for_.erase(name);
    }
    for (const std::string& name : captions_ask_for_) content_.values.erase(name);
  }

  void read(const Block& block) {
    Relation rows = numbers_.query(block.text, block.where(page_.name));
    if (block.kind == Block::Kind::values) return add_values(block, rows);
    if (block.kind == Block::Kind::table) {
      entries_ += rows.rows.size() * rows.columns.size();
      if (entries_ > most_entries_of_page) {
        throw InputError(block.where(page_.name) + ": the tables of this page have more than " +
                         std::to_string(most_entries_of_page) +
                         " entries together; group or limit their rows, or leave some out");
      }
      content_.tables.push_back(table_of(block.name, block.text, rows, words_));
      content_.csv[block.name] = given(csv(rows));
    }
    numbers_.add_result(block.name, rows, block.where(page_.name));
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
      const bool is_text = !rows.rows.empty() &&
                           std::holds_alternative<std::string>(rows.rows.front()[column.value]);
      const std::string shown = is_text ? markdown_escaped(words_.of_data(entry.text)) : entry.text;
      const std::string text =
          column.unit.empty() ? shown : shown + " " + words_.of_data(column.unit);
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

  /// One figure, or one for every value of the column "panel".
  void add_figures(const Block& block) {
    const Settings settings(block, page_.name);
    const Relation& rows = relation(settings.text("query", "cells"), settings);
    const std::string line_query = settings.text("line query");
    const Relation* lines = line_query.empty() ? nullptr : &relation(line_query, settings);
    const std::string panel = settings.text("panel");
    const std::string name = figure_name(own_.stem, block.name);
    if (panel.empty()) {
      if (!settings.text("panels").empty()) {
        throw InputError(settings.where() +
                         ": \"panels\" wants \"panel\": add a line \"panel: COLUMN\"");
      }
      return add(name, faceted(figure(settings, name, rows, lines), words_), settings);
    }
    std::vector<std::pair<std::string, plot::Figure>> parts;
    for (const auto& [value, part] : parted(rows, panel, settings.where())) {
      const std::string part_name = name + "_" + file_part(value);
      std::optional<Relation> part_lines;
      if (lines != nullptr) part_lines = lines_of(*lines, panel, value, settings);
      parts.emplace_back(words_.of_data(value),
                         figure(settings, part_name, part, part_lines ? &*part_lines : nullptr));
    }
    if (const auto whole = together(settings, name, parts)) return add(name, {*whole}, settings);
    std::vector<plot::Figure> figures;
    for (auto& [value, part] : parts) {
      part.title += ": " + value;
      std::ranges::move(faceted(std::move(part), words_), std::back_inserter(figures));
    }
    add(name, std::move(figures), settings);
  }

  /// The parts as small panels of one figure, where the settings ask for it and there are as many
  /// parts and groups as one figure can show.
  [[nodiscard]] std::optional<plot::Figure> together(
      const Settings& settings, const std::string& name,
      const std::vector<std::pair<std::string, plot::Figure>>& parts) const {
    static constexpr std::array<std::string_view, 3> ways = {"single", "together", "own scale"};
    const std::size_t way = settings.choice("panels", ways);
    if (way == 0 || parts.empty()) return std::nullopt;
    plot::Figure whole = parts.front().second;
    whole.name = name;
    whole.own_scale = way == 2;
    whole.series.clear();
    whole.markers.clear();
    for (auto [value, part] : parts) {
      if (part.series.empty()) continue;
      for (plot::Series& series : part.series) series.panel = whole.panels.size();
      for (plot::Marker& marker : part.markers) marker.panel = whole.panels.size();
      whole.panels.push_back(value);
      whole.series.insert(whole.series.end(), part.series.begin(), part.series.end());
      whole.markers.insert(whole.markers.end(), part.markers.begin(), part.markers.end());
      whole.x.categories = part.x.categories;
      if (part.ratio) whole.ratio = part.ratio;
    }
    const std::size_t count = whole.panels.size();
    if (count < 2 || count > plot::most_small_panels || faceted(whole, words_).size() > 1) {
      return std::nullopt;
    }
    require_drawable(whole, settings);
    return whole;
  }

  static void require_drawable(const plot::Figure& figure, const Settings& settings) {
    try {
      if (!figure.series.empty()) plot::check_figure(figure);
    } catch (const std::exception& fault) {
      throw InputError(settings.where() + ": " + fault.what());
    }
  }

  /// Figures for the tag of the block `name`: itself, or its parts.
  void add(const std::string& name, std::vector<plot::Figure> figures, const Settings& settings) {
    const std::size_t left = most_figures_of_page - content_.figures.size();
    if (left == 0 && !figures.empty()) {
      throw InputError(settings.where() + ": a page draws at most " +
                       std::to_string(most_figures_of_page) + " figures; leave some out");
    }
    leave_out_beyond(left, figures, words_);
    const bool itself = figures.size() == 1 && figures.front().name == name;
    for (plot::Figure& part : figures) {
      for (const plot::Series& series : part.series) points_ += series.points.size();
      if (points_ > most_points_of_page) {
        throw InputError(settings.where() + ": the figures of this page have more than " +
                         std::to_string(most_points_of_page) +
                         " points together; take fewer, or leave some out");
      }
      if (!itself) content_.parts[name].push_back(part.name);
      content_.figures.push_back(std::move(part));
    }
    if (figures.empty()) content_.parts[name] = {};
  }

  /// The lines of one panel: all, where they have no such column.
  [[nodiscard]] static Relation lines_of(const Relation& lines, const std::string& panel,
                                         const std::string& value, const Settings& settings) {
    const bool has =
        std::find(lines.columns.begin(), lines.columns.end(), panel) != lines.columns.end();
    if (!has) return lines;
    for (auto& [name, part] : parted(lines, panel, settings.where())) {
      if (name == value) return std::move(part);
    }
    return {.columns = lines.columns, .rows = {}};
  }

  [[nodiscard]] plot::Axis axis(const Settings& settings, const std::string& name,
                                const std::string& column, bool is_log) const {
    return {.label = words_.of_data(settings.text(name + " label", column)),
            .scale = is_log ? plot::Scale::log : plot::Scale::linear,
            .low = settings.number(name + " from"),
            .high = settings.number(name + " to")};
  }

  [[nodiscard]] plot::Figure figure(const Settings& settings, const std::string& name,
                                    const Relation& rows, const Relation* lines) {
    const FigureColumns columns = columns_of(settings);
    static constexpr std::array<std::string_view, 4> logs = {"", "x", "y", "x y"};
    const std::size_t log = settings.choice("log", logs);
    plot::Figure figure{.name = name,
                        .title = expanded(words_.of_data(settings.text("title", own_.title))),
                        .caption = expanded(words_.of_data(settings.text("caption"))),
                        .x = axis(settings, "x", columns.x, (log & 1U) != 0),
                        .y = axis(settings, "y", columns.y, (log & 2U) != 0),
                        .series = {}};
    if (figure.caption.empty() && !own_.measurements.empty()) {
      figure.caption = figure_caption(own_, words_);
    }
    figure.words = figure_words(words_);
    add_series(figure, columns, rows, lines, words_, settings.where());
    require_drawable(figure, settings);
    return figure;
  }

  const PageText& page_;
  const Experiment& own_;
  const Words& words_;
  Numbers numbers_;
  std::map<std::string, Relation> relations_;
  Content content_;
  std::size_t points_ = 0;   // of its figures
  std::size_t entries_ = 0;  // of its tables
  std::set<std::string> captions_ask_for_;
};

}  // namespace

Content content_of(const PageText& page, const Experiment& own, std::span<const Experiment> others,
                   const Words& words) {
  return ContentBuilder(page, own, others, words).build();
}

}  // namespace bloomlab::analysis::pages
