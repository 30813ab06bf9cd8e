#include "planner/sized_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include "core/catalogue.hpp"
#include "core/filters/sizing.hpp"
#include "core/parameters.hpp"

namespace bloomlab::planner {
namespace {

/// Collects what a filter's description says, with the values.
struct ValueCollector {
  std::vector<ParameterValue> values = {};

  template <std::unsigned_integral Value>
  void operator()(const IntegerField& field, Value& value) {
    values.push_back({std::string(field.name), std::uint64_t{value}});
  }
  void operator()(const RealField& field, double& value) {
    values.push_back({std::string(field.name), value});
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const ChoiceField& field, Enum& value) {
    values.push_back(
        {std::string(field.name), std::string(field.words[static_cast<std::size_t>(value)])});
  }
};

/// Smallest H with n 2^-H <= rate / 100.
std::uint64_t hash_bits_for(std::uint64_t n, double rate) {
  constexpr double share = 0.01;
  constexpr double widest = 1024.0;
  const double bits = std::ceil(std::log2(static_cast<double>(n) / (share * rate)));
  return static_cast<std::uint64_t>(std::clamp(bits, 1.0, widest));
}

/// Fills in what a filter of these parameters costs and promises.
template <Sized Filter>
void settle(Candidate& candidate, typename Filter::Parameters parameters, std::uint64_t n) {
  candidate.rate = predicted_rate<Filter>(parameters, n);
  candidate.memory_bits = Filter::memory_bits(parameters, n);
  candidate.bits_per_key = static_cast<double>(candidate.memory_bits) / static_cast<double>(n);
  candidate.lines = Filter::lines(parameters, n);
  const bool hashes = !candidate.traits.exact && !candidate.traits.whole_hashes;
  if (hashes) candidate.fewest_hash_bits = hash_bits_for(n, candidate.rate);
  ValueCollector collect;
  Filter::describe(collect, parameters);
  candidate.parameters = std::move(collect.values);
}

template <Sized Filter>
Candidate sized(const Sizing<typename Filter::Parameters>& sizing, const Goal& goal) {
  Candidate candidate{.filter = std::string(Filter::name),
                      .traits = sizing.traits,
                      .false_negatives = sizing.false_negatives,
                      .note = sizing.note,
                      .unavailable = sizing.unavailable};
  if (!candidate.available()) return candidate;
  if (const auto parameters = best_parameters<Filter>(sizing, goal)) {
    settle<Filter>(candidate, *parameters, goal.n);
  } else {
    candidate.unavailable = goal.rate ? "does not reach this rate at any size that it takes"
                                      : "does not fit into this memory";
  }
  return candidate;
}

}  // namespace

std::vector<Candidate> sized_candidates(const Goal& goal,
                                        const std::function<bool(const Traits&)>& wanted) {
  std::vector<Candidate> candidates;
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    if constexpr (Sized<Filter>) {
      const auto sizing = Filter::sizing(goal);
      if (!wanted || wanted(sizing.traits)) candidates.push_back(sized<Filter>(sizing, goal));
    }
  });
  return candidates;
}

Candidate standard_candidate(std::uint64_t n, std::uint64_t m, std::uint64_t k) {
  Candidate candidate{.filter = std::string(Standard::name)};
  if (m > max_filter_bits) {
    candidate.unavailable = "would pass 2^48 bits";
  } else {
    settle<Standard>(candidate, {.m = m, .k = k}, n);
  }
  return candidate;
}

}  // namespace bloomlab::planner
