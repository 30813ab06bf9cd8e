// Filters that this library saved. They have checksums, so that an altered byte is an error and not
// another filter.

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/catalogue.hpp"
#include "core/filters/built.hpp"
#include "core/filters/concepts.hpp"
#include "core/filters/health.hpp"
#include "core/serialization/contents.hpp"
#include "core/serialization/image.hpp"
#include "core/serialization/parameter_bytes.hpp"
#include "core/type_list.hpp"
#include "formats/inspection.hpp"

namespace bloomlab::formats {
namespace {

/// Throws FormatError where the contents are not those of the header.
void check_contents(const ImageHeader& header, std::span<const std::byte> contents) {
  if (contents.size() != header.contents_bytes) {
    throw FormatError("contents: " + std::to_string(header.contents_bytes) +
                      " bytes are expected, " + std::to_string(contents.size()) + " are there");
  }
  if (checksum_of(contents) != header.contents_checksum) {
    throw FormatError("checksum of the contents: it does not fit; they were altered");
  }
}

/// Throws FormatError for names that nothing would read.
template <class Filter>
void check_names(const ImageHeader& header) {
  if constexpr (Filter::chooses_positions) {
    if (header.family.empty() && header.reduction.empty()) return;
    throw FormatError("hashing scheme and reduction: found \"" + header.family + "\" and \"" +
                      header.reduction + "\", expected none, as \"" + std::string(Filter::name) +
                      "\" chooses positions itself");
  }
}

/// An empty filter of these parameters, if there are the contents that it needs at least.
template <class Filter>
Filter empty_filter(const ImageHeader& header, const typename Filter::Parameters& p) {
  if (auto fault = Filter::check(p)) throw FormatError(*fault);
  const std::uint64_t bits = Filter::memory_bits(p, 0);
  if (bits / 8 > header.contents_bytes) {
    throw FormatError("contents: " + std::to_string(bits / 8) + " bytes are needed, " +
                      std::to_string(header.contents_bytes) + " are there");
  }
  if constexpr (Built<Filter>) {
    return Filter::build(p, DigestBatch{}).value();
  } else if constexpr (Filter::chooses_positions) {
    return Filter(p);
  } else {
    return Filter(p, make_probe(header.family, header.reduction));
  }
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
/// mapped file do, else copied.
template <class Filter>
void give_contents(Filter& filter, std::span<const std::byte> contents, std::uint64_t checksum) {
  if (reinterpret_cast<std::uintptr_t>(contents.data()) % alignof(std::uint64_t) == 0) {
    CheckedContents visit(contents);
    Filter::contents(filter, visit);
    visit.finish();
    return;
  }
  MemorySource source(contents);
  ContentsLoader visit(source, contents.size());
  Filter::contents(filter, visit);
  visit.finish(checksum);
}

template <class Filter>
Inspection inspect_as(const ImageHeader& header, std::span<const std::byte> contents,
                      std::optional<double> p) {
  check_names<Filter>(header);
  ByteReader bytes(header.parameters);
  ParameterReader read(bytes);
  typename Filter::Parameters parameters{};
  Filter::describe(read, parameters);
  if (bytes.left() != 0) throw FormatError("parameters: there are too many");
  Filter filter = empty_filter<Filter>(header, parameters);
  give_contents(filter, contents, header.contents_checksum);

  Inspection found{.format = "bloomlab",
                   .version = std::to_string(ImageHeader::version),
                   .hash = header.hash + " seed " + std::to_string(header.seed),
                   .layout = header.filter,
                   .checksum = true};
  if (!header.family.empty()) found.hash += ", " + header.family + ", " + header.reduction;
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
    found.same_kind = "bloomlab " + header.filter + ", m = " + std::to_string(found.m) +
                      ", k = " + std::to_string(found.k) + ", " + found.hash;
  }
  return found;
}

}  // namespace

Inspection inspect_own(std::span<const std::byte> bytes, std::optional<double> p) {
  try {
    MemorySource source(bytes);
    const ImageHeader header = read_header(source);
    check_contents(header, source.rest());
    std::optional<Inspection> found;
    for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
      if constexpr (Serializable<Filter>) {
        if (header.filter == Filter::name) found = inspect_as<Filter>(header, source.rest(), p);
      }
    });
    if (!found) throw FormatError("filter: \"" + header.filter + "\" is none of this release");
    return *std::move(found);
  } catch (const std::invalid_argument& fault) {
    throw FormatError(fault.what());
  } catch (const std::length_error& fault) {
    throw FormatError(fault.what());
  }
}

}  // namespace bloomlab::formats
