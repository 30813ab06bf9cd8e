// Scalable filters against plain ones on equal terms: a plan for so many keys, half of them to ten
// times as many that come, and plain filters that were sized for the plan, for the most that come,
// and with exactly the bits that each scalable filter ends with.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "analysis/data/axes.hpp"
#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/fair_study.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/figures/rate_figure.hpp"
#include "analysis/format/number.hpp"
#include "statistics/durations.hpp"

namespace bloomlab::analysis {

namespace {

std::string fair_name(const FairStudy& study, const Grown& grown, const Words& words) {
  if (&grown == study.planned) return words("scalable_fair.planned");
  if (&grown == study.largest) {
    return words("scalable_fair.largest", {{"factor", parameter_text(study.factor(grown.last()))}});
  }
  if (&grown == study.lab) return words("scalable_fair.lab");
  if (const Grown* twin = study.twin_of(grown)) {
    return words("scalable_fair.equal", {{"filter", fair_name(study, *twin, words)}});
  }
  if (!grown.has_target()) return label_of(grown.cell(), {});
  return words("scalable_fair.scalable",
               {{"growth", value_text(value_at(grown.cell(), "/filter/growth"))},
                {"tightening", value_text(value_at(grown.cell(), "/filter/tightening"))}});
}

/// Median over the trials of a duration a key at the step [ns]; NaN where none was written.
double step_ns(const Experiment& experiment, const Measurement& m, const char* duration,
               double keys) {
  std::vector<double> all;
  for (const record::Observation& observation : experiment.observations) {
    if (observation.step != m.step || observation.cell != m.cell) continue;
    const auto found = observation.timing.find(duration);
    if (found != observation.timing.end() && found->is_number()) {
      all.push_back(found->get<double>() / keys);
    }
  }
  return all.empty() ? unknown : statistics::median(all);
}

double absent_ns(const Experiment& experiment, const Measurement& m) {
  return step_ns(experiment, m, "strangers_ns", static_cast<double>(m.trials.front().queries()));
}

/// The parts of the plan that tables show, of those that were measured.
std::vector<double> shown_factors(const FairStudy& study) {
  std::vector<double> shown;
  for (const double wanted : {0.5, 1.0, 2.0, 3.0, 5.0, 10.0}) {
    for (const Measurement* m : study.all.front().steps) {
      if (std::abs(study.factor(*m) - wanted) < 1e-9) shown.push_back(wanted);
    }
  }
  return shown;
}

const Measurement* at_factor(const FairStudy& study, const Grown& grown, double factor) {
  for (const Measurement* m : grown.steps) {
    if (std::abs(study.factor(*m) - factor) < 1e-9) return m;
  }
  return nullptr;
}

/// One row a filter, one column a part of the plan.
Table by_factor(const FairStudy& study, const Words& words, const std::string& name,
                const std::function<Entry(const Measurement&)>& entry) {
  Table table{.name = name,
              .caption = words("table.scalable_fair_" + name + ".caption"),
              .columns = {{"filter", "filter"}},
              .rows = {}};
  const std::vector<double> factors = shown_factors(study);
  for (const double factor : factors) {
    const std::string text = parameter_text(factor);
    table.columns.push_back({"times_" + text, words("column.times_plan", {{"factor", text}})});
  }
  for (const Grown& grown : study.all) {
    std::vector<Entry> row = {word_entry(fair_name(study, grown, words))};
    for (const double factor : factors) {
      const Measurement* m = at_factor(study, grown, factor);
      row.push_back(m == nullptr ? no_entry() : entry(*m));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// A measured rate; bold where its whole interval lies above the target.
Entry fair_rate_entry(const FairStudy& study, const Measurement& m) {
  const statistics::Estimate& rate = m.estimate->rate;
  Entry entry = interval_entry(rate.value, rate.interval.low, rate.interval.high);
  entry.marked = rate.interval.low > study.target;
  return entry;
}

Table cost_table(const Experiment& experiment, const FairStudy& study, const Words& words) {
  Table table{.name = "cost",
              .caption = words("table.scalable_fair_cost.caption"),
              .columns = {{"filter", "filter"},
                          {"bits", words("column.bits"), "bits"},
                          {"memory_ratio", words("column.memory_ratio")},
                          {"keeps_to", words("column.keeps_target_to")},
                          {"layers", words("column.layers")},
                          {"query_ns", words("column.query_ns"), "ns"}},
              .rows = {}};
  for (const Grown& grown : study.all) {
    const double to = study.keeps_target_to(grown);
    table.rows.push_back(
        {word_entry(fair_name(study, grown, words)), count_entry(grown.bits()),
         number_entry(
             static_cast<double>(grown.bits()) / static_cast<double>(study.largest->bits()), 3),
         std::isinf(to) ? word_entry(words("scalable_fair.any")) : number_entry(to, 3),
         count_entry(grown.last().trials.front().layers),
         number_entry(absent_ns(experiment, grown.last()), 3)});
  }
  return table;
}

plot::Figure fair_rate_figure(const Experiment& experiment, const FairStudy& study,
                              const Words& words) {
  const std::vector<const Grown*> curves = study.drawn();
  const auto grown_of = [&](const Measurement& m) -> const Grown* {
    const auto found = std::find_if(curves.begin(), curves.end(),
                                    [&](const Grown* grown) { return grown->cell() == m.cell; });
    return found == curves.end() ? nullptr : *found;
  };
  plot::Figure figure = rate_figure(
      experiment, words,
      {.name = experiment.stem,
       .title = words("figure.scalable_fair.title"),
       .x_label = words("axis.times_plan"),
       .x = [&](const Measurement& m) { return grown_of(m) ? study.factor(m) : unknown; },
       .group = [&](const Measurement& m) { return fair_name(study, *grown_of(m), words); },
       .dense_along = "inserted",
       .markers = {{.axis = plot::MarkerAxis::y,
                    .at = study.target,
                    .label = words("marker.target")}},
       .with_ratio = false});
  // The dense closed form stands at keys, the measurements at parts of the plan.
  for (plot::Series& series : figure.series) {
    if (series.role != plot::Role::theory) continue;
    for (plot::Point& point : series.points) point.x /= study.plan;
  }
  return figure;
}

plot::Figure fair_memory_figure(const Experiment& experiment, const FairStudy& study,
                                const Words& words) {
  plot::Figure figure{.name = experiment.stem + "_memory",
                      .title = words("figure.scalable_fair_memory.title"),
                      .caption = words("figure.caption.memory", {{"file", experiment.file_name}}),
                      .x = {.label = words("axis.times_plan")},
                      .y = {.label = words("axis.bits_per_key"), .scale = plot::Scale::log},
                      .series = {}};
  for (const Grown* grown : study.drawn()) {
    plot::Series series{
        .name = fair_name(study, *grown, words), .kind = plot::Kind::line, .points = {}};
    for (const Measurement* m : grown->steps) {
      const double bits = bits_each(*m);
      series.points.push_back({.x = study.factor(*m), .y = bits, .low = bits, .high = bits});
    }
    figure.series.push_back(std::move(series));
  }
  return figure;
}

std::string span_of_absent_ns(const Experiment& experiment,
                              const std::vector<const Grown*>& filters, const Words& words) {
  double low = unknown;
  double high = unknown;
  for (const Grown* grown : filters) {
    const double ns = absent_ns(experiment, grown->last());
    low = std::fmin(low, ns);
    high = std::fmax(high, ns);
  }
  return words("scalable_fair.ns", {{"low", significant(low, 2)}, {"high", significant(high, 2)}});
}

std::string lab_sentence(const FairStudy& study, const Words& words) {
  const Grown* equal = study.lab == nullptr ? nullptr : study.equal_to(*study.lab);
  if (equal == nullptr) return words("scalable_fair.no_lab");
  const double to = study.keeps_target_to(*equal);
  return words("scalable_fair.lab_result", {{"rate", rate_text(&study.lab->last())},
                                            {"equal_rate", rate_text(&equal->last())},
                                            {"to", significant(to, 3)}});
}

Tags fair_answer(const Experiment& experiment, const FairStudy& study, const Words& words) {
  const PriceOfNotKnowing price = price_of_not_knowing(study);
  const EqualTerms terms = equal_terms(study);
  std::vector<const Grown*> equals;
  for (const Grown* grown : study.scalable) {
    if (const Grown* plain = study.equal_to(*grown)) equals.push_back(plain);
  }
  return {{"plan", grouped(static_cast<std::uint64_t>(study.plan))},
          {"target", parameter_text(study.target)},
          {"last_factor", parameter_text(study.factor(study.planned->last()))},
          {"planned_rate", rate_text(&study.planned->last())},
          {"cells", grouped(study.scalable.size())},
          {"kept", grouped(study.count_kept())},
          {"pairs", grouped(terms.pairs)},
          {"better", grouped(terms.better)},
          {"least_to", significant(terms.least_to, 3)},
          {"most_to", significant(terms.most_to, 3)},
          {"least_price", significant(price.least, 3)},
          {"most_price", significant(price.most, 3)},
          {"break_even", significant(price.best_worst, 3)},
          {"scalable_ns", span_of_absent_ns(experiment, study.scalable, words)},
          {"plain_ns", span_of_absent_ns(experiment, equals, words)},
          {"lab", lab_sentence(study, words)}};
}

/// A grid without some part of the study: every tag, and tables without rows.
Content unanswered(const Experiment& experiment, const Words& words) {
  Content content;
  for (const char* tag : {"plan", "target", "last_factor", "planned_rate", "cells", "kept", "pairs",
                          "better", "least_to", "most_to", "least_price", "most_price",
                          "break_even", "scalable_ns", "plain_ns", "lab"}) {
    content.values[tag] = "–";
  }
  for (const char* name : {"rates", "memory", "cost"}) {
    content.tables.push_back(
        {.name = name,
         .caption = words(std::string("table.scalable_fair_") + name + ".caption"),
         .columns = {{"filter", "filter"}},
         .rows = {}});
  }
  for (const char* ending : {"", "_memory"}) {
    plot::Figure figure;
    figure.name = experiment.stem + ending;
    content.figures.push_back(std::move(figure));
  }
  return content;
}

}  // namespace

Content scalable_fair_exhibit(const Experiment& experiment, const Words& words) {
  const FairStudy study(experiment);
  if (!study.is_complete()) return unanswered(experiment, words);
  Content content;
  content.values = fair_answer(experiment, study, words);
  content.tables = {by_factor(study, words, "rates",
                              [&](const Measurement& m) { return fair_rate_entry(study, m); }),
                    by_factor(study, words, "memory",
                              [](const Measurement& m) { return number_entry(bits_each(m), 3); }),
                    cost_table(experiment, study, words)};
  content.figures = {fair_rate_figure(experiment, study, words),
                     fair_memory_figure(experiment, study, words)};
  return content;
}

}  // namespace bloomlab::analysis
