// The laboratory in a program of one's own:
//     #include <bloomlab/lab_main.hpp>
//     int main(int argc, char** argv) { return bloomlab::lab_main<MyFilter, MyHash>(argc, argv); }
// is the whole command line of bloomlab, with MyFilter and MyHash in its catalogue;
// experiments/own_filter.hpp and own_hash.hpp say what they must have. Any number of either.
// In CMake: find_package(bloomlab COMPONENTS lab), bloomlab::lab.
#pragma once

#include <type_traits>
#include <vector>

#include "cli/run_program.hpp"
#include "experiments/own_filter.hpp"
#include "experiments/own_hash.hpp"

namespace bloomlab {

/// main() of a program that measures its own filters and hash functions. @return its exit status
template <class... Own>
requires((OwnFilter<Own> || OwnHash<Own>)&&...) int lab_main(int argc, char** argv) {
  std::vector<OwnFilterType> filters;
  std::vector<HashOperations> hashes;
  const auto add = [&]<class Type>(std::type_identity<Type>) {
    if constexpr (OwnFilter<Type>) {
      filters.push_back(own_filter_type<Type>());
    } else {
      hashes.push_back(own_hash_type<Type>());
    }
  };
  (add(std::type_identity<Own>{}), ...);
  return cli::run_program(argc, argv, filters, hashes);
}

}  // namespace bloomlab
