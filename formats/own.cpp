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
#include "formats/joined.hpp"

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
typename Filter::Parameters parameters_of(const ImageHeader& header) {
  check_names<Filter>(header);
  ByteReader bytes(header.parameters);
  ParameterReader read(bytes);
  typename Filter::Parameters parameters{};
  Filter::describe(read, parameters);
  if (bytes.left() != 0) throw FormatError("parameters: there are too many");
  return parameters;
}

template <class Filter>
Inspection told_of(const ImageHeader& header, const Filter& filter,
                   const typename Filter::Parameters& parameters, std::optional<double> p) {
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
  if constexpr (Mergeable<Filter>) {
    found.same_kind = "bloomlab " + header.filter + ", m = " + std::to_string(found.m) +
                      ", k = " + std::to_string(found.k) + ", " + found.hash;
  }
  return found;
}

/// What body() returns; what it finds bad is a FormatError.
template <class Body>
auto refusing_bad(const Body& body) {
  try {
    return body();
  } catch (const std::invalid_argument& fault) {
    throw FormatError(fault.what());
  } catch (const std::length_error& fault) {
    throw FormatError(fault.what());
  }
}

template <class Filter>
class OwnOpen final : public OpenFilter {
 public:
  OwnOpen(const ImageHeader& header, std::span<const std::byte> contents)
      : header_(header),
        parameters_(parameters_of<Filter>(header)),
        filter_(empty_filter<Filter>(header, parameters_)) {
    give_contents(filter_, contents, header.contents_checksum);
  }

  Inspection told(std::optional<double> p) const override {
    return refusing_bad([&] { return told_of(header_, filter_, parameters_, p); });
  }
  std::uint64_t bits() const override { return filter_.state().bits; }
  std::uint64_t bits_set() const override { return filter_.state().bits_set; }
  std::optional<KeyEstimate> keys_of([[maybe_unused]] std::uint64_t set) const override {
    if constexpr (EstimatesKeys<Filter>) {
      return estimated_keys<Filter>(parameters_, set);
    } else {
      return std::nullopt;
    }
  }
  std::unique_ptr<OpenFilter> folded(std::uint64_t m) const override {
    if constexpr (Mergeable<Filter>) {
      if (m == bits()) return std::make_unique<OwnOpen>(*this);  // a copy owns its memory
    }
    throw FormatError("filter: \"" + header_.filter + "\" is not folded to " + std::to_string(m) +
                      " bits");
  }
  void merge(const OpenFilter& other) override {
    join(other, [](auto& mine, const auto& others) { mine.merge(others); });
  }
  void intersect(const OpenFilter& other) override {
    join(other, [](auto& mine, const auto& others) { mine.intersect(others); });
  }
  std::vector<std::byte> bytes() const override {
    ContentsView view;
    Filter::contents(filter_, view);
    ImageHeader header = header_;
    header.contents_bytes = 0;
    RunningChecksum checksum;
    for (const auto piece : view.pieces()) {
      checksum.add(std::as_bytes(piece));
      header.contents_bytes += piece.size_bytes();
    }
    header.contents_checksum = checksum.value();
    std::vector<std::byte> all = header_bytes(header);
    for (const auto piece : view.pieces()) {
      const auto bytes_of_piece = std::as_bytes(piece);
      all.insert(all.end(), bytes_of_piece.begin(), bytes_of_piece.end());
    }
    return all;
  }

 private:
  template <class Join>
  void join([[maybe_unused]] const OpenFilter& given, [[maybe_unused]] const Join& join_filters) {
    if constexpr (Mergeable<Filter>) {
      const auto* const other = dynamic_cast<const OwnOpen*>(&given);
      if (other == nullptr || other->header_.hash != header_.hash ||
          other->header_.seed != header_.seed) {
        throw FormatError("filter: it is of another kind, hash or seed than the first");
      }
      refusing_bad([&] { join_filters(filter_, other->filter_); });
    } else {
      throw FormatError("filter: \"" + header_.filter + "\" cannot be merged");
    }
  }

  ImageHeader header_;
  typename Filter::Parameters parameters_;
  Filter filter_;
};

}  // namespace

std::unique_ptr<OpenFilter> open_own(std::span<const std::byte> bytes) {
  return refusing_bad([&] {
    MemorySource source(bytes);
    const ImageHeader header = read_header(source);
    check_contents(header, source.rest());
    std::unique_ptr<OpenFilter> found;
    for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
      if constexpr (Serializable<Filter>) {
        if (header.filter == Filter::name) {
          found = std::make_unique<OwnOpen<Filter>>(header, source.rest());
        }
      }
    });
    if (!found) throw FormatError("filter: \"" + header.filter + "\" is none of this release");
    return found;
  });
}

}  // namespace bloomlab::formats
