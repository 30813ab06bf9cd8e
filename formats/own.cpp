// Filters that this library saved: KeyedFilter files (version 2) and serialized filters (version
// 1). Both have a checksum, so that an altered byte is an error and not another filter.

#include <cstdint>
#include <optional>
#include <utility>

#include "core/catalogue.hpp"
#include "core/filters/concepts.hpp"
#include "core/filters/health.hpp"
#include "core/serialization/image.hpp"
#include "core/serialization/serialize.hpp"
#include "core/type_list.hpp"
#include "formats/inspection.hpp"

namespace bloomlab::formats {
namespace {

/// An image of version 2 as an envelope; `header` owns the parameters.
Envelope envelope_of(const ImageHeader& header, std::span<const std::byte> contents) {
  if (contents.size() != header.contents_bytes) {
    throw FormatError("contents: " + std::to_string(header.contents_bytes) +
                      " bytes are expected, " + std::to_string(contents.size()) + " are there");
  }
  if (checksum_of(contents) != header.contents_checksum) {
    throw FormatError("checksum of the contents: it does not fit; they were altered");
  }
  return {.filter = header.filter,
          .hash = header.hash,
          .family = header.family,
          .reduction = header.reduction,
          .seed = header.seed,
          .parameters = header.parameters,
          .contents = contents};
}

/// Contents where they lie, checked as those that are read.
class CheckedContents : public ContentsMapper {
 public:
  using ContentsMapper::ContentsMapper;
  using ContentsMapper::operator();
  void operator()(BitArray& bits) {
    ContentsMapper::operator()(bits);
    check(bits.ends_in_zeros(), "a bit behind the last one is set");
  }
  void operator()(PackedArray& values) {
    ContentsMapper::operator()(values);
    check(values.ends_in_zeros(), "a bit behind the last value is set");
  }
};

/// Gives an empty filter its contents: they are borrowed where they lie as words, as those of a
/// mapped file of version 2 do, else copied.
template <class Filter>
void give_contents(Filter& filter, std::span<const std::byte> contents) {
  if (reinterpret_cast<std::uintptr_t>(contents.data()) % alignof(std::uint64_t) == 0) {
    CheckedContents visit(contents);
    Filter::contents(filter, visit);
    visit.finish();
    return;
  }
  ByteReader bytes(contents);
  ContentsReader visit(bytes);
  Filter::contents(filter, visit);
  visit.check(bytes.left() == 0, "there is more than the filter has");
}

template <class Filter>
Inspection inspect_as(const Envelope& envelope, std::optional<double> p) {
  detail::require_names<Filter>(envelope);
  ByteReader bytes(envelope.parameters);
  ParameterReader read(bytes);
  typename Filter::Parameters parameters{};
  Filter::describe(read, parameters);
  if (bytes.left() != 0) throw FormatError("parameters: there are too many");
  Filter filter = detail::empty_filter<Filter>(envelope, parameters);
  give_contents(filter, envelope.contents);

  Inspection found{.format = "bloomlab",
                   .hash = envelope.hash + " seed " + std::to_string(envelope.seed),
                   .layout = envelope.filter,
                   .checksum = true};
  if (!envelope.family.empty()) found.hash += ", " + envelope.family + ", " + envelope.reduction;
  const FilterState state = filter.state();
  found.m = state.bits;
  found.bits_set = state.bits_set;
  found.fill = static_cast<double>(state.bits_set) / static_cast<double>(state.bits);
  found.rate = state.conditional_rate;
  found.recorded_keys = keys_held(filter);
  if (!state.layers.empty()) {
    found.layers = state.layers.size();
    found.k = state.layers.front().probes;
  } else if constexpr (requires { Filter::probes(parameters, 1); }) {
    found.k = static_cast<std::uint64_t>(Filter::probes(parameters, *found.recorded_keys));
  }
  if constexpr (EstimatesKeys<Filter>) {
    found.keys = estimated_keys<Filter>(parameters, state.bits_set);
    found.saturated = !found.keys.has_value();
    if (found.saturated) found.faults.emplace_back("every bit is set: it reports every key");
    // A key may have been inserted twice, so fewer in the bits are no fault.
    if (found.keys && found.keys->keys > static_cast<double>(*found.recorded_keys) + 2.0 +
                                             3.0 * (found.keys->high - found.keys->keys)) {
      found.faults.push_back("it counts " + std::to_string(*found.recorded_keys) +
                             " keys, its bits tell of more: a hash that is not as ideal");
    }
  }
  if constexpr (Described<Filter>) {
    if (p) {
      const FilterHealth health = health_of(filter, parameters, *p);
      found.goal = p;
      found.capacity = health.capacity;
      found.keys_left = health.keys_left;
      if (found.rate > *p) found.faults.emplace_back("its rate is above what it shall keep");
    }
  }
  if constexpr (requires(Filter & one, const Filter& other) { one.merge(other); }) {
    found.same_kind = "bloomlab " + envelope.filter + ", m = " + std::to_string(found.m) +
                      ", k = " + std::to_string(found.k) + ", " + found.hash;
  }
  return found;
}

Inspection inspect_envelope(const Envelope& envelope, std::optional<double> p) {
  std::optional<Inspection> found;
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    if constexpr (Serializable<Filter>) {
      if (envelope.filter == Filter::name) found = inspect_as<Filter>(envelope, p);
    }
  });
  if (found) return *std::move(found);
  throw FormatError("filter: \"" + envelope.filter + "\" is none of this release");
}

}  // namespace

Inspection inspect_own(std::span<const std::byte> bytes, std::optional<double> p) {
  constexpr std::size_t version_at = 8;
  const bool image = bytes.size() > version_at && bytes[version_at] != std::byte{1};
  try {
    if (!image) {
      Inspection found = inspect_envelope(opened(bytes), p);
      found.version = "1";
      return found;
    }
    MemorySource source(bytes);
    const ImageHeader header = read_header(source);
    Inspection found = inspect_envelope(envelope_of(header, source.rest()), p);
    found.version = "2";
    return found;
  } catch (const std::invalid_argument& fault) {
    throw FormatError(fault.what());
  } catch (const std::length_error& fault) {
    throw FormatError(fault.what());
  }
}

}  // namespace bloomlab::formats
