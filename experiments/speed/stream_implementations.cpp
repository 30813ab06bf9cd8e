#include "experiments/speed/stream_implementations.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/concepts.hpp"
#include "core/filters/sizing.hpp"
#include "experiments/cells/cell_parts.hpp"
#include "experiments/peers/catalogue.hpp"
#include "experiments/peers/sized_filters.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {
namespace {

constexpr double sizing_step = 1.0 / 16.0;  // bits per key

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

/// The filter that the implementation is sized as: itself, but for peers.
const SizedFilter& sizing_filter(std::string_view implementation) {
  std::string_view filter = implementation;
  for_each_type<Peers>([&]<class P>(std::type_identity<P>) {
    if (P::name == implementation) filter = P::sized_as;
  });
  return *std::ranges::find(sized_filters(), filter, &SizedFilter::name);
}

double rate_of(const SizedFilter& sized, std::uint64_t n, double bits_per_key) {
  double rate = 1.0;
  visit_name<Filters>(sized.name, [&]<class Filter>(std::type_identity<Filter>) {
    record::Json parameters = sized.parameters(n, bits_per_key);
    parameters["kind"] = sized.name;
    rate = predicted_rate<Filter>(record::parameters_of<Filter>(parameters, "kind"), n);
  });
  return rate;
}

}  // namespace

std::span<const std::string_view> stream_implementation_names() {
  static const std::vector<std::string_view> names = all_stream_names();
  return names;
}

std::optional<double> bits_per_key_for(std::string_view implementation, std::uint64_t n,
                                       double fpr) {
  const SizedFilter& sized = sizing_filter(implementation);
  const auto reaches = [&](double bits) { return rate_of(sized, n, bits) <= fpr; };
  // Upwards, as the probes of some filters grow with their bits until they fill their blocks.
  double bits = least_stream_bits_per_key;
  while (!reaches(bits)) {
    bits += 1.0;
    if (bits > most_stream_bits_per_key) return std::nullopt;
  }
  while (bits > least_stream_bits_per_key && reaches(bits - sizing_step)) bits -= sizing_step;
  return bits;
}

}  // namespace bloomlab::experiments
