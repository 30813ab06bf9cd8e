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

constexpr std::array<std::string_view, 3> entry_keys = {"cell", "test", "reason"};
constexpr std::array<std::string_view, 2> test_names = {"rate", "fill"};

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

}  // namespace

std::vector<ExpectedFlag> expected_flags(const Json& config, const std::string& where) {
  std::vector<ExpectedFlag> expected;
  const auto entries = config.find("expected_flags");
  if (entries == config.end()) return expected;
  const record::Origin origin{where};
  const record::JsonView list(*entries, origin, "/config/expected_flags");
  for (const record::JsonView& entry : list.elements("expected_flags")) {
    const record::ObjectReader reader(entry, "an expected flag", entry_keys);
    expected.push_back(
        {.cell = reader.at("cell", "the cells that contain this").json(),
         .test = std::string(reader.at("test", "name of the test").word("test", test_names)),
         .reason = reader.at("reason", "why it is expected").text({"reason", "why"})});
  }
  return expected;
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
    const bool seen =
        std::any_of(check.flagged.begin(), check.flagged.end(),
                    [&](const FlaggedCell& flag) { return fits(entry, flag.cell, flag.test); });
    if (!seen) check.unseen.push_back(entry);
  }
  return check;
}

std::vector<FlaggedCell> flags(const record::ResultFile& file) {
  const std::string where = "results";
  const auto measurements = with_statistics(with_theory(tabulate(file, where), where));
  return check_flags(measurements, expected_flags(file.config, where)).flagged;
}

}  // namespace bloomlab::analysis
