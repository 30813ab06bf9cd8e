#include "experiments/kinds/trial_program.hpp"

#include <unistd.h>

#include <iostream>
#include <iterator>
#include <stdexcept>

#include "experiments/applications/scratch_folder.hpp"
#include "experiments/speed/child_process.hpp"
#include "foreign/guard_program.hpp"
#include "record/input_error.hpp"

namespace bloomlab::experiments {

using record::Json;

std::string no_store(std::string_view kind) {
  return std::string(kind) + ": RocksDB is not installed: this build has no " + store_program +
         "; install librocksdb-dev, configure and build again, or leave this config out";
}

Measurement measured_by_program(const char* program, Json request, const std::string& absent) {
  const auto path = foreign::program_of_ours(program);
  if (!path) throw record::MissingProgram(absent);
  request["parent"] = ::getpid();
  const ChildOutcome outcome = run_child({*path, {}, {}}, request.dump());
  const auto answer = Json::parse(outcome.output, nullptr, false);
  if (!answer.is_object()) {
    throw std::runtime_error(path->string() + ": ended " + outcome.ending + " without an answer");
  }
  if (answer.contains("missing")) {
    throw record::MissingProgram(answer.at("missing").get<std::string>());
  }
  if (answer.contains("refused")) throw record::InputError(answer.at("refused").get<std::string>());
  if (answer.contains("fault")) throw std::runtime_error(answer.at("fault").get<std::string>());
  return {std::nullopt, answer.at("measured"), answer.at("timing")};
}

int answer_request(const std::function<Measurement(const Json& request)>& measure) {
  end_with_parent();
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  try {
    const Json request = Json::parse(text);
    if (::getppid() != request.at("parent").get<pid_t>()) {
      throw std::runtime_error("the parent is gone");
    }
    const Measurement one = measure(request);
    std::cout << Json{{"measured", one.measured}, {"timing", one.timing}}.dump() << '\n';
    return 0;
  } catch (const record::MissingProgram& fault) {
    std::cout << Json{{"missing", fault.what()}}.dump() << '\n';
  } catch (const record::InputError& fault) {
    std::cout << Json{{"refused", fault.what()}}.dump() << '\n';
  } catch (const std::exception& fault) {
    std::cout << Json{{"fault", fault.what()}}.dump() << '\n';
  }
  return 1;
}

}  // namespace bloomlab::experiments
