// Seeded defects: a line for each, with the fewest keys and queries at which a test catches it, or
// why none does.
#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/exhibits/catalogue.hpp"
#include "analysis/exhibits/helpers.hpp"
#include "analysis/kinds/mutation_verdicts.hpp"
#include "analysis/format/number.hpp"
#include "statistics/thresholds.hpp"

namespace bloomlab::analysis {

namespace {

/// What is wrong with each defect, as keys of words: "mutant." and its name.
constexpr std::array<std::string_view, 43> described = {
    "mutant.multiply_shift_32_bits", "mutant.modulo_32_bits",      "mutant.modulo_one_less",
    "mutant.mask_of_any_size",       "mutant.clamped_remainder",   "mutant.size_in_16_bits",
    "mutant.single_precision",       "mutant.shift_in_32_bits",    "mutant.equal_seeds",
    "mutant.seed_added_last",        "mutant.first_probe_twice",   "mutant.digest_of_32_bits",
    "mutant.turned_digest",          "mutant.text_keys",           "mutant.seed_ignored",
    "mutant.even_strides",           "mutant.any_stride",          "mutant.stride_equals_offset",
    "mutant.insert_probe_missing",   "mutant.insert_probe_extra",  "mutant.query_probe_missing",
    "mutant.last_probe_inverted",    "mutant.last_probe_decides",  "mutant.lost_key_in_1000",
    "mutant.lost_key_in_1000000",    "mutant.batch_end_lost",      "mutant.batch_begin_twice",
    "mutant.stale_digest",           "mutant.lost_update",         "mutant.inverted_answer",
    "mutant.last_word_lost",         "mutant.popcount_of_32_bits", "mutant.last_word_kept",
    "mutant.cleared_too_few",        "mutant.block_bits_shared",   "mutant.block_half_used",
    "mutant.block_index_of_16_bits", "mutant.last_block_lost",     "mutant.equal_salts",
    "mutant.overlapping_slices",     "mutant.boundary_key_lost",   "mutant.wrapped_counter",
    "mutant.lowered_full_counter",
};

std::string what_is_wrong(const std::string& defect, const Words& words) {
  const std::string key = "mutant." + defect;
  const bool known = std::find(described.begin(), described.end(), key) != described.end();
  return known ? words(key) : "–";
}

bool is_defect(const MutantVerdict& verdict) { return !verdict.is_control; }

bool is_caught(const MutantVerdict& verdict) { return verdict.first_catch() != nullptr; }

/// Every kind of test that catches it anywhere: "false negatives, set bits".
std::string all_catches(const MutantVerdict& verdict, const Words& words) {
  std::set<MutantTestKind> kinds;
  for (const MutantTest& test : verdict.tests) {
    if (test.caught) kinds.insert(test.kind);
  }
  std::string text;
  for (const MutantTestKind kind : kinds) {
    text.append(text.empty() ? "" : ", ").append(words(word_key(kind)));
  }
  return text;
}

std::string effect_text(const MutantTest& test) {
  return test.kind == MutantTestKind::false_negatives ? percent(test.effect, 2)
                                                      : signed_percent(test.effect);
}

std::string why_not(const MutantVerdict& verdict, const Words& words) {
  if (verdict.equals_control) return words("mutants.equal");
  const MutantTest* const closest = verdict.closest();
  if (closest == nullptr) return words("mutants.no_test");
  return words("mutants.too_small", {{"test", words(word_key(closest->kind))},
                                     {"effect", signed_percent(closest->effect)},
                                     {"detectable", percent(closest->detectable, 2)},
                                     {"keys", grouped(closest->n)},
                                     {"power", percent(statistics::thresholds::power, 2)}});
}

Table mutants_table(const std::vector<MutantVerdict>& verdicts, const Words& words) {
  Table table{.name = "mutants",
              .caption = words("table.mutants.caption"),
              .columns = {{"defect", words("column.defect")},
                          {"wrong", words("column.wrong")},
                          {"filter", "filter"},
                          {"keys", words("column.caught_keys")},
                          {"strangers", words("column.caught_strangers")},
                          {"test", words("column.caught_by")},
                          {"effect", words("column.caught_effect")},
                          {"strangers_largest", words("column.caught_at_largest")},
                          {"all_tests", words("column.caught_anywhere")}},
              .rows = {}};
  for (const MutantVerdict& verdict : verdicts) {
    if (verdict.is_control) continue;
    std::vector<Entry> row = {word_entry(verdict.defect),
                              word_entry(what_is_wrong(verdict.defect, words)),
                              word_entry(verdict.filter)};
    if (const MutantTest* first = verdict.first_catch()) {
      const MutantTest* const largest = verdict.catch_at_largest();
      row.insert(row.end(), {count_entry(first->n), count_entry(first->queries),
                             word_entry(words(word_key(first->kind))),
                             Entry{.text = effect_text(*first), .value = first->effect},
                             largest == nullptr ? no_entry() : count_entry(largest->queries),
                             word_entry(all_catches(verdict, words))});
    } else {
      row.insert(row.end(), 5, no_entry());
      row.push_back(
          {.text = why_not(verdict, words), .value = why_not(verdict, words), .marked = true});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table controls_table(const std::vector<MutantVerdict>& verdicts, const Words& words) {
  Table table{.name = "controls",
              .caption = words("table.mutant_controls.caption"),
              .columns = {{"control", words("column.control")},
                          {"filter", "filter"},
                          {"tests", words("column.control_tests")},
                          {"flags", words("column.control_flags")},
                          {"smallest_p", words("column.smallest_p")}},
              .rows = {}};
  for (const MutantVerdict& verdict : verdicts) {
    if (is_defect(verdict)) continue;
    double smallest = 1;
    std::uint64_t flags = 0;
    for (const MutantTest& test : verdict.tests) {
      smallest = std::min(smallest, test.p_value);
      if (test.caught) ++flags;
    }
    Entry flagged = count_entry(flags);
    flagged.marked = flags > 0;
    table.rows.push_back({word_entry(verdict.defect), word_entry(verdict.filter),
                          count_entry(verdict.tests.size()), flagged, p_value_entry(smallest)});
  }
  return table;
}

/// The sentence's numbers.
Tags summary_of(const std::vector<MutantVerdict>& verdicts, const Words& words) {
  std::uint64_t defects = 0;
  std::uint64_t caught = 0;
  std::uint64_t tests = 0;
  std::uint64_t control_tests = 0;
  std::uint64_t control_flags = 0;
  std::vector<std::string> missed;
  for (const MutantVerdict& verdict : verdicts) {
    tests += static_cast<std::uint64_t>(std::count_if(
        verdict.tests.begin(), verdict.tests.end(),
        [](const MutantTest& test) { return test.kind != MutantTestKind::false_negatives; }));
    if (is_defect(verdict)) {
      ++defects;
      if (is_caught(verdict)) {
        ++caught;
      } else {
        missed.push_back(markdown_escaped(verdict.defect));
      }
    } else {
      control_tests += verdict.tests.size();
      control_flags += static_cast<std::uint64_t>(
          std::count_if(verdict.tests.begin(), verdict.tests.end(),
                        [](const MutantTest& test) { return test.caught; }));
    }
  }
  return {{"defects", grouped(defects)},
          {"caught", grouped(caught)},
          {"not_caught", first_of(missed, 6, words)},
          {"mutant_tests", grouped(tests)},
          {"control_tests", grouped(control_tests)},
          {"control_flags", grouped(control_flags)},
          {"alpha", parameter_text(statistics::thresholds::family_alpha)}};
}

}  // namespace

Content mutation_matrix_exhibit(const Experiment& experiment, const Words& words) {
  const auto verdicts = judge_mutants(experiment.observations, experiment.file_name);
  return {.values = summary_of(verdicts, words),
          .tables = {mutants_table(verdicts, words), controls_table(verdicts, words)}};
}

}  // namespace bloomlab::analysis
