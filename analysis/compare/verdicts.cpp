#include "analysis/compare/verdicts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "analysis/claims/book.hpp"
#include "analysis/compare/comparison.hpp"
#include "analysis/data/with_theory.hpp"
#include "core/parallel/for_each_index.hpp"
#include "record/fields_json.hpp"
#include "record/input_error.hpp"
#include "record/json_view.hpp"
#include "record/sha256.hpp"
#include "record/strict_json.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis::compare {

namespace {

constexpr const char* format_name = "bloomlab-replication-1";

std::optional<std::uint64_t> seed_of(const Json& config) {
  const auto seed = config.find("seed");
  return seed == config.end() ? std::nullopt : as_count(*seed);
}

/// Whether the first file is the one that `run` measures; not one that another program wrote.
bool is_drawn(const ResultSet& set) {
  return seed_of(set.file.config).has_value() && !set.file.provenance.contains("peers");
}

/// What a draw has in common with another: all that decides what is drawn, but for the seed.
Json common_part(Json config) {
  for (const char* key : {"seed", "title", "question", "expected_flags"}) config.erase(key);
  return record::without_page(std::move(config));
}

void require_draw(const ResultSet& first, const ResultSet& second, std::uint64_t draw) {
  const std::uint64_t seed = *seed_of(first.file.config);
  const auto drawn = seed_of(second.file.config);
  if (common_part(first.file.config) != common_part(second.file.config)) {
    throw record::InputError(second.place() + ": /config: is not that of " + first.place() +
                             " but for the seed; measure both with one config");
  }
  if (drawn == replicated_seed(draw, seed)) return;
  throw record::InputError(
      second.place() + ": /config/seed: found " + (drawn ? std::to_string(*drawn) : "none") +
      ", allowed: " + std::to_string(replicated_seed(draw, seed)) + ", draw " +
      std::to_string(draw) + " of " + first.place() +
      "; measure it with `bloomlab run --replicate " + std::to_string(draw) + "`");
}

/// Keeps the results of the configs that both draws have, in one order.
void keep_common(std::vector<ResultSet>& first, std::vector<ResultSet>& second,
                 std::uint64_t draw) {
  const auto named = [](const std::vector<ResultSet>& sets, const std::string& stem) {
    return std::find_if(sets.begin(), sets.end(),
                        [&](const ResultSet& set) { return set.stem == stem; });
  };
  std::erase_if(first, [&](const ResultSet& set) {
    return named(second, set.stem) == second.end() || !is_drawn(set);
  });
  std::erase_if(second,
                [&](const ResultSet& set) { return named(first, set.stem) == first.end(); });
  for (const ResultSet& set : first) require_draw(set, *named(second, set.stem), draw);
}

std::vector<Experiment> analysed(std::vector<ResultSet> sets) {
  std::vector<std::optional<Experiment>> experiments(sets.size());
  for_each_index(sets.size(), [&](std::size_t i) { experiments[i] = analyse(std::move(sets[i])); });
  std::vector<Experiment> all;
  for (auto& experiment : experiments) all.push_back(std::move(*experiment));
  return all;
}

/// Flags of a draw by their places. Those of filters from outside are their authors' matter.
using Flags = std::map<std::string, const FlaggedCell*>;

Flags flags_of(std::span<const Experiment> experiments) {
  Flags flags;
  for (const Experiment& experiment : experiments) {
    for (const FlaggedCell& flag : experiment.flags.flagged) {
      if (is_from_outside(flag.cell)) continue;
      std::string place =
          experiment.stem + " " + flag.cell.dump() + " " + std::string(flag.test.name);
      if (flag.step) place.append(" ").append(std::to_string(*flag.step));
      flags.emplace(std::move(place), &flag);
    }
  }
  return flags;
}

void add_flags(std::span<const Experiment> first, std::span<const Experiment> second,
               Verdicts& verdicts) {
  const auto sort_of = [&](const FlaggedCell& flag) -> Deviations& {
    if (!flag.expected) return verdicts.unexpected;
    return flag.expected->certain ? verdicts.predicted : verdicts.possible;
  };
  const Flags before = flags_of(first);
  const Flags after = flags_of(second);
  for (const auto& [place, flag] : before) {
    ++(after.contains(place) ? sort_of(*flag).both : sort_of(*flag).first_only);
  }
  for (const auto& [place, flag] : after) {
    if (!before.contains(place)) ++sort_of(*flag).second_only;
  }
}

/// Whether the claim was judged by results.
bool rests_on_results(const claims::JudgedClaim& claim) {
  return claim.kind == "experiment" && claim.finding.verdict != claims::Verdict::not_measured;
}

void add_claims(std::span<const claims::Book> books, std::span<const Experiment> first,
                std::span<const Experiment> second, Verdicts& verdicts) {
  const auto before = claims::judge_books(books, claims::Results(first));
  const auto after = claims::judge_books(books, claims::Results(second));
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!rests_on_results(before[i]) || !rests_on_results(after[i])) continue;
    ++verdicts.claims;
    const auto was = claims::name_of(before[i].finding.verdict);
    const auto is = claims::name_of(after[i].finding.verdict);
    if (was == is) {
      ++verdicts.claims_same;
    } else {
      verdicts.changed.push_back({before[i].text.id, std::string(was), std::string(is)});
    }
  }
}

void add_rates(const std::vector<ResultSet>& first, const std::vector<ResultSet>& second,
               Verdicts& verdicts) {
  const Pairing pairing = pair_up(first, second);
  const Comparison comparison = compare_pairs(pairing);
  verdicts.rates = comparison.rates.size();
  verdicts.rates_off = comparison.changed_rates();
}

/// Reads whole numbers by their names.
class CountReader {
 public:
  explicit CountReader(const record::ObjectReader& reader) : reader_(reader) {}

  [[nodiscard]] std::uint64_t operator()(std::string_view name) const {
    return reader_.at(name, "a count")
        .integer({.name = name,
                  .unit = "",
                  .meaning = "",
                  .min = 0,
                  .max = std::numeric_limits<std::uint64_t>::max()});
  }

 private:
  const record::ObjectReader& reader_;
};

Deviations read_deviations(const record::JsonView& view) {
  constexpr std::array<std::string_view, 3> keys = {"both", "first_only", "second_only"};
  const record::ObjectReader reader(view, "deviations", keys);
  const CountReader count(reader);
  return {count("both"), count("first_only"), count("second_only")};
}

ChangedClaim read_changed(const record::JsonView& view) {
  constexpr std::array<std::string_view, 3> keys = {"id", "first", "second"};
  const record::ObjectReader reader(view, "a changed claim", keys);
  const auto text = [&](std::string_view key) {
    return reader.at(key, "a text").text({.name = key, .meaning = "a text"});
  };
  return {text("id"), text("first"), text("second")};
}

}  // namespace

std::uint64_t replicated_seed(std::uint64_t draw, std::uint64_t config_seed) {
  return record::sha256_number("bloomlab-replication-1\n" + std::to_string(draw) + "\n" +
                               std::to_string(config_seed));
}

Verdicts hold_side_by_side(std::vector<ResultSet> first, std::vector<ResultSet> second,
                           std::span<const claims::Book> books, std::uint64_t draw) {
  keep_common(first, second, draw);
  if (first.empty()) {
    throw record::InputError(
        "no result of one name that `bloomlab run` measured is in both folders");
  }
  Verdicts verdicts;
  verdicts.seed = draw;
  verdicts.configs = first.size();
  add_rates(first, second, verdicts);
  const std::vector<Experiment> before = analysed(std::move(first));
  const std::vector<Experiment> after = analysed(std::move(second));
  for (const Experiment& experiment : before) {
    verdicts.tests += experiment.flags.tests;
    if (experiment.flags.tests != 0) {
      verdicts.chance += statistics::thresholds::family_alpha.value;
    }
  }
  add_flags(before, after, verdicts);
  add_claims(books, before, after, verdicts);
  return verdicts;
}

record::Json verdicts_json(const Verdicts& verdicts) {
  record::Json json = {{"format", format_name}};
  json.update(record::json_of(verdicts));
  return json;
}

Verdicts read_verdicts(std::string_view text, const std::string& file) {
  constexpr std::array<std::string_view, 13> keys = {
      "format",      "seed",    "configs",   "tests",    "rates",      "rates_off", "claims",
      "claims_same", "changed", "predicted", "possible", "unexpected", "chance"};
  const record::Json json = record::parse_json(text, file);
  const record::Origin origin{file};
  const record::ObjectReader reader({json, origin}, "the comparison of two draws", keys);
  constexpr std::array<std::string_view, 1> formats = {format_name};
  static_cast<void>(reader.at("format", "name of the format").word("format", formats));
  const CountReader count(reader);
  Verdicts verdicts{.seed = count("seed"),
                    .configs = count("configs"),
                    .tests = count("tests"),
                    .rates = count("rates"),
                    .rates_off = count("rates_off"),
                    .claims = count("claims"),
                    .claims_same = count("claims_same")};
  for (const auto& one : reader.at("changed", "claims judged otherwise").elements("a list")) {
    verdicts.changed.push_back(read_changed(one));
  }
  verdicts.predicted = read_deviations(reader.at("predicted", "deviations"));
  verdicts.possible = read_deviations(reader.at("possible", "deviations"));
  verdicts.unexpected = read_deviations(reader.at("unexpected", "deviations"));
  verdicts.chance = reader.at("chance", "configs that chance alone lets deviate")
                        .real({.name = "chance", .unit = "", .meaning = "", .min = 0, .max = 1e6});
  return verdicts;
}

}  // namespace bloomlab::analysis::compare
