#include "experiments/speed/stream_subjects.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/concepts.hpp"
#include "core/theory/models.hpp"
#include "experiments/cell_parts.hpp"
#include "experiments/peers/catalogue.hpp"
#include "experiments/speed/sized_filters.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {
namespace {

constexpr double steps_a_bit = 16.0;

bool filter_deduplicates(std::string_view filter) {
  bool deduplicates = false;
  visit_name<Filters>(filter, [&]<class Filter>(std::type_identity<Filter>) {
    deduplicates = Deduplicates<Filter>;
  });
  return deduplicates;
}

std::vector<std::string_view> all_stream_names() {
  std::vector<std::string_view> names;
  for (const SizedFilter& filter : sized_filters()) {
    if (filter_deduplicates(filter.name)) names.push_back(filter.name);
  }
  for_each_type<Peers>([&]<class P>(std::type_identity<P>) {
    if (!P::sized_as.empty()) names.push_back(P::name);
  });
  return names;
}

/// The filter that the subject is sized as: itself, but for peers.
const SizedFilter& sizing_filter(std::string_view subject) {
  std::string_view filter = subject;
  for_each_type<Peers>([&]<class P>(std::type_identity<P>) {
    if (P::name == subject) filter = P::sized_as;
  });
  return *std::ranges::find(sized_filters(), filter, &SizedFilter::name);
}

double rate_of(const SizedFilter& sized, std::uint64_t n, double bits_per_key) {
  double rate = 1.0;
  visit_name<Filters>(sized.name, [&]<class Filter>(std::type_identity<Filter>) {
    record::Json parameters = sized.parameters(n, bits_per_key);
    parameters["kind"] = sized.name;
    rate =
        theory::evaluate(Filter::prediction(record::parameters_of<Filter>(parameters, "kind"), n))
            .number();
  });
  return rate;
}

}  // namespace

std::span<const std::string_view> stream_subject_names() {
  static const std::vector<std::string_view> names = all_stream_names();
  return names;
}

std::optional<double> bits_per_key_for(std::string_view subject, std::uint64_t n, double fpr) {
  const SizedFilter& sized = sizing_filter(subject);
  const auto reaches = [&](double steps) { return rate_of(sized, n, steps / steps_a_bit) <= fpr; };
  double too_few = steps_a_bit - 1.0;
  double enough = most_stream_bits_per_key * steps_a_bit;
  if (!reaches(enough)) return std::nullopt;
  while (enough - too_few > 1.0) {
    const double middle = std::floor((too_few + enough) / 2.0);
    (reaches(middle) ? enough : too_few) = middle;
  }
  return enough / steps_a_bit;
}

}  // namespace bloomlab::experiments
