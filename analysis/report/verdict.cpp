#include "analysis/report/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "analysis/data/with_statistics.hpp"
#include "analysis/data/with_theory.hpp"
#include "analysis/kinds/speed_rows.hpp"
#include "analysis/report/section.hpp"
#include "analysis/tables/table.hpp"
#include "record/expected_model.hpp"
#include "record/number_text.hpp"
#include "statistics/test.hpp"

namespace bloomlab::analysis {
namespace {

bool is_letter(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

/// "my_filter" of "build/libmy_filter.so" and "my_filter.py".
std::string stem_of(const std::string& path) {
  std::string stem = std::filesystem::path(path).stem().string();
  if (path.ends_with(".so") && stem.starts_with("lib")) stem.erase(0, 3);
  return stem;
}

/// Of a command the first argument that is a name, as an interpreter takes it, else the program.
std::string name_of_command(const Json& command) {
  for (std::size_t i = 1; i < command.size(); ++i) {
    const auto& word = command[i].get_ref<const std::string&>();
    if (!word.empty() && is_letter(word.front())) return stem_of(word);
  }
  return stem_of(command.at(0).get<std::string>());
}

/// What of the cell is from outside: its filter, or the implementation that it times; null where
/// nothing is.
const Json* outside_part(const Json& cell) {
  if (cell.contains("filter")) return is_from_outside(cell) ? &cell.at("filter") : nullptr;
  const std::string kind = word_at(cell, "/implementation");
  return (kind == "library" || kind == "command") && cell.contains(kind) ? &cell.at(kind) : nullptr;
}

std::string name_of_filter(const Json& filter) {
  if (filter.contains("path")) return stem_of(filter.at("path").get<std::string>());
  if (filter.contains("line")) return filter.at("line").get<std::string>();
  if (filter.contains("command")) return name_of_command(filter.at("command"));
  return filter.value("kind", "");
}

/// What is executed or compiled in: the same filter whatever size it is given.
std::string identity_of(const Json& filter) {
  Json identity = Json::array();
  for (const char* key : {"kind", "path", "line", "command"})
    identity.push_back(filter.value(key, Json()));
  return identity.dump();
}

/// Measurements of one filter from outside.
using Rates = std::vector<const Measurement*>;

/// Whether the hits would be no surprise if the closed form had k hash functions.
bool fits_with(const Measurement& m, std::uint64_t k) {
  // Below this a rate does not fit: once in ten thousand rates of a right filter.
  constexpr double least_p = 1e-4;
  // What a filter's own hash functions may add to the spread of its rate, in parts of it.
  constexpr double hash_spread = 0.02;
  Json expected = m.cell().at("filter").at("expected");
  expected["k"] = k;
  const theory::Evaluation form = evaluated(record::expected_query(expected, m.inserted()));
  const double rate = form.number();
  if (!(rate >= 0 && rate <= 1)) return false;
  const double known = form.number("sd_conditional_fpr");
  const double sd = std::max(std::isnan(known) ? 0.0 : known, hash_spread * rate);
  const statistics::RateLaw law{rate, std::min(sd * sd, rate * (1 - rate))};
  const auto test = statistics::test_ensemble_rate(
      m.estimate->hits, {static_cast<std::uint64_t>(m.trials.size()), m.trials.queries()[0]}, law);
  return test.p_value >= least_p;
}

/// The one number of hash functions with which all rates of filters that do not grow fit; nothing
/// where none or several do.
std::optional<std::uint64_t> other_k_of(const Rates& rates) {
  constexpr std::uint64_t most_k = 32;
  std::optional<std::uint64_t> found;
  Rates plain;
  for (const Measurement* m : rates) {
    const bool is_plain = m->prediction && m->prediction->model == "standard_exact";
    if (is_plain && m->asked_equally()) plain.push_back(m);
  }
  if (plain.empty()) return std::nullopt;
  for (std::uint64_t k = 1; k <= most_k; ++k) {
    const bool all = std::all_of(plain.begin(), plain.end(),
                                 [&](const Measurement* m) { return fits_with(*m, k); });
    if (!all) continue;
    if (found) return std::nullopt;
    found = k;
  }
  return found;
}

/// Filters by what they are, in the order of their first cells.
class Gatherer {
 public:
  void add(const Experiment& experiment) {
    std::map<std::string, bool> failed;  // cell -> whether all of its trials have
    std::vector<record::Observation> firsts;
    for (const record::Observation& observation : experiment.observations) {
      if (outside_part(observation.cell) == nullptr) continue;
      const auto [entry, is_new] = failed.try_emplace(observation.cell.dump(), true);
      entry->second = entry->second && has_failed(observation);
      if (is_new) firsts.push_back(observation);
    }
    for (const record::Observation& first : firsts) {
      OutsideFilter& filter = filter_of(first.cell);
      ++filter.cells;
      if (!failed.at(first.cell.dump())) continue;
      if (filter.failed++ == 0) filter.reason = reason_of(first);
    }
    for (const Measurement& m : experiment.measurements) {
      if (is_from_outside(m.cell())) add_rate(m);
    }
  }

  [[nodiscard]] std::vector<OutsideFilter> take() {
    for (std::size_t i = 0; i < filters_.size(); ++i) {
      if (filters_[i].off != 0) filters_[i].other_k = other_k_of(rates_[i]);
    }
    return std::move(filters_);
  }

  static std::string reason_of(const record::Observation& observation) {
    return observation.measured.value("reason", observation.measured.value("status", ""));
  }

 private:
  std::size_t place_of(const Json& cell) {
    const Json& filter = *outside_part(cell);
    const auto [entry, is_new] = places_.try_emplace(identity_of(filter), filters_.size());
    if (is_new) {
      filters_.emplace_back().name = name_of_filter(filter);
      rates_.emplace_back();
    }
    return entry->second;
  }
  OutsideFilter& filter_of(const Json& cell) { return filters_[place_of(cell)]; }

  void add_rate(const Measurement& m) {
    const std::size_t place = place_of(m.cell());
    OutsideFilter& filter = filters_[place];
    ++filter.rates;
    const auto& test = m.estimate->rate_test;
    if (!test) return;
    ++filter.tested;
    filter.off += test->flagged ? 1 : 0;
    rates_[place].push_back(&m);
  }

  std::map<std::string, std::size_t> places_;
  std::vector<OutsideFilter> filters_;
  std::vector<Rates> rates_;
};

/// One sentence each: what has no result, what does not fit, what was not tested.
std::string sentences_on(const OutsideFilter& filter, const Words& words) {
  const std::string name = markdown_escaped(filter.name);
  std::string text;
  const auto say = [&](const char* key, const Tags& tags) {
    text.append(text.empty() ? "" : " ").append(words(key, tags));
  };
  if (filter.failed != 0) {
    say("outside.failed", {{"name", name},
                           {"failed", grouped(filter.failed)},
                           {"cells", grouped(filter.cells)},
                           {"reason", markdown_escaped(filter.reason)}});
  }
  Tags tags = {{"name", name}, {"tested", grouped(filter.tested)}};
  if (filter.tested != 0 && filter.off == 0) say("outside.fits", tags);
  tags["off"] = grouped(filter.off);
  if (filter.other_k) tags["k"] = std::to_string(*filter.other_k);
  if (filter.off != 0) say(filter.other_k ? "outside.off_k" : "outside.off", tags);
  const std::string untested = grouped(filter.rates - filter.tested);
  if (filter.tested == 0 && filter.rates != 0) {
    say("outside.untested", {{"name", name}, {"count", untested}});
  } else if (filter.tested < filter.rates) {
    say("outside.some_untested", {{"count", untested}});
  }
  return text;
}

/// Many filters, as of a survey, in one sentence.
std::string summary_of(std::span<const OutsideFilter> filters, const Words& words) {
  const auto count = [&](auto&& has) {
    return grouped(static_cast<std::uint64_t>(std::count_if(filters.begin(), filters.end(), has)));
  };
  const auto is_tested = [](const OutsideFilter& filter) { return filter.tested != 0; };
  Tags tags = {{"filters", grouped(filters.size())},
               {"failed", count([](const OutsideFilter& filter) { return filter.failed != 0; })}};
  if (std::none_of(filters.begin(), filters.end(), is_tested)) {
    return words("outside.many_untested", tags);
  }
  tags["tested"] = count(is_tested);
  tags["off"] = count([](const OutsideFilter& filter) { return filter.off != 0; });
  return words("outside.many", tags);
}

/// More filters from outside are a survey: its summary comes after the tests of ours.
constexpr std::size_t most_named = 4;

std::string outside_text(std::span<const OutsideFilter> filters, const Words& words) {
  std::string text;
  if (filters.size() > most_named) return text;
  for (const OutsideFilter& filter : filters) {
    text.append(text.empty() ? "" : " ").append(sentences_on(filter, words));
  }
  return text;
}

std::string tally_text(const Tally& tally, const Words& words) {
  Tags tags;
  if (tally.tests != 0) tags["tests"] = grouped(tally.tests);
  if (tally.flags() != 0) tags["flags"] = grouped(tally.flags());
  if (tally.unexpected != tally.flags()) {
    tags["predicted"] = grouped(tally.predicted);
    tags["possible"] = grouped(tally.possible);
    tags["unexpected"] = grouped(tally.unexpected);
  }
  return words(tally.sentence(), tags);
}

/// The cell by what distinguishes it from the others, and its step.
std::string place_of(const Experiment& experiment, const Json& cell,
                     const std::optional<std::uint64_t>& step, const Words& words) {
  const std::vector<Axis> axes = distinguishing_axes(experiment.measurements);
  const std::string label = label_of(cell, axes);
  const std::string place = label.empty() ? words("fault.cell") : label;
  return step ? words("fault.step", {{"place", place}, {"step", std::to_string(*step)}}) : place;
}

/// Cells whose filter gave no result in any trial.
std::vector<std::string> failures_of(const Experiment& experiment, const Words& words) {
  std::vector<std::string> faults;
  for (const OutsideFilter& filter : outside_filters({&experiment, 1})) {
    if (filter.failed == 0) continue;
    faults.push_back(words("fault.failed", {{"stem", experiment.stem},
                                            {"name", filter.name},
                                            {"failed", grouped(filter.failed)},
                                            {"cells", grouped(filter.cells)},
                                            {"reason", filter.reason}}));
  }
  return faults;
}

}  // namespace

std::vector<OutsideFilter> outside_filters(std::span<const Experiment> experiments) {
  Gatherer gatherer;
  for (const Experiment& experiment : experiments) gatherer.add(experiment);
  return gatherer.take();
}

std::vector<std::string> faults_of(const Experiment& experiment, const Words& words) {
  std::vector<std::string> faults = failures_of(experiment, words);
  for (const FlaggedCell& flag : experiment.flags.flagged) {
    if (flag.expected) continue;
    faults.push_back(
        words("fault.flag", {{"stem", experiment.stem},
                             {"test", std::string(flag.test.name)},
                             {"place", place_of(experiment, flag.cell, flag.step, words)},
                             {"z", fixed(flag.test.z, 1)},
                             {"p", p_value_phrase(flag.test.adjusted_p)}}));
  }
  for (const ExpectedFlag& entry : experiment.flags.unseen) {
    faults.push_back(
        words("fault.unseen", {{"stem", experiment.stem},
                               {"test", entry.test},
                               {"place", place_of(experiment, entry.cell, std::nullopt, words)}}));
  }
  if (const std::uint64_t lost = false_negatives(experiment); lost > 0) {
    faults.push_back(
        words("fault.lost", {{"stem", experiment.stem}, {"count", std::to_string(lost)}}));
  }
  for (std::string& fault : speed_faults(experiment)) faults.push_back(std::move(fault));
  return faults;
}

std::string verdict_text(std::span<const Experiment> experiments,
                         std::span<const std::string> faults, const Words& words) {
  const std::vector<OutsideFilter> filters = outside_filters(experiments);
  std::string text = outside_text(filters, words);
  const Tally tally = tally_of(experiments);
  if (text.empty()) {
    text = tally_text(tally, words);
    if (!filters.empty()) text.append(" ").append(summary_of(filters, words));
  } else if (tally.tests != 0) {
    text.append(" ").append(words("verdict.beside", {{"verdict", tally_text(tally, words)}}));
  }
  if (faults.empty()) return text;
  text.append(" ").append(words("verdict.faults", {{"count", grouped(faults.size())}}));
  text.append("\n");
  for (const std::string& fault : faults) text.append("\n- ").append(markdown_escaped(fault));
  return text;
}

}  // namespace bloomlab::analysis
