#include "experiments/speed/process_run.hpp"

#include <unistd.h>

#include <istream>
#include <iterator>
#include <new>
#include <ostream>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/bits/zeroed_memory.hpp"
#include "experiments/cell_parts.hpp"
#include "experiments/speed/child_process.hpp"
#include "experiments/speed/machine_tuning.hpp"
#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;

Json process_run_json(const ProcessRunRequest& request) {
  return {{"kind", request.kind},
          {"config", request.config},
          {"cell", request.cell},
          {"seed", request.seed},
          {"tuning", tuning_json(request.tuning)},
          {"limit_seconds", request.limit_seconds}};
}

ProcessRunRequest process_run_of(const Json& json) {
  return {json.at("kind").get<std::string>(),
          json.at("config"),
          json.at("cell"),
          json.at("seed").get<std::uint64_t>(),
          tuning_of(json.at("tuning"), "process_run"),
          json.value("limit_seconds", 0U)};
}

Json answer_json(const std::vector<Measurement>& measurements) {
  Json list = Json::array();
  for (const Measurement& measurement : measurements) {
    Json json = {{"measured", measurement.measured}, {"timing", measurement.timing}};
    if (measurement.step) json["step"] = *measurement.step;
    list.push_back(std::move(json));
  }
  return {{"measurements", std::move(list)}};
}

std::vector<Measurement> measurements_of(const Json& answer) {
  std::vector<Measurement> measurements;
  for (const Json& json : answer.at("measurements")) {
    Measurement measurement{std::nullopt, json.at("measured"), json.at("timing")};
    if (json.contains("step")) measurement.step = json.at("step").get<std::uint64_t>();
    measurements.push_back(std::move(measurement));
  }
  return measurements;
}

/// Lets the standard allocator ask for huge pages, so that peers stand on the same as filters.
std::vector<std::string> settings_for(const Json& cell) {
  if (cell.value("pages", "huge") != "huge") return {};
  return {"GLIBC_TUNABLES=glibc.malloc.hugetlb=1"};
}

}  // namespace

std::vector<Measurement> measure_here(const ProcessRunRequest& request) {
  std::vector<Measurement> measurements;
  visit_name<Kinds>(request.kind, [&]<class Kind>(std::type_identity<Kind>) {
    if constexpr (OwnGrid<Kind>) {
      const auto parameters = record::own_parameters_of<Kind>(request.config);
      const auto point = record::own_parameters_of<typename Kind::Point>(request.cell);
      if constexpr (requires { Kind::measure(parameters, point, request.seed, request.tuning); }) {
        measurements = Kind::measure(parameters, point, request.seed, request.tuning);
      } else {
        measurements = Kind::measure(parameters, point, request.seed);
      }
    } else {
      throw std::invalid_argument("the kind " + request.kind + " has no grid of its own");
    }
  });
  return measurements;
}

ProcessRunner runner_of_program(std::filesystem::path program, std::vector<std::string> arguments) {
  return [program = std::move(program),
          arguments = std::move(arguments)](const ProcessRunRequest& request) {
    const ChildOutcome outcome = run_child({program, arguments, settings_for(request.cell)},
                                           process_run_json(request).dump());
    const Json answer = Json::parse(outcome.output, nullptr, false);
    if (answer.is_object() && answer.contains("fault")) {
      const auto fault = answer.at("fault").get<std::string>();
      if (answer.value("bad_input", false)) throw record::InputError(fault);
      throw std::runtime_error(fault);
    }
    if (!answer.is_object() || !answer.contains("measurements")) {
      throw std::runtime_error("the process that was started to measure this cell ended " +
                               outcome.ending + " without an answer");
    }
    return measurements_of(answer);
  };
}

int answer_process_run(std::istream& in, std::ostream& out) {
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  try {
    const ProcessRunRequest request = process_run_of(Json::parse(text));
    ::alarm(request.limit_seconds);  // the run that started this process knows what it means
    out << answer_json(measure_here(request)).dump() << '\n';
    return 0;
  } catch (const record::InputError& fault) {
    out << Json{{"fault", fault.what()}, {"bad_input", true}}.dump() << '\n';
    return 1;
  } catch (const AllocationError& fault) {
    out << Json{{"fault", fault.what()}}.dump() << '\n';
    return 1;
  } catch (const std::bad_alloc&) {
    out << R"({"fault": "out of memory; choose a smaller case"})" << '\n';
    return 1;
  } catch (const std::exception& fault) {
    out << Json{{"fault", fault.what()}}.dump() << '\n';
    return 1;
  }
}

}  // namespace bloomlab::experiments
