// Filters as bytes and back: what one release writes the next one reads (golden files in the
// tests). No files here: bytes in memory, which the caller stores or sends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/built.hpp"
#include "core/filters/concepts.hpp"
#include "core/serialization/contents.hpp"
#include "core/serialization/envelope.hpp"
#include "core/serialization/parameter_bytes.hpp"

namespace bloomlab {

/// A filter with the hash and the seed that its digests were made with.
template <class Filter>
struct Deserialized {
  Filter filter;
  std::string hash;
  std::uint64_t seed = 0;
};

/// The filter as bytes, in the format of core/serialization/envelope.hpp.
/// @param hash name of the hash of its digests   @param seed seed of that hash
/// Throws std::invalid_argument for an unknown hash, and std::bad_alloc.
template <Serializable Filter>
[[nodiscard]] std::vector<std::byte> serialize(const Filter& filter, std::string_view hash,
                                               std::uint64_t seed) {
  Envelope envelope{.filter = std::string(Filter::name),
                    .hash = std::string(make_hasher(hash).name()),
                    .family = {},
                    .reduction = {},
                    .seed = seed};
  if constexpr (!Filter::chooses_positions) {
    envelope.family = filter.probe().family();
    envelope.reduction = filter.probe().reduction();
  }
  ByteWriter parameters;
  ParameterWriter visit_parameters(parameters);
  auto copy = filter.parameters();
  Filter::describe(visit_parameters, copy);
  ByteWriter contents;
  ContentsWriter visit(contents);
  Filter::contents(filter, visit);
  envelope.parameters = parameters.bytes();
  envelope.contents = contents.bytes();
  return sealed(envelope);
}

namespace detail {

/// An empty filter of these parameters, if `contents` has the bytes that it needs at least.
template <class Filter>
Filter empty_filter(const Envelope& envelope, const typename Filter::Parameters& p) {
  if (auto fault = Filter::check(p)) throw FormatError(*fault);
  const std::uint64_t bits = Filter::memory_bits(p, 0);
  if (bits / 8 > envelope.contents.size()) {
    throw FormatError("contents: " + std::to_string(bits / 8) + " bytes are needed, " +
                      std::to_string(envelope.contents.size()) + " are there");
  }
  if constexpr (Built<Filter>) {
    return Filter::build(p, DigestBatch{}).value();
  } else if constexpr (Filter::chooses_positions) {
    return Filter(p);
  } else {
    return Filter(p, make_probe(envelope.family, envelope.reduction));
  }
}

}  // namespace detail

namespace detail {

/// Throws FormatError for names that serialize() would not have written for this filter.
template <class Filter>
void require_names(const Envelope& envelope) {
  if constexpr (Filter::chooses_positions) {
    // Nothing would read them: what stands there was not written by serialize().
    if (envelope.family.empty() && envelope.reduction.empty()) return;
    throw FormatError("hashing scheme and reduction: found \"" + envelope.family + "\" and \"" +
                      envelope.reduction + "\", expected none, as \"" + std::string(Filter::name) +
                      "\" chooses positions itself");
  }
}

}  // namespace detail

/// The filter that serialize() made the bytes from. Throws FormatError where they are not a whole
/// unaltered filter of this type; takes no more memory than a small multiple of the bytes, whatever
/// they say. The checksum finds accidents; it does not prove who wrote the bytes.
template <Serializable Filter>
[[nodiscard]] Deserialized<Filter> deserialize(std::span<const std::byte> bytes) {
  const Envelope envelope = opened(bytes);
  if (envelope.filter != Filter::name) {
    throw FormatError("filter: found \"" + envelope.filter + "\", expected \"" +
                      std::string(Filter::name) + "\"");
  }
  try {
    static_cast<void>(make_hasher(envelope.hash));
    detail::require_names<Filter>(envelope);
    ByteReader parameter_bytes(envelope.parameters);
    ParameterReader visit_parameters(parameter_bytes);
    typename Filter::Parameters p{};
    Filter::describe(visit_parameters, p);
    if (parameter_bytes.left() != 0) throw FormatError("parameters: there are too many");
    Deserialized<Filter> result{detail::empty_filter<Filter>(envelope, p), envelope.hash,
                                envelope.seed};
    ByteReader contents(envelope.contents);
    ContentsReader visit(contents);
    Filter::contents(result.filter, visit);
    visit.check(contents.left() == 0, "there is more than the filter has");
    return result;
  } catch (const std::invalid_argument& fault) {
    throw FormatError(fault.what());
  } catch (const std::length_error& fault) {
    throw FormatError(fault.what());
  }
}

}  // namespace bloomlab
