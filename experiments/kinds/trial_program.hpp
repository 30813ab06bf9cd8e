// Trials of kinds that a program of its own measures, one that alone is linked with a store or
// starts a server: it is given a request on its standard input and writes what it measured, or the
// fault, to its output. Both ends of that talk.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "experiments/cells/measurement.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {

/// The program that talks to RocksDB, and a kind's fault where a build has none.
inline constexpr const char* store_program = "bloomlab-store";
[[nodiscard]] std::string no_store(std::string_view kind);

/// Has a program that is built with ours measure what `request` says.
/// @param absent the fault where there is no such program
/// Throws MissingProgram with that, and where the program lacks another; InputError with what it
/// refuses; std::runtime_error with its other faults.
[[nodiscard]] Measurement measured_by_program(const char* program, record::Json request,
                                              const std::string& absent);

/// The same of a kind that names its `program`.
template <class Kind>
[[nodiscard]] Measurement measured_by_program(const typename Kind::Parameters& p,
                                              const typename Kind::Point::Parameters& at,
                                              std::uint64_t seed, const std::string& absent) {
  record::Json request = {{"kind", Kind::name}, {"seed", seed}};
  record::write_parameters<Kind>(p, request["config"]);
  record::write_parameters<typename Kind::Point>(at, request["cell"]);
  return measured_by_program(Kind::program, std::move(request), absent);
}

/// The program's end: reads the request, writes the answer, and ends when its parent does.
/// @return its exit status
int answer_request(const std::function<Measurement(const record::Json& request)>& measure);

/// The trial that a request asks for, where it is of the kind of `Trial`: a type made of the
/// parameters of its `Kind`, of a point's and a seed, which can count() and, of a kind that times,
/// then time().
template <class Trial>
[[nodiscard]] std::optional<Measurement> measured_if_asked(const record::Json& request) {
  using Kind = typename Trial::Kind;
  if (request.at("kind").get<std::string>() != Kind::name) return std::nullopt;
  Trial trial(record::own_parameters_of<Kind>(request.at("config")),
              record::own_parameters_of<typename Kind::Point>(request.at("cell")),
              request.at("seed").get<std::uint64_t>());
  Measurement one{std::nullopt, trial.count(), record::Json::object()};
  if constexpr (requires { trial.time(); }) one.timing = trial.time();
  return one;
}

/// The same for the kinds of such types.
template <class... Trials>
int answer_request() {
  return answer_request([](const record::Json& request) -> Measurement {
    std::optional<Measurement> one;
    if (((one = measured_if_asked<Trials>(request)) || ...)) return *one;
    throw std::runtime_error("the request is of another program's kind");
  });
}

}  // namespace bloomlab::experiments
