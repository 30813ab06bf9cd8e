#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "analysis/data/measurement.hpp"
#include "analysis/data/with_theory.hpp"
#include "analysis/pages/page.hpp"
#include "analysis/pages/tables.hpp"
#include "analysis/report/section.hpp"
#include "record/number_text.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

namespace thresholds = statistics::thresholds;

/// What a rung is called; a filter's own layout by its model.
std::string form_name(const std::string& form, const Words& words) {
  if (words.has("rung." + form)) return words("rung." + form);
  std::string model = form;
  std::replace(model.begin(), model.end(), '_', ' ');
  return words("rung.layout", {{"model", model}});
}

/// "12 288 to 1 040 000": queries of single filters that stopped by themselves.
std::string queries_span(const Experiment& experiment) {
  std::uint64_t least = experiment.measurements.front().trials.queries()[0];
  std::uint64_t most = least;
  for (const Measurement& m : experiment.measurements) {
    const Counts queries = m.trials.queries();
    least = std::min(least, queries.minCoeff());
    most = std::max(most, queries.maxCoeff());
  }
  return grouped(least) + " – " + grouped(most);
}

std::string size_text(const Experiment& experiment, const Words& words) {
  std::set<std::string_view> cells;
  for (const Measurement& m : experiment.measurements) cells.insert(m.cell.text());
  const Measurement& first = experiment.measurements.front();
  const bool fixed =
      std::all_of(experiment.measurements.begin(), experiment.measurements.end(),
                  [](const Measurement& m) { return m.trials.stopped_by(0).empty(); });
  return words(
      fixed ? "size" : "size.precision",
      {{"cells", grouped(cells.size())},
       {"trials", grouped(static_cast<std::uint64_t>(first.trials.size()))},
       {"queries", fixed ? grouped(first.trials.queries()[0]) : queries_span(experiment)}});
}

/// The size of an experiment that measured no filters.
std::string plain_size_text(const Experiment& experiment, const Words& words) {
  std::set<record::Sha256> cells;
  std::set<std::uint64_t> trials;
  for (const record::Observation& observation : experiment.observations) {
    cells.insert(record::sha256(observation.cell.dump()));
    trials.insert(observation.trial);
  }
  return words("size.plain",
               {{"cells", grouped(cells.size())}, {"trials", grouped(trials.size())}});
}

/// What filters from outside did that is no count: each reason once, with how many trials it ended.
std::string failures_text(const Experiment& experiment, const Words& words) {
  std::map<std::string, std::uint64_t> trials_of;
  for (const record::Observation& observation : experiment.observations) {
    const Json& measured = observation.measured;
    if (!measured.contains("status")) continue;
    ++trials_of[measured.value("status", "") + ": " + measured.value("reason", "")];
  }
  if (trials_of.empty()) return "";
  std::string text = "\n\n" + words("foreign.failed") + "\n";
  for (const auto& [reason, trials] : trials_of) {
    text += "\n- " + markdown_escaped(reason) + " (" +
            words("foreign.trials", {{"trials", grouped(trials)}}) + ")";
  }
  return text;
}

/// What is the same in every cell: "keys = uniform, n = 20 000, ...".
std::string fixed_text(const Experiment& experiment) {
  const std::vector<Axis> axes = axes_of(experiment.measurements);
  std::string text;
  const Json flat = flat_cell(experiment.measurements.front().cell());
  for (const auto& [path, value] : flat.items()) {
    const auto same_path = [&path = path](const Axis& axis) { return axis.path == path; };
    const bool varies = std::any_of(axes.begin(), axes.end(), same_path);
    if (varies || value.is_null()) continue;
    text +=
        (text.empty() ? "" : ", ") + short_name(path) + " = " + markdown_escaped(value_text(value));
  }
  return text.empty() ? "–" : text;
}

/// What every trial drew anew, hence of what population the intervals speak.
std::string population_text(const Experiment& experiment, const Words& words) {
  const Redrawn& redrawn = experiment.measurements.front().redrawn;
  if (redrawn.keys && redrawn.hash_seed) return words("population.both");
  if (redrawn.keys) return words("population.keys");
  if (redrawn.hash_seed) return words("population.hash_seed");
  return words("population.none");
}

std::string inserted_keys_text(const Experiment& experiment, const Words& words) {
  std::uint64_t asked = 0;
  for (const Measurement& m : experiment.measurements) {
    asked += (m.trials[Trials::true_positives] + m.trials[Trials::false_negatives]).sum();
  }
  return words("inserted_keys", {{"asked", grouped(asked)},
                                 {"false_negatives", grouped(false_negatives(experiment))}});
}

std::string detection_text(const Experiment& experiment, const Words& words) {
  std::uint64_t fill_only = 0;
  double best = HUGE_VAL;
  for (const Measurement& m : experiment.measurements) {
    if (m.estimate->fill_based_only) ++fill_only;
    if (!std::isnan(m.estimate->detectable)) best = std::min(best, m.estimate->detectable);
  }
  std::string text = std::isinf(best)
                         ? words("detection.blind")
                         : words("detection", {{"power", percent(thresholds::power, 2)},
                                               {"best", percent(best, 2)}});
  return text.append(" ").append(
      words("detection.fill_only", {{"fill_only", grouped(fill_only)},
                                    {"measurements", grouped(experiment.measurements.size())},
                                    {"effect", percent(thresholds::fill_only_effect, 2)}}));
}

/// Suspects, and the table as a whole.
std::string family_text(const Family& family, const Words& words) {
  std::string text = words(
      family.shares_seeds ? "family.shared" : "family.independent",
      {{"suspects", grouped(family.suspects)}, {"share", percent(thresholds::suspect_share, 2)}});
  if (!family.squares) return text;
  const statistics::SumOfSquares& squares = *family.squares;
  return text.append(" ").append(
      words("family.squares", {{"statistic", significant(squares.statistic, 4)},
                               {"degrees", grouped(squares.degrees)},
                               {"p", p_value_phrase(squares.p_value)}}));
}

/// How many cells each closed form describes, simplest first.
std::string ladder_text(const Experiment& experiment, const Words& words) {
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  std::uint64_t judged = 0;
  std::uint64_t open = 0;
  std::uint64_t none = 0;
  for (const Measurement& m : experiment.measurements) {
    const Ladder& ladder = m.estimate->ladder;
    if (!ladder.judged) continue;
    ++judged;
    const std::string& form = ladder.lowest_accepted;
    if (form.empty()) {
      ++(ladder.open ? open : none);
      continue;
    }
    const auto found = std::find_if(counts.begin(), counts.end(),
                                    [&](const auto& entry) { return entry.first == form; });
    if (found == counts.end()) {
      counts.emplace_back(form, 1);
    } else {
      ++found->second;
    }
  }
  if (judged == 0) return "";
  std::string list;
  for (const auto& [name, count] : counts) {
    list.append(list.empty() ? "" : ", ")
        .append(
            words("ladder.item", {{"form", form_name(name, words)}, {"count", grouped(count)}}));
  }
  Tags tags = {{"judged", grouped(judged)},
               {"tolerance", percent(thresholds::equivalence_tolerance, 2)},
               {"open", grouped(open)},
               {"none", grouped(none)},
               {"chance", percent(1 - thresholds::rejection_level, 1)}};
  if (list.empty()) return "\n\n" + words("ladder.summary_none", tags);
  tags["list"] = list;
  return "\n\n" + words("ladder.summary", tags);
}

/// What half of the tests of the rate would have shown, at least.
double half_detectable(const Experiment& experiment) {
  std::vector<double> effects;
  for (const Measurement& m : experiment.measurements) {
    if (m.estimate->rate_test) effects.push_back(m.estimate->detectable);
  }
  std::erase_if(effects, [](double effect) { return std::isnan(effect); });
  if (effects.empty()) return unknown;
  const auto middle = effects.begin() + static_cast<std::ptrdiff_t>(effects.size() / 2);
  std::nth_element(effects.begin(), middle, effects.end());
  return *middle;
}

/// What the tests say, in one line.
std::string tests_line(const Experiment& experiment, const Words& words) {
  const FlagCheck& flags = experiment.flags;
  if (flags.tests == 0) return words("tests.line.none");
  Tags tags = {{"tests", grouped(flags.tests)}};
  if (!flags.flagged.empty()) {
    tags["flags"] = grouped(flags.flagged.size());
    return words("tests.line.flagged", tags);
  }
  const double half = half_detectable(experiment);
  if (std::isinf(half)) return words("tests.line.blind", tags);
  tags["half"] = percent(half, 2);
  return words("tests.line.clean", tags);
}

/// Says of how many measurements the hashing scheme has no closed form; "" where all have one.
std::string index_form_text(const Experiment& experiment, const Words& words) {
  std::set<std::string> families;
  std::uint64_t count = 0;
  for (const Measurement& m : experiment.measurements) {
    const Json cell = m.cell();
    if (!lacks_index_form(cell)) continue;
    ++count;
    families.insert(word_at(cell, "/hash/probe"));
  }
  if (count == 0) return "";
  std::string names;
  for (const std::string& family : families) {
    names.append(names.empty() ? "" : ", ").append(family);
  }
  std::string text = " ";
  return text.append(
      words("tests.no_index_form", {{"count", grouped(count)}, {"families", names}}));
}

std::string tests_text(const Experiment& experiment, const Words& words) {
  const FlagCheck& flags = experiment.flags;
  const Tags tags = {{"tests", grouped(flags.tests)},
                     {"alpha", parameter_text(thresholds::family_alpha)}};
  std::string text;
  if (flags.tests == 0) {
    text = words("tests.none");
  } else if (flags.flagged.empty()) {
    text = words("tests.clean", tags);
  } else {
    Tags more = tags;
    more["flags"] = grouped(flags.flagged.size());
    text = words("tests.flagged", more);
  }
  if (flags.tests > 0) {
    text.append(" ").append(detection_text(experiment, words));
    text.append(" ").append(family_text(experiment.family, words));
  }
  text.append(index_form_text(experiment, words));
  return text.append(ladder_text(experiment, words));
}

/// `line` of a page of ours with "{{word:KEY}}" replaced by that text of `words`.
std::string spoken(std::string line, const Words& words) {
  constexpr std::string_view open = "{{word:";
  const bool is_remark = line.starts_with("--");
  for (std::size_t at = line.find(open); at != std::string::npos; at = line.find(open, at)) {
    const std::size_t end = line.find("}}", at);
    const std::string key = line.substr(at + open.size(), end - at - open.size());
    std::string text;
    for (const char character : words.texts().at(key)) {
      text += character == '\'' && !is_remark ? "''" : std::string(1, character);
    }
    line.replace(at, end + 2 - at, text);
  }
  return line;
}

/// More measurements than this are no table that anybody reads.
constexpr std::size_t most_shown = 2000;

/// The first measurements, those flagged before the others, as an experiment of their own; in grid
/// order.
Experiment shown_part(const Experiment& experiment) {
  const auto is_flagged = [](const Measurement& m) {
    const auto says = [](const std::optional<Test>& test) { return test && test->flagged; };
    return says(m.estimate->rate_test) || says(m.estimate->fill_test);
  };
  const auto& all = experiment.measurements;
  const auto flagged = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_flagged));
  std::size_t others = most_shown - std::min(most_shown, flagged);
  Experiment shown;
  shown.stem = experiment.stem;
  shown.file_name = experiment.file_name;
  shown.kind = experiment.kind;
  for (const Measurement& m : all) {
    if (shown.measurements.size() == most_shown) break;
    if (is_flagged(m)) {
      shown.measurements.push_back(m);
    } else if (others > 0) {
      --others;
      shown.measurements.push_back(m);
    }
  }
  return shown;
}

/// What differs between the cells, as columns of a query about some of them.
std::string axis_columns(const Experiment& experiment, const Experiment& shown,
                         const Words& words) {
  std::string columns;
  for (const Axis& axis : axes_of(experiment.measurements)) {
    const bool is_there = std::ranges::any_of(shown.measurements, [&](const Measurement& m) {
      return !value_at(m.cell(), axis.path).is_null();
    });
    if (!is_there) continue;
    std::string name = axis.path.substr(1);
    std::replace(name.begin(), name.end(), '/', '_');
    const std::string unit = unit_of(axis.path);
    const bool has_parts = std::any_of(axis.values.begin(), axis.values.end(),
                                       [](const Json& value) { return value.is_number_float(); });
    columns += (has_parts ? "setting(cells.\"" : "(cells.\"") + name + "\") as \"" +
               short_name(axis.path) + (unit.empty() ? "" : " [" + unit + "]") + "\", ";
  }
  if (!experiment.measurements.front().step) return columns;
  return columns + "cells.inserted as \"" + words("column.inserted") + " [keys]\",";
}

/// The columns of `cells` of an experiment that measures no filter; what was set as it was set.
std::string counted_columns(const Experiment& experiment) {
  std::string columns;
  const Json set = experiment.observations.empty() ? Json() : experiment.observations.front().cell;
  for (const std::string& column : pages::columns_of(pages::add_cells, experiment)) {
    const auto found = set.find(column);
    const std::string name = "\"" + column + "\"";
    const bool has_parts = found != set.end() && found->is_number_float();
    columns += (columns.empty() ? "" : ", ") + (has_parts ? "setting(" + name + ")" : name) +
               " as " + name;
  }
  return columns.empty() ? "*" : columns;
}

/// The tables of the page templates/NAME.page.md, which sees of the experiment what is shown.
std::vector<Table> tables_of(const std::string& name, const Experiment& experiment,
                             const Experiment& shown, const Words& words) {
  constexpr std::string_view axes = "{{axes}}";
  constexpr std::string_view counted = "{{counted}}";
  const std::string all = std::to_string(experiment.measurements.size());
  const std::string file = "templates/" + name + ".page.md";
  std::istringstream in{std::string(template_called(file))};
  std::string text;
  for (std::string line; std::getline(in, line);) {
    if (const std::size_t at = line.find(axes); at != std::string::npos) {
      line.replace(at, axes.size(), axis_columns(experiment, shown, words));
    }
    replace_all(line, "{{measurements}}", all);
    if (const std::size_t at = line.find(counted); at != std::string::npos) {
      line.replace(at, counted.size(), counted_columns(experiment));
    }
    text.append(spoken(std::move(line), words)).append("\n");
  }
  const auto page = pages::parse_page(file, text, experiment.stem, pages::Divider::none);
  return pages::content_of(page, shown, {}, words).tables;
}

/// All measurements as a table, or as many as it has room for.
std::vector<Table> cells_tables(const Experiment& experiment, const Words& words) {
  if (experiment.measurements.size() <= most_shown) {
    return tables_of("cells", experiment, experiment, words);
  }
  return tables_of("cells", experiment, shown_part(experiment), words);
}

Content speeds_content(const Experiment& experiment, const Words& words) {
  const std::string name = "templates/speeds.page.md";
  const auto page =
      pages::parse_page(name, template_called(name), experiment.stem, pages::Divider::none);
  return pages::content_of(page, experiment, {}, words);
}

}  // namespace

std::uint64_t false_negatives(const Experiment& experiment) {
  std::uint64_t sum = 0;
  for (const Measurement& m : experiment.measurements) {
    sum += m.trials[Trials::false_negatives].sum();
  }
  return sum;
}

Content common_content(const Experiment& experiment, const Words& words, const Links& links) {
  Content content;
  if (experiment.measurements.empty()) {
    content.values = {
        {"title", markdown_escaped(words.of_data(experiment.title))},
        {"question", markdown_escaped(words.of_data(experiment.question))},
        {"size", plain_size_text(experiment, words) + failures_text(experiment, words)},
        {"data", results_link(experiment, links)}};
    return content;
  }
  content.values = {{"title", markdown_escaped(words.of_data(experiment.title))},
                    {"question", markdown_escaped(words.of_data(experiment.question))},
                    {"size", size_text(experiment, words)},
                    {"fixed", fixed_text(experiment)},
                    {"population", population_text(experiment, words)},
                    {"inserted_keys", inserted_keys_text(experiment, words)},
                    {"tests_line", tests_line(experiment, words)},
                    {"tests", tests_text(experiment, words) + failures_text(experiment, words)},
                    {"data", results_link(experiment, links)}};
  content.tables = cells_tables(experiment, words);
  if (experiment.flags.flagged.empty() && experiment.flags.unseen.empty()) return content;
  content.values["tests"].append("\n\n").append(
      markdown(tables_of("flags", experiment, experiment, words).front()));
  return content;
}

std::string times_text(const Experiment& experiment, const Words& words) {
  const std::vector<pages::NamedTable> tables = pages::tables_for(experiment);
  const auto is_there = [&](std::string_view name) {
    return std::any_of(tables.begin(), tables.end(),
                       [&](const pages::NamedTable& table) { return table.name == name; });
  };
  std::vector<Table> times;
  if (is_there("speeds")) {
    times = speeds_content(experiment, words).tables;
  } else {
    std::string columns;
    for (const std::string& column : pages::columns_of(pages::add_timings, experiment)) {
      if (!column.ends_with("_ns")) continue;
      columns += ", median(\"" + column + "\") / 1e6 as \"" + column.substr(0, column.size() - 3) +
                 " [ms]\"";
    }
    if (columns.empty()) return {};
    const std::string text = "```sql table times\n-- " + words("table.times.caption") +
                             "\nselect cell" + columns + " from timings group by cell\n```\n";
    const auto page = pages::parse_page("times", text, experiment.stem, pages::Divider::none);
    times = pages::content_of(page, experiment, {}, words).tables;
  }
  std::string text;
  for (const Table& table : times) {
    if (!table.rows.empty()) text.append(markdown(table)).append("\n");
  }
  return text;
}

std::string speeds_text(const Experiment& experiment) {
  Content content = speeds_content(experiment, Words("en"));
  for (const char* sentence : {"rates", "quiet"}) {
    std::string& text = content.values[sentence];
    text.erase(std::remove(text.begin(), text.end(), '\\'), text.end());  // bold is meant
  }
  std::string text;
  for (const Table& table : content.tables) {
    if (!table.rows.empty()) text.append(markdown(table)).append("\n");
  }
  return text.append(content.values["rates"]).append("\n").append(content.values["quiet"]);
}

Table counts_table(const Experiment& experiment, const Words& words) {
  return tables_of("counts", experiment, experiment, words).front();
}

std::string results_link(const Experiment& experiment, const Links& links) {
  std::string link = "[";
  link.append(markdown_escaped(experiment.file_name)).append("](").append(links.results);
  return link.append(link_text(experiment.file_name)).append(")");
}

}  // namespace bloomlab::analysis
