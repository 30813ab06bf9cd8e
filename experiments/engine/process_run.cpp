#include "experiments/engine/process_run.hpp"

#include <unistd.h>

#include <csignal>
#include <istream>
#include <iterator>
#include <new>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/bits/zeroed_memory.hpp"
#include "experiments/cells/foreign_cell.hpp"
#include "experiments/config/experiment_factory.hpp"
#include "experiments/speed/child_process.hpp"
#include "experiments/speed/machine_tuning.hpp"
#include "foreign/foreign_filter.hpp"
#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;

Json process_run_json(const ProcessRunRequest& request) {
  return {{"kind", request.kind},
          {"config", request.config},
          {"cell", request.cell},
          {"seed", request.seed},
          {"folder", request.folder.string()},
          {"tuning", tuning_json(request.tuning)},
          {"limit_seconds", request.limit_seconds}};
}

ProcessRunRequest process_run_of(const Json& json) {
  return {json.at("kind").get<std::string>(),
          json.at("config"),
          json.at("cell"),
          json.at("seed").get<std::uint64_t>(),
          json.value("folder", ""),
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

/// Whether the process run loads a library from outside into itself.
bool loads_library(const Json& cell) {
  const Json* const object = foreign_object(cell);
  return object != nullptr && object->contains("path") && cell.contains("implementation");
}

/// A library may do anything in this process: its limits are those of the whole process run.
void confine(const ProcessRunRequest& request) {
  const Json& library = request.cell.at("library");
  const foreign::Limits limits = {.seconds = library.at("seconds").get<double>(),
                                  .memory_mib = library.at("memory_mib").get<std::uint64_t>()};
  foreign::confine_this_process(limits, request.limit_seconds);
}

/// The answer where memory is short: to a library it is its limit, which is that of the process.
Json out_of_memory(const Json& cell, const std::string& fault) {
  if (!cell.is_object() || foreign_object(cell) == nullptr) return {{"fault", fault}};
  const std::string named = foreign_text(*foreign_object(cell)) + ": " + fault;
  if (!loads_library(cell)) return {{"fault", named}, {"of_system", true}};
  return {{"fault", named}, {"failure", word_of(foreign::FailureKind::memory)}};
}

/// How a process run of a library ended that gave no answer.
[[noreturn]] void fail_library(const Json& cell, const std::string& ending) {
  const std::string path = cell.at("library").at("path").get<std::string>();
  if (ending == "by signal " + std::to_string(SIGALRM)) {
    throw foreign::Failure(foreign::FailureKind::timeout,
                           path + ": was not done within its limit of " +
                               cell.at("library").at("seconds").dump() + " s");
  }
  const bool crashed = ending.starts_with("by signal");
  throw foreign::Failure(crashed ? foreign::FailureKind::crashed : foreign::FailureKind::ended,
                         path + ": " + (crashed ? "crashed " : "ended the process ") + ending);
}

/// Lets the standard allocator ask for huge pages, so that peers stand on the same as filters.
std::vector<std::string> settings_for(const Json& cell) {
  if (cell.value("pages", "huge") != "huge") return {};
  return {"GLIBC_TUNABLES=glibc.malloc.hugetlb=1"};
}

}  // namespace

std::vector<Measurement> measure_here(const ProcessRunRequest& request) {
  std::vector<std::string_view> keys;
  for (const auto& member : request.config.items()) keys.emplace_back(member.key());
  const record::Origin origin{"config"};
  const record::ObjectReader reader(record::JsonView(request.config, origin), "a config", keys);
  const auto experiment = make_experiment(request.kind, reader);
  const auto* const kind = experiment->of_own_grid();
  if (kind == nullptr) {
    throw std::invalid_argument("the kind " + request.kind + " has no grid of its own");
  }
  return kind->measure(kind->point_of(request.cell, request.folder), request.seed, request.tuning);
}

ProcessRunner runner_of_program(std::filesystem::path program, std::vector<std::string> arguments) {
  return [program = std::move(program),
          arguments = std::move(arguments)](const ProcessRunRequest& request) {
    const ChildOutcome outcome = run_child({program, arguments, settings_for(request.cell)},
                                           process_run_json(request).dump());
    const Json answer = Json::parse(outcome.output, nullptr, false);
    if (answer.is_object() && answer.contains("fault")) {
      const auto fault = answer.at("fault").get<std::string>();
      if (answer.value("missing_program", false)) throw record::MissingProgram(fault);
      if (answer.value("bad_input", false)) throw record::InputError(fault);
      if (answer.value("of_system", false)) throw foreign::SystemFault(fault);
      if (answer.contains("failure")) {
        throw foreign::Failure(foreign::kind_of(answer.at("failure").get<std::string>()), fault);
      }
      throw std::runtime_error(fault);
    }
    if (!answer.is_object() || !answer.contains("measurements")) {
      if (loads_library(request.cell)) fail_library(request.cell, outcome.ending);
      throw std::runtime_error("the process that was started to measure this cell ended " +
                               outcome.ending + " without an answer");
    }
    return measurements_of(answer);
  };
}

int answer_process_run(std::istream& in, std::ostream& out) {
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  Json cell;
  try {
    const ProcessRunRequest request = process_run_of(Json::parse(text));
    cell = request.cell;
    ::alarm(request.limit_seconds);  // the run that started this process knows what it means
    if (loads_library(request.cell)) confine(request);
    out << answer_json(measure_here(request)).dump() << '\n';
    return 0;
  } catch (const record::MissingProgram& fault) {
    out << Json{{"fault", fault.what()}, {"missing_program", true}}.dump() << '\n';
    return 1;
  } catch (const record::InputError& fault) {
    out << Json{{"fault", fault.what()}, {"bad_input", true}}.dump() << '\n';
    return 1;
  } catch (const foreign::SystemFault& fault) {
    out << Json{{"fault", fault.what()}, {"of_system", true}}.dump() << '\n';
    return 1;
  } catch (const foreign::Failure& failure) {
    out << Json{{"fault", failure.what()}, {"failure", word_of(failure.kind())}}.dump() << '\n';
    return 1;
  } catch (const AllocationError& fault) {
    out << out_of_memory(cell, fault.what()).dump() << '\n';
    return 1;
  } catch (const std::bad_alloc&) {
    out << out_of_memory(cell, "out of memory; choose a smaller case").dump() << '\n';
    return 1;
  } catch (const std::exception& fault) {
    out << Json{{"fault", fault.what()}}.dump() << '\n';
    return 1;
  }
}

}  // namespace bloomlab::experiments
