#include "cli/not_isolated.hpp"

#include <algorithm>
#include <iostream>
#include <mutex>
#include <string>

#include "cli/one_line.hpp"
#include "cli/progress_printer.hpp"
#include "experiments/foreign_cell.hpp"
#include "foreign/child.hpp"

namespace bloomlab::cli {

void say_not_isolated() {
  static std::once_flag said;
  std::call_once(said, [] {
    const std::string& why = foreign::why_not_isolated();
    if (why.empty()) return;
    const std::scoped_lock lock(terminal_mutex());
    std::cerr << "not isolated: " << one_line(why)
              << "; filters may read and write what you may (docs/foreign_filters.md)\n";
  });
}

void say_not_isolated(const experiments::Config& config) {
  const auto is_started = [](const experiments::Cell& cell) {
    const auto target = experiments::executed_by(cell);
    return target && (experiments::is_foreign(cell.filter) || target->library.empty());
  };
  if (std::ranges::any_of(config.cells, is_started)) say_not_isolated();
}

}  // namespace bloomlab::cli
