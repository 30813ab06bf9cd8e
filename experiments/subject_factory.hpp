// Where a filter's type ends: its subject is made in a translation unit of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "experiments/subject.hpp"

namespace bloomlab::experiments {

/// Makes subjects of one filter type. Defined in subject_of.hpp, instantiated once a filter.
template <class Filter>
struct SubjectFactory {
  static std::unique_ptr<Subject> make(const typename Filter::Parameters& parameters,
                                       const Cell& cell, std::uint64_t seed);
};

}  // namespace bloomlab::experiments
