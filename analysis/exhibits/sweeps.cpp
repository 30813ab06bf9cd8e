// The sweeps over one quantity: size m, probes k, keys n, and the share of set bits.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"

namespace bloomlab::analysis {

namespace {

std::string probes_label(const Measurement& m) {
  return "k = " + value_text(value_at(m.cell, "/filter/k"));
}

std::function<double(const Measurement&)> place(const std::string& path) {
  return [path](const Measurement& m) { return number_at(m.cell, path); };
}

/// Points that a sweep over k calls best, labelled by their k.
std::function<std::string(const Measurement&)> best_labels(const std::vector<ProbeSweep>& sweeps) {
  std::vector<const Measurement*> best;
  for (const ProbeSweep& sweep : sweeps) best.push_back(sweep.best_exact);
  return [best](const Measurement& m) {
    for (const Measurement* other : best) {
      if (other == &m) return probes_label(m);
    }
    return std::string();
  };
}

/// Sweeps that an answer names; the table has all.
constexpr std::size_t in_an_answer = 4;

/// "m/n = 8: k = 6, rate ..., fill ...": the best of every sweep.
std::string best_list(const std::vector<ProbeSweep>& sweeps, const Words& words) {
  std::vector<std::string> texts;
  for (const ProbeSweep& sweep : sweeps) {
    texts.push_back(words("best.item", {{"label", sweep.label},
                                        {"k", probes_label(*sweep.best_exact)},
                                        {"rate", rate_text(sweep.best_exact)}}));
  }
  return first_of(texts, in_an_answer, words);
}

std::string fill_list(const std::vector<ProbeSweep>& sweeps, const Words& words) {
  std::vector<std::string> texts;
  for (const ProbeSweep& sweep : sweeps) {
    texts.push_back(words("best.fill", {{"label", sweep.label},
                                        {"k", probes_label(*sweep.best_exact)},
                                        {"fill", percent(sweep.best_exact->mean_fill(), 4)}}));
  }
  return first_of(texts, in_an_answer, words);
}

std::uint64_t agreeing(const std::vector<ProbeSweep>& sweeps) {
  std::uint64_t count = 0;
  for (const ProbeSweep& sweep : sweeps) {
    if (sweep.best_exact == sweep.best_measured) ++count;
  }
  return count;
}

/// From sizes to bits per key, where all filters have as many keys; otherwise the axis says m.
void to_bits_per_key(plot::Figure& figure, const Experiment& experiment) {
  const auto keys = static_cast<double>(experiment.measurements.front().inserted());
  for (const Measurement& m : experiment.measurements) {
    if (static_cast<double>(m.inserted()) == keys) continue;
    figure.x.label = axis_label("/filter/m");
    return;
  }
  const auto divide = [&](std::vector<plot::Series>& all) {
    for (plot::Series& series : all) {
      for (plot::Point& point : series.points) point.x /= keys;
    }
  };
  divide(figure.series);
  if (figure.ratio) divide(figure.ratio->series);
}

}  // namespace

Content size_exhibit(const Experiment& experiment, const Words& words) {
  const auto sweeps = probe_sweeps(experiment);
  Content content;
  content.tables = {best_table(experiment, words)};
  content.values = {
      {"small_best", sweeps.empty() ? "–" : best_list({sweeps.front()}, words)},
      {"large_best", sweeps.empty() ? "–" : best_list({sweeps.back()}, words)},
  };
  content.figures = {rate_figure(experiment, words,
                                 {.name = experiment.stem,
                                  .title = words("figure.fpr_vs_m.title"),
                                  .x_label = words("axis.bits_per_key"),
                                  .x_scale = plot::Scale::log,
                                  .x = place("/filter/m"),
                                  .group = probes_label,
                                  .dense_along = "/filter/m"})};
  to_bits_per_key(content.figures.front(), experiment);
  return content;
}

Content probes_exhibit(const Experiment& experiment, const Words& words) {
  const auto sweeps = probe_sweeps(experiment);
  Content content;
  content.tables = {best_table(experiment, words)};
  content.values = {{"best_list", best_list(sweeps, words)},
                    {"agreeing", grouped(agreeing(sweeps))},
                    {"sweeps", grouped(sweeps.size())}};
  content.figures = {rate_figure(experiment, words,
                                 {.name = experiment.stem,
                                  .title = words("figure.fpr_vs_k.title"),
                                  .x_label = axis_label("/filter/k"),
                                  .x = place("/filter/k"),
                                  .group = [](const Measurement& m) { return ratio_label(m.cell); },
                                  .point_label = best_labels(sweeps)})};
  return content;
}

Content fill_exhibit(const Experiment& experiment, const Words& words) {
  const auto sweeps = probe_sweeps(experiment);
  Content content;
  content.tables = {best_table(experiment, words)};
  content.values = {{"fill_list", fill_list(sweeps, words)}, {"half", percent(0.5, 2)}};
  content.figures = {rate_figure(experiment, words,
                                 {.name = experiment.stem,
                                  .title = words("figure.fpr_vs_fill.title"),
                                  .x_label = words("axis.fill"),
                                  .x = [](const Measurement& m) { return m.mean_fill(); },
                                  .group = [](const Measurement& m) { return ratio_label(m.cell); },
                                  .theory_x =
                                      [](const Measurement& m) {
                                        return m.prediction->mean_set_bits /
                                               static_cast<double>(m.trials.front().bits);
                                      },
                                  .point_label = best_labels(sweeps),
                                  .markers = {{.at = 0.5, .label = words("marker.half")}},
                                  .with_ratio = false})};
  return content;
}

namespace {

/// Keys at which half of the bits of a cell's filter are set: what it was planned for.
double planned_keys(const Measurement& m) {
  return std::numbers::ln2 * number_at(m.cell, "/filter/m") / number_at(m.cell, "/filter/k");
}

/// The measured point nearest to the plan, and the one with the most keys, of the filter with the
/// most probes.
struct Overload {
  const Measurement* planned = nullptr;
  const Measurement* fullest = nullptr;
};

Overload overload_of(const Experiment& experiment) {
  Overload found;
  double most_probes = 0;
  for (const Measurement& m : experiment.measurements) {
    most_probes = std::fmax(most_probes, number_at(m.cell, "/filter/k"));
  }
  for (const Measurement& m : experiment.measurements) {
    if (number_at(m.cell, "/filter/k") != most_probes) continue;
    const auto distance = [](const Measurement& other) {
      return std::abs(std::log(static_cast<double>(other.inserted()) / planned_keys(other)));
    };
    if (found.planned == nullptr || distance(m) < distance(*found.planned)) found.planned = &m;
    if (found.fullest == nullptr || m.inserted() > found.fullest->inserted()) found.fullest = &m;
  }
  return found;
}

/// The planned number of keys of every k, as lines.
std::vector<plot::Marker> plan_markers(const Experiment& experiment, const Words& words) {
  std::vector<plot::Marker> markers;
  for (const Measurement& m : experiment.measurements) {
    const std::string label = words("marker.plan", {{"probes", probes_label(m)}});
    const double at = planned_keys(m);
    const bool known = std::any_of(markers.begin(), markers.end(), [&](const plot::Marker& one) {
      return one.label == label && one.at == at;
    });
    if (!known && std::isfinite(at)) markers.push_back({.at = at, .label = label});
  }
  return markers;
}

}  // namespace

Content load_exhibit(const Experiment& experiment, const Words& words) {
  const Overload overload = overload_of(experiment);
  const auto keys = [](const Measurement* m) {
    return m == nullptr ? "–" : grouped(m->inserted());
  };
  Content content;
  content.values = {{"probes", overload.planned == nullptr ? "–" : probes_label(*overload.planned)},
                    {"planned_keys", keys(overload.planned)},
                    {"planned_rate", rate_text(overload.planned)},
                    {"fullest_keys", keys(overload.fullest)},
                    {"fullest_rate", rate_text(overload.fullest)}};
  content.figures = {rate_figure(experiment, words,
                                 {.name = experiment.stem,
                                  .title = words("figure.fpr_vs_n.title"),
                                  .x_label = axis_label("/n"),
                                  .x_scale = plot::Scale::log,
                                  .x = place("/n"),
                                  .group = probes_label,
                                  .dense_along = "/n",
                                  .markers = plan_markers(experiment, words)})};
  return content;
}

}  // namespace bloomlab::analysis
