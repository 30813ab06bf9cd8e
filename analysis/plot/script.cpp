// The script: a preamble, everything outside of the panels, then each panel.
#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/plot/figure.hpp"
#include "analysis/plot/gnuplot.hpp"
#include "analysis/plot/labels.hpp"
#include "analysis/plot/layout.hpp"
#include "analysis/plot/panel.hpp"
#include "analysis/plot/text.hpp"

namespace bloomlab::analysis::plot {
namespace {

constexpr double bar_width = 1.6;
constexpr const char* open_head = " head empty size screen 0.011,25";
constexpr const char* filled_head = " head filled size screen 0.011,25";

std::string quoted_plain(const std::string& safe) { return "'" + safe + "'"; }

std::string colour(const std::string& rgb) { return " lc rgb '" + rgb + "'"; }

std::string font(double size, bool bold) {
  return std::string(" font '") + (bold ? "sans-serif:Bold" : "sans-serif") + "," +
         fixed_number(size, 0) + "'";
}

/// Writes one figure, line by line.
class Script {
 public:
  explicit Script(const Figure& figure) : figure_(figure), layout_(lay_out(figure)) {}

  std::string write() {
    preamble();
    for (const TextLine& line : layout_.lines) text_line(line);
    for (const LegendEntry& entry : layout_.legend) legend_entry(entry);
    for (const EndLabel& label : layout_.end_labels) {
      const std::string look = " nohead lw 1" + colour(label.colour);
      stroke(label.from, {label.at.across - 4, label.at.down}, look);
      words(label.text, label.at, style::note_size, style::ink);
    }
    add("set multiplot");
    for (std::size_t i = 0; i < std::max<std::size_t>(1, figure_.panels.size()); ++i) {
      panel(layout_.panels[i], of_panel(layout_.series, i), of_panel(figure_.markers, i));
    }
    if (figure_.ratio) {
      ratio_background();
      panel(layout_.panels[1], figure_.ratio->series, shared_markers());
    }
    add("unset multiplot");
    return std::move(script_);
  }

 private:
  void add(const std::string& line) { script_ += line + "\n"; }

  [[nodiscard]] std::string screen(Pixel pixel) const {
    return "screen " + fixed_number(pixel.across / style::canvas_width, 5) + "," +
           fixed_number(1 - pixel.down / layout_.height, 5);
  }

  void preamble() {
    add("set encoding utf8");
    add("set terminal svg enhanced fixed size " + fixed_number(style::canvas_width, 0) + "," +
        fixed_number(layout_.height, 0) + " background rgb '#ffffff' font 'sans-serif," +
        fixed_number(style::tick_size, 0) + "'");
    add("unset key");
    add("set clip one");
    add("set clip two");
    add("set errorbars 0");
    // The white ring around a symbol; it would hide the neighbours where there are very many.
    add(std::string("set pointintervalbox ") + (layout_.styles.sequential ? "0.01" : "1"));
    add(std::string("set border 3 lw 1") + colour(style::frame_grey));
    add(std::string("set grid xtics ytics lt 1 lw 1") + colour(style::grid_grey) + " back");
  }

  static const char* option(Anchor anchor) {
    if (anchor == Anchor::left) return " left";
    return anchor == Anchor::middle ? " center" : " right";
  }

  void words(const std::string& text, Pixel at, double size, const std::string& rgb,
             const char* options = " left") {
    add("set label " + quoted_text(text) + " at " + screen(at) + options + font(size, false) +
        " textcolor rgb '" + rgb + "' front");
  }

  void text_line(const TextLine& line) {
    add("set label " + quoted_text(line.text) + " at " + screen(line.at) +
        (line.centred ? " center" : " left") + font(line.size, line.bold) + " textcolor rgb '" +
        line.colour + "'");
  }

  void stroke(Pixel from, Pixel to, const std::string& look) {
    add("set arrow from " + screen(from) + " to " + screen(to) + look);
  }

  void legend_entry(const LegendEntry& entry) {
    const Sample& sample = entry.sample;
    const double middle = layout_.legend_top + (entry.row + 0.5) * legend_row_height;
    const double right = entry.left + sample_space - 8;
    const Pixel centre{(entry.left + right) / 2, middle};
    if (sample.band) {
      add("set object rectangle from " + screen({entry.left, middle - 7}) + " to " +
          screen({right, middle + 7}) + " fs solid 0.25 noborder fc rgb '" + sample.colour + "'");
    }
    if (!sample.dash.empty()) {
      stroke({entry.left, middle}, {right, middle},
             " nohead lw " + fixed_number(sample.width, 1) + dash(sample.dash) +
                 colour(sample.colour));
    }
    if (sample.interval) {
      stroke({centre.across, middle - 10}, {centre.across, middle + 10},
             " nohead lw " + fixed_number(bar_width, 1) + colour(sample.colour));
    }
    if (sample.arrow != Arrow::none) arrow_sample(sample, centre);
    if (sample.symbol != 0) {
      add("set label '' at " + screen(centre) + " point pt " + std::to_string(sample.symbol) +
          " ps 1.1 lw " + fixed_number(bar_width, 1) + colour(sample.colour));
    }
    for (std::size_t i = 0; i < entry.lines.size(); ++i) {
      const double down = middle + static_cast<double>(i) * legend_row_height;
      words(entry.lines[i], {entry.left + sample_space, down}, style::label_size, style::ink);
    }
  }

  void arrow_sample(const Sample& sample, Pixel centre) {
    const Pixel upper{centre.across, centre.down - 10};
    const Pixel lower{centre.across, centre.down + 10};
    const std::string look = " lw " + fixed_number(bar_width, 1) + colour(sample.colour);
    if (sample.arrow == Arrow::filled_up) {
      stroke(lower, upper, filled_head + look);
      return;
    }
    stroke(upper, lower, open_head + look);
    stroke({upper.across - 5, upper.down}, {upper.across + 5, upper.down}, " nohead" + look);
  }

  static std::string dash(const std::string& type) { return " dt " + type; }

  /// `categories` replace the labels where there are any.
  static std::string tick_list(const Ticks& ticks, const std::vector<std::string>& categories) {
    std::string list;
    for (std::size_t i = 0; i < ticks.major.size(); ++i) {
      const Tick& tick = ticks.major[i];
      const std::string label =
          categories.empty() ? quoted_plain(tick.label) : quoted_tick_text(categories.at(i));
      list += (list.empty() ? "" : ", ") + label + " " + data_number(tick.at);
    }
    for (const double minor : ticks.minor) list += ", '' " + data_number(minor) + " 1";
    return "(" + list + ")";
  }

  static Ticks without_labels(Ticks ticks) {
    for (Tick& tick : ticks.major) tick.label.clear();
    return ticks;
  }

  void axis(const char* name, const View& view, bool reversed) {
    const bool log = view.scale == Scale::log;
    add(std::string(log ? "set" : "unset") + " logscale " + name);
    // gnuplot 5.4 leaves the number 10 out at the end of a log axis: the range is a hair wider.
    const double hair = log ? 1 + 1e-8 : 1;
    const double from = reversed ? view.high * hair : view.low / hair;
    const double to = reversed ? view.low / hair : view.high * hair;
    add(std::string("set ") + name + "range [" + data_number(from) + ":" + data_number(to) + "]");
  }

  void axes(const PanelLayout& part) {
    const Panel& panel = part.panel;
    const Box& box = panel.box;
    const auto fraction = [](double pixels, double of) { return fixed_number(pixels / of, 5); };
    add("set lmargin at screen " + fraction(box.left, style::canvas_width));
    add("set rmargin at screen " + fraction(box.right(), style::canvas_width));
    add("set tmargin at screen " + fraction(layout_.height - box.top, layout_.height));
    add("set bmargin at screen " + fraction(layout_.height - box.bottom(), layout_.height));
    axis("x", panel.lying ? panel.y : panel.x, false);
    axis("y", panel.lying ? panel.x : panel.y, panel.lying);
    const std::string look = std::string(" nomirror out scale 0.6,0.35") +
                             font(style::tick_size, false) + " textcolor rgb '" + style::ink + "' ";
    add("set xtics" + look + "offset 0,0.35 " +
        tick_list(part.numbered_across ? part.across : without_labels(part.across), {}));
    add("set ytics" + look + "offset 0.7,0 " +
        tick_list(part.numbered_up ? part.up : without_labels(part.up), figure_.x.categories));
  }

  void panel(const PanelLayout& part, const std::vector<Series>& series,
             const std::vector<Marker>& markers) {
    axes(part);
    for (const Marker& marker : markers) {
      if (marker.shaded) shade(part.panel, marker);
      if (const auto line = marker_stroke(part.panel, marker)) {
        stroke(line->from, line->to,
               std::string(" nohead lw 1.4 dt (7,5)") + colour(style::grey_ink) + " back");
      }
    }
    for (const PlacedLabel& label : place_labels(part.panel, series, markers)) {
      if (label.leader) {
        stroke(label.leader->from, label.leader->to,
               std::string(" nohead lw 1") + colour(style::grey_ink));
      }
      words(label.text, label.at(), style::note_size, style::grey_ink, option(label.anchor));
    }
    elements_.clear();
    // Lines lie below symbols.
    for (const Kind kind : {Kind::line, Kind::step, Kind::points}) {
      for (const Series& one : series) {
        if (one.kind == kind) draw_series(part.panel, one);
      }
    }
    std::string plot = "plot ";
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      plot += (i == 0 ? "" : ", \\\n     ") + elements_[i];
    }
    add(plot);
    add("unset label");
    add("unset arrow");
    add("unset object");
  }

  /// Darkens what lies below the marker; several of them lie over each other.
  void shade(const Panel& panel, const Marker& marker) {
    const bool along_x = marker.axis == MarkerAxis::x;
    const double at = std::clamp(marker.at, along_x ? panel.x.low : panel.y.low,
                                 along_x ? panel.x.high : panel.y.high);
    const Pixel corner = along_x ? panel.pixel(at, panel.y.high) : panel.pixel(panel.x.high, at);
    const Pixel origin = panel.pixel(panel.x.low, panel.y.low);
    add("set object rectangle from " + screen(origin) + " to " + screen(corner) +
        " behind fs transparent solid 0.05 noborder fc rgb '#000000'");
  }

  /// Markers of x go on through the ratio panel, without their labels.
  [[nodiscard]] std::vector<Marker> shared_markers() const {
    std::vector<Marker> markers;
    for (const Marker& marker : figure_.markers) {
      if (marker.axis == MarkerAxis::x) markers.push_back({MarkerAxis::x, marker.at});
    }
    return markers;
  }

  void ratio_background() {
    const Panel& panel = layout_.panels[1].panel;
    const double band = figure_.ratio->band;
    add("set object rectangle from graph 0,first " + data_number(1 - band) + " to graph 1,first " +
        data_number(1 + band) + " behind fs solid noborder fc rgb '" + style::band_grey + "'");
    const double left = panel.box.left;
    stroke({left, panel.pixel(panel.x.low, 1).down},
           {panel.box.right(), panel.pixel(panel.x.low, 1).down},
           std::string(" nohead lw 1.4") + colour(style::frame_grey) + " back");
  }

  /// Writes the rows as a data block and draws it with the given look. No key is drawn, but the SVG
  /// holds the series' name, which browsers show under the pointer.
  void element(const Series& series, const std::vector<std::string>& rows,
               const std::string& look) {
    if (rows.empty()) return;
    const std::string block = "$data" + std::to_string(++blocks_);
    add(block + " << END");
    for (const std::string& row : rows) add(row);
    add("END");
    std::string title = series.group.empty() ? series.name : series.group;
    const bool said = is_said_by_group(figure_, layout_.styles, series);
    if (!series.group.empty() && !said) title += ", " + series.name;
    elements_.push_back(block + " " + look + " title " + quoted_text(title));
  }

  [[nodiscard]] bool is_ratio(const Panel& panel) const {
    return figure_.ratio && &panel == &layout_.panels[1].panel;
  }

  /// The pixels of a lying panel that a point covers, symbol and interval.
  [[nodiscard]] static std::pair<double, double> covered_across(const Panel& panel,
                                                                const Point& point) {
    constexpr double symbol = 6;
    return {
        panel.pixel(point.x, std::max(std::min(point.low, point.y), panel.y.low)).across - symbol,
        panel.pixel(point.x, std::min(std::max(point.high, point.y), panel.y.high)).across +
            symbol};
  }

  /// Whether points of two groups would hide each other in some category.
  [[nodiscard]] bool meet_in_a_category(const Panel& panel) const {
    struct Taken {
      std::string group;
      std::pair<double, double> across;
    };
    std::multimap<double, Taken> taken;
    for (const Series& series : figure_.series) {
      if (series.kind != Kind::points) continue;
      for (const Point& point : series.points) {
        const Taken own{style_key(series), covered_across(panel, point)};
        const auto [from, to] = taken.equal_range(point.x);
        const bool meets = std::any_of(from, to, [&](const auto& at) {
          const Taken& other = at.second;
          return other.group != own.group && other.across.first < own.across.second &&
                 own.across.first < other.across.second;
        });
        if (meets) return true;
        taken.emplace(point.x, own);
      }
    }
    return false;
  }

  /// Groups stand side by side [pixels] where they meet in a category, and in the ratio panel,
  /// where all of them are near 1.
  [[nodiscard]] double shift(const Panel& panel, const Series& series) const {
    const std::vector<std::string>& keys = layout_.styles.keys;
    const auto found = std::find(keys.begin(), keys.end(), style_key(series));
    if (found == keys.end() || (!panel.lying && !is_ratio(panel))) return 0;
    if (panel.lying && !meet_in_a_category(panel)) return 0;
    const auto count = static_cast<double>(keys.size());
    const double apart = std::min(panel.lying ? 9.0 : 5.0, 20 / count);
    return apart * (static_cast<double>(found - keys.begin()) - (count - 1) / 2);
  }

  void draw_series(const Panel& panel, const Series& series) {
    const GroupStyle& group = layout_.styles.of(series);
    const std::string ink = colour(group.colour);
    if (series.kind == Kind::points) {
      draw_points(panel, series, group);
    } else {
      const bool step = series.kind == Kind::step;
      element(series, line_rows(panel, series),
              std::string(step ? "with steps" : "with lines") + " lw " +
                  fixed_number(line_width(series), 1) + dash(line_dash(series, group)) + ink);
    }
  }

  void draw_points(const Panel& panel, const Series& series, const GroupStyle& group) {
    const PointRows rows = point_rows(panel, series, shift(panel, series));
    const int symbol = is_filled(series) ? group.symbol : group.open_symbol;
    // A ring goes round the symbol that stands inside it.
    const bool ring = !is_filled(series);
    const std::string size = layout_.styles.sequential ? (ring ? " ps 0.9" : " ps 0.45")
                             : is_ratio(panel)         ? " ps 0.7"
                             : !figure_.panels.empty() ? (ring ? " ps 0.9" : " ps 0.75")
                                                       : (ring ? " ps 1.2" : " ps 1.0");
    const std::string look = " lw " + fixed_number(bar_width, 1) + colour(group.colour);
    if (series.joined) {
      element(series, line_rows(panel, series), "with lines lw 1.2" + colour(group.colour));
    }
    element(series, rows.inside,
            std::string(panel.lying ? "with xerrorbars" : "with yerrorbars") + " pt " +
                std::to_string(symbol) + size + look);
    element(series, rows.limit, "with vectors nohead" + look);
    element(series, rows.arrow, "with vectors" + std::string(open_head) + look);
    element(series, rows.outside, "with vectors" + std::string(filled_head) + look);
  }

  const Figure& figure_;
  Layout layout_;
  std::string script_;
  std::vector<std::string> elements_;
  int blocks_ = 0;
};

}  // namespace

std::string gnuplot_script(const Figure& figure) {
  check_figure(figure);
  return Script(figure).write();
}

}  // namespace bloomlab::analysis::plot
