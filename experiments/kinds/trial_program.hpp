// Trials of kinds that a program of its own measures, one that alone is linked with a store or
// starts a server: it is given a request on its standard input and writes what it measured, or the
// fault, to its output. Both ends of that talk.
#pragma once

#include <functional>
#include <string>

#include "experiments/cells/measurement.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {

/// Has a program that is built with ours measure what `request` says.
/// @param absent the fault where there is no such program
/// Throws InputError with that, and with what the program refuses; std::runtime_error with its
/// other faults.
[[nodiscard]] Measurement measured_by_program(const char* program, record::Json request,
                                              const std::string& absent);

/// The same of a kind that names its `program`.
template <class Kind>
[[nodiscard]] Measurement measured_by_program(const typename Kind::Parameters& p,
                                              const typename Kind::Point::Parameters& at,
                                              std::uint64_t seed, const std::string& absent) {
  record::Json request = {{"seed", seed}};
  record::write_parameters<Kind>(p, request["config"]);
  record::write_parameters<typename Kind::Point>(at, request["cell"]);
  return measured_by_program(Kind::program, std::move(request), absent);
}

/// The program's end: reads the request, writes the answer, and ends when its parent does.
/// @return its exit status
int answer_request(const std::function<Measurement(const record::Json& request)>& measure);

/// The same for a type made of a kind's parameters, a point's and a seed, which can count() and
/// then time().
template <class Kind, class Trial>
int answer_request() {
  return answer_request([](const record::Json& request) -> Measurement {
    Trial trial(record::own_parameters_of<Kind>(request.at("config")),
                record::own_parameters_of<typename Kind::Point>(request.at("cell")),
                request.at("seed").template get<std::uint64_t>());
    record::Json measured = trial.count();
    return {std::nullopt, std::move(measured), trial.time()};
  });
}

}  // namespace bloomlab::experiments
