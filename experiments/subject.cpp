#include "experiments/subject.hpp"

#include <stdexcept>
#include <type_traits>

#include "experiments/cell_parts.hpp"
#include "experiments/subject_factory.hpp"

namespace bloomlab::experiments {

void Subject::insert_by_threads(std::span<const KeyBatch> /*batches*/,
                                const ThreadStarted& /*started*/) {
  throw std::logic_error("this subject can be filled by one thread only");
}

std::unique_ptr<Subject> make_subject(const Cell& cell, std::uint64_t seed) {
  std::unique_ptr<Subject> subject;
  visit_filter(cell, [&]<class Filter>(std::type_identity<Filter>, const auto& parameters) {
    subject = SubjectFactory<Filter>::make(parameters, cell, seed);
  });
  return subject;
}

}  // namespace bloomlab::experiments
