#include "analysis/claims/checks.hpp"

#include <array>

namespace bloomlab::analysis::claims {
namespace {

template <class... Kinds>
constexpr std::array<CheckKind, sizeof...(Kinds)> kinds_of() {
  return {CheckKind{Kinds::name, Kinds::summary, &Kinds::read}...};
}

}  // namespace

std::span<const CheckKind> check_kinds() {
  static constexpr auto all = kinds_of<Arithmetic, ClosedForm, PrintedTable, ExperimentCheck,
                                       PropertyCheck, OpenCheck, ListedCheck>();
  return all;
}

}  // namespace bloomlab::analysis::claims
