// Result files. One that is read is written, read again, and is the same.
#include "fuzz.hpp"
#include "record/input_error.hpp"
#include "record/result_file.hpp"

using namespace bloomlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = fuzz::file_of(fuzz::text_of(data, size), ".json");
  try {
    const record::ResultFile file = record::read_result_file(path);
    const std::string text = record::canonical_text(file);
    record::write_result_file(path, file);
    fuzz::require(record::canonical_text(record::read_result_file(path)) == text);
  } catch (const record::InputError&) {
  }
  return 0;
}
