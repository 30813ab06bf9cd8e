// How a filter is sized for a goal: its shapes, each with one whole number that is free.
//
// A shape fixes every parameter but one, such as k and the block size; the free number, `units`,
// is what the filter is made of: bits, blocks, counters, fingerprint bits. Memory never falls with
// it and the rate never rises, so that both ends are found by bisection.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/parameters.hpp"
#include "planner/candidate.hpp"
#include "planner/predicted.hpp"

namespace bloomlab::planner {

/// A filter of one shape, by its units.
struct Shape {
  std::uint64_t least = 1;  ///< units, from ...
  std::uint64_t most = 1;   ///< ... to
  std::function<std::uint64_t(std::uint64_t)> memory_bits = {};
  std::function<double(std::uint64_t)> rate = {};
  std::function<std::vector<ParameterValue>(std::uint64_t)> parameters = {};
  std::function<LinesRead(std::uint64_t)> lines = {};
};

/// A filter with all shapes that it may take for a goal.
struct Family {
  std::string filter;
  Traits traits = {};
  std::vector<Shape> shapes = {};
  std::string false_negatives = {};
  std::string note = {};
  std::string unavailable = {};  ///< why there is no shape
};

/// The candidate of the family: for a rate the least memory that keeps it, for memory the lowest
/// rate within it.
[[nodiscard]] Candidate best_of(const Family& family, const Goal& goal);

namespace detail {

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

}  // namespace detail

/// The parameters of a filter by name.
template <class Filter>
[[nodiscard]] std::vector<ParameterValue> parameter_values(typename Filter::Parameters parameters) {
  detail::ValueCollector collect;
  Filter::describe(collect, parameters);
  return std::move(collect.values);
}

/// A shape of `Filter` for n keys. @param make units -> Parameters   @param lines Parameters ->
/// LinesRead
template <class Filter, class Make, class Lines>
[[nodiscard]] Shape shape_of(std::uint64_t n, std::uint64_t least, std::uint64_t most, Make make,
                             Lines lines) {
  return {
      least,
      most,
      [n, make](std::uint64_t units) { return Filter::memory_bits(make(units), n); },
      [n, make](std::uint64_t units) { return predicted_rate(Filter::prediction(make(units), n)); },
      [make](std::uint64_t units) { return parameter_values<Filter>(make(units)); },
      [make, lines](std::uint64_t units) { return lines(make(units)); }};
}

}  // namespace bloomlab::planner
