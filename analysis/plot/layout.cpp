#include "analysis/plot/layout.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "analysis/plot/labels.hpp"
#include "analysis/plot/text.hpp"

namespace bloomlab::analysis::plot {

namespace {

Sample sample_of(const Series& series, const GroupStyle& group) {
  Sample sample{group.colour};
  if (series.kind == Kind::points) {
    sample.symbol = is_filled(series) ? group.symbol : group.open_symbol;
    sample.interval = std::any_of(series.points.begin(), series.points.end(),
                                  [](const Point& point) { return point.low < point.high; });
  } else {
    sample.dash = line_dash(series, group);
    sample.width = line_width(series);
  }
  return sample;
}

/// A group's sample: its symbol if it has points, otherwise its line.
Sample group_sample(const Figure& figure, const Styles& styles, const std::string& key) {
  Sample sample;
  for (const Series& series : figure.series) {
    if (style_key(series) != key) continue;
    const Sample other = sample_of(series, styles.of(series));
    const auto rank = [](const Sample& one) {
      return one.symbol != 0 ? 2 : !one.dash.empty() ? 1 : 0;
    };
    if (rank(other) > rank(sample)) sample = other;
  }
  sample.interval = false;
  return sample;
}

void add_groups(std::vector<LegendEntry>& entries, const Figure& figure, const Styles& styles) {
  std::set<std::string> seen;
  for (const Series& series : figure.series) {
    if (series.group.empty() || !seen.insert(series.group).second) continue;
    entries.push_back({series.group, group_sample(figure, styles, style_key(series))});
  }
}

/// Whether the panel itself has the series' own name.
bool is_named_in_panel(const Series& series, const Styles& styles, const Panel& panel) {
  if (!series.group.empty()) return false;
  if (styles.naming == Naming::points) return series.kind == Kind::points;
  return is_named_at_end(styles, panel, series);
}

void add_names(std::vector<LegendEntry>& entries, const Figure& figure, const Styles& styles,
               const Panel& panel) {
  std::set<std::string> seen;
  for (const Series& series : figure.series) {
    if (is_named_in_panel(series, styles, panel)) continue;
    if (is_said_by_group(figure, styles, series)) continue;
    if (!seen.insert(series.name).second) continue;
    Sample sample = sample_of(series, styles.of(series));
    if (!series.group.empty()) {
      sample.colour = style::grey_ink;
      // The symbol differs between groups; a circle stands for all of them.
      if (sample.symbol != 0) sample.symbol = is_filled(series) ? 7 : 6;
    }
    entries.push_back({series.name, sample});
  }
}

/// `panels` are those of the series, by their numbers.
bool any_fate(const std::vector<Series>& all, const std::vector<Panel>& panels,
              const std::set<Fate>& fates) {
  for (const Series& series : all) {
    const Panel& panel = panels.at(series.panel);
    if (series.kind != Kind::points) continue;
    for (const Point& point : series.points) {
      if (fates.contains(panel.fate(point))) return true;
    }
  }
  return false;
}

constexpr double main_height = 400;
constexpr double ratio_height = 130;
constexpr double category_height = 30;
constexpr double above_panel = 16;  // the power of the topmost number stands in it
constexpr double tick_gap = 12;     // between a tick label and its axis
constexpr double across_gap = 96;   // between numbers on a horizontal axis, at least
constexpr double up_gap = 44;       // on a vertical one
constexpr double small_across_gap = 72;
constexpr double between_small = 26;  // small panels, from side to side
constexpr double numbers_below = 34;  // the numbers below a panel
constexpr double text_space = style::canvas_width - 2 * style::edge;

double line_step(double size) { return size * style::line_height; }

/// Builds the layout from top to bottom; `down` is where the next thing begins.
class Builder {
 public:
  explicit Builder(const Figure& figure) : figure_(figure) {
    layout_.styles = assign_styles(figure);
    layout_.series =
        layout_.styles.naming == Naming::points ? named_at_points(figure.series) : figure.series;
  }

  Layout build() {
    header();
    panels();
    footer();
    layout_.height = down_ + 14;
    return std::move(layout_);
  }

 private:
  [[nodiscard]] bool lying() const { return !figure_.x.categories.empty(); }

  /// Breaks the words into lines of the width; bold ones, which are titles, into even lines.
  [[nodiscard]] static std::vector<std::string> broken(const std::string& words, double size,
                                                       bool bold, double width = text_space) {
    const Weight weight = bold ? Weight::bold : Weight::regular;
    std::vector<std::string> lines = wrap_text(words, width, size, weight);
    for (auto even = lines; bold && width > 120 && even.size() == lines.size(); width -= 20) {
      lines = std::exchange(even, wrap_text(words, width, size, weight));
    }
    return lines;
  }

  void text(const std::string& words, double size, bool bold, const char* colour) {
    for (const std::string& line : broken(words, size, bold)) {
      layout_.lines.push_back(
          {line, {style::edge, down_ + line_step(size) / 2}, size, bold, colour});
      down_ += line_step(size);
    }
  }

  void header() {
    down_ = 14;
    text(figure_.title, style::title_size, true, style::ink);
    layout_.legend = legend_entries(figure_, layout_.styles, provisional_panels());
    const int rows = flow_legend(layout_.legend, style::edge, style::canvas_width - style::edge);
    layout_.legend_top = down_ + 8;
    down_ = layout_.legend_top + rows * legend_row_height + 8;
    const std::string& label = lying() ? figure_.x.label : figure_.y.label;
    if (!label.empty()) text(label, style::label_size, false, style::ink);
    down_ += above_panel;
  }

  /// Panels with their ranges; boxes come later.
  [[nodiscard]] std::vector<Panel> provisional_panels() const {
    std::vector<Panel> result = {{{}, x_view(figure_), y_view(figure_), lying()}};
    for (std::size_t i = 1; i < figure_.panels.size(); ++i) result.push_back(result[0]);
    for (std::size_t i = 0; figure_.own_scale && i < figure_.panels.size(); ++i) {
      Figure alone = figure_;
      alone.series = of_panel(figure_.series, i);
      alone.markers = of_panel(figure_.markers, i);
      result[i].y = y_view(alone);
    }
    if (figure_.ratio) {
      result.push_back({{}, result[0].x, ratio_view(*figure_.ratio), false});
    }
    return result;
  }

  void panels() {
    for (const Panel& panel : provisional_panels()) layout_.panels.push_back({panel, {}, {}, true});
    if (!figure_.panels.empty()) return small_panels();
    stack();
    ticks_up();
    fit_width();
    ticks_across();
    layout_.end_labels = ends();
  }

  [[nodiscard]] std::size_t columns() const {
    const std::size_t count = figure_.panels.size();
    return count == 2 || count == 4 ? 2 : 3;
  }

  /// Rows of panels with a title each; numbers stand where no other panel has them.
  void small_panels() {
    const std::size_t count = figure_.panels.size();
    const std::size_t across = columns();
    for (std::size_t i = 0; i < count; ++i) {
      PanelLayout& part = layout_.panels[i];
      part.panel.box.height = across == 2 ? 300 : 240;
      part.numbered_across = i + across >= count;
      part.numbered_up = i % across == 0 || figure_.own_scale;
    }
    ticks_up();
    fit_columns(across);
    for (std::size_t first = 0; first < count; first += across) {
      if (first > 0) {
        const bool numbers = layout_.panels[first - 1].numbered_across;
        down_ += between_small + (numbers ? numbers_below : 0);
      }
      small_row(first, std::min(count, first + across));
    }
    ticks_across();
  }

  void fit_columns(std::size_t across) {
    const double numbers = widest_up() + tick_gap;
    const double between = between_small + (figure_.own_scale ? numbers : 0);
    const auto count = static_cast<double>(across);
    const double width = (text_space - numbers - (count - 1) * between) / count;
    for (std::size_t i = 0; i < layout_.panels.size(); ++i) {
      Box& box = layout_.panels[i].panel.box;
      box.width = width;
      box.left = style::edge + numbers + static_cast<double>(i % across) * (width + between);
    }
  }

  /// The panels from `first` on and their titles, which end just above them.
  void small_row(std::size_t first, std::size_t end) {
    const double step = line_step(style::tick_size);
    std::size_t most = 0;
    std::vector<std::vector<std::string>> titles;
    for (std::size_t i = first; i < end; ++i) {
      titles.push_back(
          broken(figure_.panels[i], style::tick_size, true, layout_.panels[i].panel.box.width));
      most = std::max(most, titles.back().size());
    }
    const double top = down_ + static_cast<double>(most) * step + 6;
    for (std::size_t i = first; i < end; ++i) {
      Box& box = layout_.panels[i].panel.box;
      box.top = top;
      double down = top - 6 - static_cast<double>(titles[i - first].size()) * step;
      for (const std::string& line : titles[i - first]) {
        layout_.lines.push_back({line, {box.left, down + step / 2}, style::tick_size, true});
        down += step;
      }
      down_ = box.bottom();
    }
  }

  void stack() {
    Box& first = layout_.panels[0].panel.box;
    first.top = down_;
    first.height =
        lying()
            ? std::max(120.0, category_height * static_cast<double>(figure_.x.categories.size()))
            : std::max(main_height, ends_height(ends().size()));
    down_ = first.bottom();
    if (!figure_.ratio) return;
    layout_.panels[0].numbered_across = false;
    down_ += 12;
    text(figure_.ratio->label, style::label_size, false, style::ink);
    Box& second = layout_.panels[1].panel.box;
    second.top = down_ + 12;
    second.height = ratio_height;
    down_ = second.bottom();
  }

  /// Their texts and number; places follow when the panel has its box.
  [[nodiscard]] std::vector<EndLabel> ends() const {
    return end_labels(figure_, layout_.styles, layout_.panels[0].panel);
  }

  void ticks_up() {
    for (PanelLayout& part : layout_.panels) {
      if (lying()) {
        for (std::size_t i = 0; i < figure_.x.categories.size(); ++i) {
          part.up.major.push_back({static_cast<double>(i), {}});
        }
      } else {
        part.up = find_ticks(part.panel.y, part.panel.box.height, up_gap);
      }
    }
  }

  /// The width of the longest number up the side of a panel.
  [[nodiscard]] double widest_up() const {
    double widest = 0;
    for (const PanelLayout& part : layout_.panels) {
      for (const Tick& tick : part.up.major) {
        widest = std::max(widest, label_width(tick.label, style::tick_size));
      }
    }
    return widest;
  }

  /// The left margin holds the longest tick label, the right one the labels at the curves' ends.
  void fit_width() {
    double left = widest_up();
    for (const std::string& category : figure_.x.categories) {
      left = std::max(left, text_width(category, style::tick_size));
    }
    double right = 8;
    for (const EndLabel& label : ends()) {
      right = std::max(right, text_width(label.text, style::note_size) + ends_space);
    }
    for (PanelLayout& part : layout_.panels) {
      part.panel.box.left = style::edge + left + tick_gap;
      part.panel.box.width = style::canvas_width - style::edge - right - part.panel.box.left;
    }
  }

  void ticks_across() {
    const bool small = !figure_.panels.empty();
    for (PanelLayout& part : layout_.panels) {
      const View& view = lying() ? part.panel.y : part.panel.x;
      part.across = find_ticks(view, part.panel.box.width, small ? small_across_gap : across_gap);
      if (small) shorten(part.across, view);
      const Box& box = part.panel.box;
      const double beside = between_small / 2 - 2;
      keep_apart(part.across, view, box, small ? box.left - beside : 0,
                 small ? box.right() + beside : style::canvas_width);
    }
  }

  /// Long numbers become powers: there is no room for "1 000 000" at the end of a small panel.
  static void shorten(Ticks& across, const View& view) {
    if (view.scale != Scale::log || view.high < 1e5) return;
    for (Tick& tick : across.major) tick.label = power_label(tick.at);
  }

  /// Takes the number off a tick where it would touch the one before or reach beyond `begin` or
  /// `end`.
  static void keep_apart(Ticks& across, const View& view, const Box& box, double begin,
                         double end) {
    constexpr double air = 8;
    double taken = begin;
    for (Tick& tick : across.major) {
      const double middle = box.left + view.fraction(tick.at) * box.width;
      const double half = label_width(tick.label, style::tick_size) / 2;
      const bool fits = middle - half > taken && middle + half < end;
      if (fits) {
        taken = middle + half + air;
      } else {
        tick.label.clear();
      }
    }
  }

  void footer() {
    down_ += numbers_below;
    Box box = layout_.panels[0].panel.box;
    if (!figure_.panels.empty()) {
      box.width = layout_.panels[std::min(columns(), figure_.panels.size()) - 1].panel.box.right() -
                  box.left;
    }
    const std::string& label = lying() ? figure_.y.label : figure_.x.label;
    for (const std::string& line : wrap_text(label, box.width, style::label_size)) {
      layout_.lines.push_back({line,
                               {box.left + box.width / 2, down_ + line_step(style::label_size) / 2},
                               style::label_size,
                               false,
                               style::ink,
                               true});
      down_ += line_step(style::label_size);
    }
    down_ += 8;
    if (!figure_.caption.empty())
      text(figure_.caption, style::caption_size, false, style::grey_ink);
  }

  const Figure& figure_;
  Layout layout_;
  double down_ = 0;
};

}  // namespace

bool is_said_by_group(const Figure& figure, const Styles& styles, const Series& series) {
  if (series.group.empty() || styles.naming != Naming::legend) return false;
  return std::ranges::all_of(figure.series, [&](const Series& other) {
    return other.group.empty() || (other.kind != Kind::points && other.name == series.name);
  });
}

std::vector<LegendEntry> legend_entries(const Figure& figure, const Styles& styles,
                                        const std::vector<Panel>& panels) {
  std::vector<LegendEntry> entries;
  if (styles.naming == Naming::legend) add_groups(entries, figure, styles);
  add_names(entries, figure, styles, panels.front());
  if (any_fate(figure.series, panels, {Fate::no_hit})) {
    Sample sample{style::grey_ink};
    sample.arrow = Arrow::open_down;
    entries.push_back({figure.words.no_hit, sample});
  }
  const std::set<Fate> outside = {Fate::below, Fate::above};
  if (any_fate(figure.series, panels, outside) ||
      (figure.ratio && any_fate(figure.ratio->series, {panels.back()}, outside))) {
    Sample sample{style::grey_ink};
    sample.arrow = Arrow::filled_up;
    entries.push_back({figure.words.outside, sample});
  }
  if (figure.ratio && figure.ratio->band > 0) {
    Sample sample{style::band_ink};
    sample.band = true;
    entries.push_back({"\u00B1" + shortest_label(100 * figure.ratio->band) + " %", sample});
  }
  if (styles.naming == Naming::ends && styles.keys.size() > most_ends) {
    entries.push_back({figure.words.unnamed, Sample{style::grey_ink}});
  }
  return entries;
}

int flow_legend(std::vector<LegendEntry>& entries, double left, double right) {
  constexpr double gap = 26;
  double at = left;
  int row = 0;
  int rows = 0;
  for (LegendEntry& entry : entries) {
    entry.lines = wrap_text(entry.text, right - left - sample_space, style::label_size);
    double width = 0;
    for (const std::string& line : entry.lines) {
      width = std::max(width, sample_space + text_width(line, style::label_size));
    }
    if (at > left && at + width > right) {
      at = left;
      row = rows;
    }
    entry.left = at;
    entry.row = row;
    rows = std::max(rows, row + static_cast<int>(entry.lines.size()));
    at += width + gap;
  }
  return rows;
}

Layout lay_out(const Figure& figure) { return Builder(figure).build(); }

}  // namespace bloomlab::analysis::plot
