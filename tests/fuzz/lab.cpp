// What a student and a lecturer hand in: assignment.json, and a file of cases.
#include <filesystem>

#include "fuzz.hpp"
#include "lab/assignment.hpp"
#include "lab/cases.hpp"
#include "record/input_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomlab;
  const std::filesystem::path file = fuzz::file_of(fuzz::text_of(data, size), ".json");
  try {
    for (const lab::Case& one : lab::with_cases_of(file).cases) {
      fuzz::require(one.n > 0 && one.queries > 0 && one.bits() > 0);
    }
  } catch (const record::InputError&) {
  }
  static const std::filesystem::path folder = [&] {
    auto path = file;
    path += ".assignment";
    std::filesystem::create_directories(path);
    return path;
  }();
  std::ofstream(folder / "assignment.json", std::ios::binary | std::ios::trunc)
      << fuzz::text_of(data, size);
  try {
    fuzz::require(lab::read_assignment(folder).language != nullptr);
  } catch (const record::InputError&) {
  }
  return 0;
}
