// Books of claims, their queries and closed forms included.
#include "analysis/claims/book.hpp"
#include "fuzz.hpp"
#include "record/input_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomlab;
  try {
    static_cast<void>(analysis::claims::read_book(fuzz::text_of(data, size), "input.json"));
  } catch (const record::InputError&) {
  }
  return 0;
}
