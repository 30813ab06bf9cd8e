// Saved filters of other programs: whatever is read as one has a rate, a fill and keys that can be.
#include <cmath>
#include <span>

#include "core/serialization/format_error.hpp"
#include "formats/inspection.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomlab;
  if (size == 0) return 0;
  // The first byte names the format; beyond the last of them it is recognised.
  const auto names = formats::format_names();
  const std::string format(*data < names.size() ? names[*data] : "");
  try {
    const auto bytes = std::as_bytes(std::span(data, size).subspan(1));
    for (const formats::Inspection& one : formats::inspect_bytes(bytes, 0.01, format)) {
      if (!one.has_bits) continue;
      fuzz::require(one.rate >= 0.0 && one.rate <= 1.0 && one.fill >= 0.0 && one.fill <= 1.0);
      fuzz::require(!one.keys || (std::isfinite(one.keys->low) && one.keys->low >= 0.0));
    }
  } catch (const FormatError&) {
  }
  return 0;
}
