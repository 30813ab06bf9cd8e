#include "analysis/kinds/mutation_verdicts.hpp"
#include "analysis/pages/database.hpp"
#include "analysis/pages/derived/derivations.hpp"

namespace bloomlab::analysis::pages {

namespace {

const char* name_of(MutantTestKind kind) {
  switch (kind) {
    case MutantTestKind::false_negatives:
      return "false negatives";
    case MutantTestKind::set_bits:
      return "set bits";
    case MutantTestKind::rate:
      return "hits";
    case MutantTestKind::own_rate:
      break;
  }
  return "hits by fill";
}

}  // namespace

Relation mutants_of(const Experiment& experiment) {
  RowBuilder rows;
  for (const MutantVerdict& verdict :
       judge_mutants(experiment.observations, experiment.file_name)) {
    for (const MutantTest& test : verdict.tests) {
      rows.begin_row();
      rows.set("defect", verdict.defect);
      rows.set("filter", verdict.filter);
      rows.set("is_control", std::int64_t{verdict.is_control ? 1 : 0});
      rows.set("equals_control", std::int64_t{verdict.equals_control ? 1 : 0});
      rows.set("test", name_of(test.kind));
      rows.set("n", signed_of(test.n));
      rows.set("queries", signed_of(test.queries));
      rows.set_number("effect", test.effect);
      rows.set_number("p", test.p_value);
      rows.set("caught", std::int64_t{test.caught ? 1 : 0});
      rows.set_number("detectable", test.detectable);
    }
  }
  return rows.take();
}

}  // namespace bloomlab::analysis::pages
