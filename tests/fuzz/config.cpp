// Configs: read, expanded and checked; nothing is measured.
#include "experiments/config/config.hpp"

#include "experiments/config/reading.hpp"
#include "fuzz.hpp"
#include "record/input_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomlab;
  try {
    const auto config = experiments::read_config(fuzz::file_of(fuzz::text_of(data, size), ".json"));
    fuzz::require(!config.cells.empty());
  } catch (const record::InputError&) {
  }
  return 0;
}
