#include <algorithm>
#include <array>
#include <string_view>

#include "analysis/data/tabulate.hpp"
#include "analysis/data/with_statistics.hpp"
#include "analysis/data/with_theory.hpp"
#include "record/json_view.hpp"
#include "record/partial_match.hpp"

namespace bloomlab::analysis {

namespace {

bool fits(const ExpectedFlag& entry, const Json& cell, const Test& test) {
  return entry.test == test.name && record::matches(entry.cell, cell);
}

std::optional<ExpectedFlag> expecting(const std::vector<ExpectedFlag>& expected, const Json& cell,
                                      const Test& test) {
  const auto found = std::find_if(expected.begin(), expected.end(), [&](const ExpectedFlag& entry) {
    return fits(entry, cell, test);
  });
  return found == expected.end() ? std::nullopt : std::optional(*found);
}

/// The cells that an entry expects to be flagged (at any step), and that are not.
std::vector<ExpectedFlag> not_flagged(const ExpectedFlag& entry,
                                      const std::vector<Measurement>& measurements,
                                      const std::vector<FlaggedCell>& flagged) {
  std::vector<ExpectedFlag> missed;
  for (const Measurement& measurement : measurements) {
    if (!record::matches(entry.cell, measurement.cell)) continue;
    if (!missed.empty() && missed.back().cell == measurement.cell) continue;
    const bool seen = std::any_of(flagged.begin(), flagged.end(), [&](const FlaggedCell& flag) {
      return flag.cell == measurement.cell && flag.test.name == entry.test;
    });
    if (!seen) missed.push_back({measurement.cell, entry.test, entry.reason, entry.certain});
  }
  return missed;
}

}  // namespace

std::vector<ExpectedFlag> expected_flags(const Json& config, const std::string& where) {
  const Json entries = {{"expected_flags", config.contains("expected_flags")
                                               ? config.at("expected_flags")
                                               : Json::array()}};
  static constexpr std::array<std::string_view, 1> known = {"expected_flags"};
  const record::Origin origin{where};
  return record::read_expected_flags(
      record::ObjectReader(record::JsonView(entries, origin, "/config"), "a config", known));
}

FlagCheck check_flags(const std::vector<Measurement>& measurements,
                      const std::vector<ExpectedFlag>& expected) {
  FlagCheck check;
  for (const Measurement& measurement : measurements) {
    for (const auto* test : {&measurement.estimate->rate_test, &measurement.estimate->fill_test}) {
      if (!*test) continue;
      ++check.tests;
      if (!(*test)->flagged) continue;
      check.flagged.push_back({.cell = measurement.cell,
                               .step = measurement.step,
                               .test = **test,
                               .expected = expecting(expected, measurement.cell, **test)});
    }
  }
  for (const ExpectedFlag& entry : expected) {
    if (!entry.certain) continue;
    for (ExpectedFlag& missed : not_flagged(entry, measurements, check.flagged)) {
      check.unseen.push_back(std::move(missed));
    }
  }
  return check;
}

std::vector<FlaggedCell> flags(const record::ResultFile& file, const std::string& where) {
  const auto measurements = with_statistics(with_theory(tabulate(file, where), where));
  return check_flags(measurements, expected_flags(file.config, where)).flagged;
}

}  // namespace bloomlab::analysis
