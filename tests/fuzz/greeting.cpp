// The first line of a filter from outside.
#include "foreign/greeting.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto greeting = bloomlab::foreign::read_greeting(bloomlab::fuzz::text_of(data, size));
  bloomlab::fuzz::require(!greeting || !greeting->description.name.empty());
  return 0;
}
