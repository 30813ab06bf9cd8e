// Every serialized filter: bytes as they are, and contents and parameters behind a checksum that
// fits them, as no mutation finds one. What is read can be asked, and written back as it was.
#include <algorithm>
#include <new>
#include <span>
#include <vector>

#include "core/catalogue.hpp"
#include "core/serialization/serialize.hpp"
#include "fuzz.hpp"

namespace {

using namespace bloomlab;

template <class Filter>
void read(std::span<const std::byte> bytes) {
  try {
    const Deserialized<Filter> found = deserialize<Filter>(bytes);
    const std::vector<std::byte> again = serialize(found.filter, found.hash, found.seed);
    fuzz::require(std::ranges::equal(again, bytes));
  } catch (const FormatError&) {
  } catch (const std::bad_alloc&) {
  }
}

template <class Filter>
Envelope envelope_of(const Envelope& names) {
  Envelope envelope = names;
  envelope.filter = std::string(Filter::name);
  if constexpr (Filter::chooses_positions) envelope.family = envelope.reduction = "";
  return envelope;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const std::size_t chosen = data[0] % Filters::size;
  const bool is_whole = data[1] % 2 == 0;
  const auto bytes = std::as_bytes(std::span(data, size)).subspan(3);
  std::size_t index = 0;
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    if (index++ != chosen) return;
    if constexpr (Serializable<Filter>) {
      if (is_whole) {
        read<Filter>(bytes);
        return;
      }
      // The third byte says how many of the others are parameters.
      const std::size_t parameters = std::min<std::size_t>(data[2], bytes.size());
      Envelope envelope = envelope_of<Filter>({.filter = {},
                                               .hash = "xxhash3_64",
                                               .family = "enhanced_double_hashing",
                                               .reduction = "multiply_shift",
                                               .seed = 1});
      envelope.parameters = bytes.first(parameters);
      envelope.contents = bytes.subspan(parameters);
      read<Filter>(sealed(envelope));
    }
  });
  return 0;
}
