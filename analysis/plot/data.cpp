#include "analysis/plot/data.hpp"

#include <algorithm>
#include <initializer_list>

#include "analysis/plot/text.hpp"

namespace bloomlab::analysis::plot {
namespace {

constexpr double arrow_length = 20;  // pixels
constexpr double bar_half = 5;       // of the bar at an upper limit
constexpr double edge_length = 18;   // of an arrow out of the panel

std::string row(std::initializer_list<double> values) {
  std::string text;
  for (const double value : values) {
    if (!text.empty()) text += ' ';
    text += data_number(value);
  }
  return text;
}

/// x and y as across and up.
std::string place(const Panel& panel, double x, double y) {
  return panel.lying ? row({y, x}) : row({x, y});
}

/// A vector from one place to another.
std::string vector(const Panel& panel, double x, double y, double to_x, double to_y) {
  return place(panel, x, y) + ' ' + place(panel, to_x - x, to_y - y);
}

/// x after going `pixels` along its axis.
double x_more_by(const Panel& panel, double x, double pixels) {
  const double length = panel.lying ? panel.box.height : panel.box.width;
  return panel.x.value(panel.x.fraction(x) + pixels / length);
}

void add_no_hit(PointRows& rows, const Panel& panel, double x, double limit) {
  rows.limit.push_back(
      vector(panel, x_more_by(panel, x, -bar_half), limit, x_more_by(panel, x, bar_half), limit));
  rows.arrow.push_back(vector(panel, x, limit, x, panel.y_less_by(limit, arrow_length)));
}

void add_outside(PointRows& rows, const Panel& panel, double x, Fate fate) {
  const double edge = fate == Fate::below ? panel.y.low : panel.y.high;
  const double inward = fate == Fate::below ? -edge_length : edge_length;
  rows.outside.push_back(vector(panel, x, panel.y_less_by(edge, inward), x, edge));
}

}  // namespace

PointRows point_rows(const Panel& panel, const Series& series, double shift) {
  PointRows rows;
  for (const Point& point : series.points) {
    const double x = x_more_by(panel, point.x, shift);
    const Fate fate = panel.fate(point);
    if (fate == Fate::inside) {
      const double low = std::max(point.low, panel.y.low);
      const double high = std::min(point.high, panel.y.high);
      rows.inside.push_back(place(panel, x, point.y) + ' ' + row({low, high}));
    } else if (fate == Fate::no_hit) {
      add_no_hit(rows, panel, x, point.high);
    } else if (fate != Fate::hidden) {
      add_outside(rows, panel, x, fate);
    }
  }
  return rows;
}

std::vector<std::string> line_rows(const Panel& panel, const Series& series) {
  std::vector<std::string> rows;
  for (const Point& point : series.points) {
    const bool gap = panel.y.scale == Scale::log && point.y <= 0;
    rows.push_back(gap ? std::string() : place(panel, point.x, point.y));
  }
  return rows;
}

std::vector<std::string> band_rows(const Panel& panel, const Series& series) {
  std::vector<std::string> rows;
  for (const Point& point : series.points) {
    const double least = panel.y.low;
    rows.push_back(row({point.x, std::max(point.low, least), std::max(point.high, least)}));
  }
  return rows;
}

}  // namespace bloomlab::analysis::plot
