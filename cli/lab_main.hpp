// The laboratory in a program of one's own:
//     #include <bloomlab/lab_main.hpp>
//     int main(int argc, char** argv) { return bloomlab::lab_main<MyFilter>(argc, argv); }
// is the whole command line of bloomlab, with MyFilter in its catalogue; experiments/own_filter.hpp
// says what MyFilter must have. In CMake: find_package(bloomlab COMPONENTS lab), bloomlab::lab.
#pragma once

#include <array>

#include "cli/run_program.hpp"
#include "experiments/own_filter.hpp"

namespace bloomlab {

/// main() of a program that measures its own filters. @return its exit status
template <OwnFilter... Filters>
int lab_main(int argc, char** argv) {
  const std::array<OwnFilterType, sizeof...(Filters)> filters = {own_filter_type<Filters>()...};
  return cli::run_program(argc, argv, filters);
}

}  // namespace bloomlab
