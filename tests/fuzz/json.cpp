// The strict reader of JSON, under every config, result and book. What it reads it reads again.
#include "fuzz.hpp"
#include "record/input_error.hpp"
#include "record/strict_json.hpp"

using namespace bloomlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const record::Json json = record::parse_json(fuzz::text_of(data, size), "input");
    const std::string text = json.dump();
    fuzz::require(record::parse_json(text, "again").dump() == text);
  } catch (const record::InputError&) {
  }
  return 0;
}
