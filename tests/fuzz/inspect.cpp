// Saved filters of other programs, wrapped or not, and raw bits: whatever is read as a filter has a
// rate, a fill and keys that can be, and is its union with itself.
#include <cmath>
#include <span>

#include "core/serialization/bytes.hpp"
#include "formats/inspection.hpp"
#include "formats/joined.hpp"
#include "fuzz.hpp"

namespace {

using namespace bloomlab;

/// The first byte names the format; behind the last of them are raw bits, which the next 8 bytes
/// place, and beyond that the format is recognised.
std::vector<formats::Inspection> inspected(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  const auto names = formats::format_names();
  const std::uint64_t format = in.number(1, "format");
  if (format == names.size()) {
    formats::RawBits raw{
        .m = 1 + in.number(4, "m"), .k = 1 + in.number(1, "k"), .offset = in.number(2, "offset")};
    const std::uint64_t order = in.number(1, "order") % 4;
    if (order == 1) raw.order = formats::BitOrder::msb;
    if (order > 1) raw.word_bytes = order == 2 ? 4 : 8;
    return formats::inspect_raw(in.take(in.left(), "bytes"), 0.01, raw);
  }
  const auto saved = in.take(in.left(), "bytes");
  const std::string_view name = format < names.size() ? names[format] : "";
  formats::for_each_filter(saved, name, [](const formats::OpenFilter& filter) {
    if (filter.told(std::nullopt).same_kind.empty()) return;
    formats::Joined joined(filter.bits());
    joined.add(filter);
    joined.add(filter);
    fuzz::require(joined.merged().bits_set() == filter.bits_set() &&
                  joined.common().bits_set() == filter.bits_set());
    const auto keys = joined.repeated();
    fuzz::require(!keys || (std::isfinite(keys->low) && std::isfinite(keys->high)));
  });
  return formats::inspect_bytes(saved, 0.01, name);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    for (const formats::Inspection& one : inspected(std::as_bytes(std::span(data, size)))) {
      if (!one.has_bits) continue;
      fuzz::require(one.rate >= 0.0 && one.rate <= 1.0 && one.fill >= 0.0 && one.fill <= 1.0);
      fuzz::require(!one.keys || (std::isfinite(one.keys->low) && one.keys->low >= 0.0));
    }
  } catch (const FormatError&) {
  }
  return 0;
}
