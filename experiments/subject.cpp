#include "experiments/subject.hpp"

#include <type_traits>

#include "experiments/cell_parts.hpp"
#include "experiments/subject_factory.hpp"

namespace bloomlab::experiments {

std::unique_ptr<Subject> make_subject(const Cell& cell, std::uint64_t seed) {
  std::unique_ptr<Subject> subject;
  visit_filter(cell, [&]<class Filter>(std::type_identity<Filter>, const auto& parameters) {
    subject = SubjectFactory<Filter>::make(parameters, cell, seed);
  });
  return subject;
}

}  // namespace bloomlab::experiments
