// Changes observations, which are kept packed.
#pragma once

#include <cstddef>
#include <vector>

#include "record/observation.hpp"

namespace bloomlab::tests {

/// Changes them as `change` says, which is given them as a list.
template <class Change>
void edit(record::Observations& observations, const Change& change) {
  std::vector<record::Observation> list = observations.unpacked();
  change(list);
  observations = list;
}

/// Changes each one.
template <class Change>
void edit_each(record::Observations& observations, const Change& change) {
  edit(observations, [&](auto& list) {
    for (record::Observation& one : list) change(one);
  });
}

/// Changes that one.
template <class Change>
void edit_at(record::Observations& observations, std::size_t i, const Change& change) {
  edit(observations, [&](auto& list) { change(list.at(i)); });
}

}  // namespace bloomlab::tests
