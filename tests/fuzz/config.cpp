// Configs: read, expanded and checked; nothing is measured.
#include "experiments/config/config.hpp"

#include "experiments/config/reading.hpp"
#include "fuzz.hpp"
#include "record/input_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomlab;
  try {
    // So little memory that no grid of a million cells takes the time of a thousand others.
    const experiments::Machine machine{.memory_bytes = 32U << 20U};
    const auto config =
        experiments::read_config(fuzz::file_of(fuzz::text_of(data, size), ".json"), machine);
    fuzz::require(!config.cells.empty());
  } catch (const record::InputError&) {
  }
  return 0;
}
