// Saved filters of every layout: bytes as they are, and parameters and contents with the checksums
// that fit, as no mutation finds one. What is read can be asked, and is saved as it was.
#include "core/saved_filter.hpp"

#include <algorithm>
#include <new>
#include <span>
#include <vector>

#include "core/catalogue.hpp"
#include "core/serialization/contents.hpp"
#include "fuzz.hpp"

namespace {

using namespace bloomlab;

template <class Keyed>
void read(std::span<const std::byte> bytes) {
  try {
    const Keyed keyed = load_bytes<Keyed>(bytes);
    static_cast<void>(keyed.contains(std::uint64_t{42}));
    fuzz::require(std::ranges::equal(saved_bytes(keyed), bytes));
  } catch (const FormatError&) {
  } catch (const std::bad_alloc&) {
  }
}

template <class Keyed>
void read(bool is_whole, std::size_t parameters, std::span<const std::byte> bytes) {
  if (is_whole) return read<Keyed>(bytes);
  ImageHeader header = detail::ImageNames<Keyed>::header();
  parameters = std::min(parameters, bytes.size());
  header.parameters.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(parameters));
  const auto contents = bytes.subspan(parameters);
  RunningChecksum checksum;
  checksum.add(contents);
  header.contents_bytes = contents.size();
  header.contents_checksum = checksum.value();
  std::vector<std::byte> image = header_bytes(header);
  image.insert(image.end(), contents.begin(), contents.end());
  read<Keyed>(image);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const auto bytes = std::as_bytes(std::span(data, size)).subspan(3);
  const std::size_t chosen = data[0] % Filters::size;
  std::size_t index = 0;
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    if (index++ != chosen) return;
    if constexpr (Serializable<Filter> && (Growing<Filter> || Built<Filter>)) {
      read<KeyedFilter<XxHash3_64, Filter, EnhancedDoubleHashing>>(data[1] % 2 == 0, data[2],
                                                                   bytes);
    }
  });
  return 0;
}
