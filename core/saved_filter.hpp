// Keyed filters in files, streams and memory.
//
//     #include <bloomlab/core/saved_filter.hpp>
//
//     bloomlab::save_file(seen, "seen.bloom");
//     auto again = bloomlab::load_file<bloomlab::KeyedFilter<>>("seen.bloom");
//     const auto mapped = bloomlab::map_file<bloomlab::KeyedFilter<>>("seen.bloom");
//     if (mapped->contains("a text")) { ... }
//
// What is saved names filter, hash, hashing scheme, reduction, parameters and seed; all must fit
// the type that it is loaded as. Loading checks a checksum of everything, mapping that of the
// header, as it reads nothing else; verify() makes up for it. The checksums find accidents: they do
// not prove who wrote the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/filters/concepts.hpp"
#include "core/keyed_filter.hpp"
#include "core/serialization/bytes.hpp"
#include "core/serialization/contents_view.hpp"
#include "core/serialization/file.hpp"
#include "core/serialization/image.hpp"
#include "core/serialization/parameter_bytes.hpp"

namespace bloomlab {
namespace detail {

/// The names that an image of this type of filter has.
template <class Keyed>
struct ImageNames;
template <class Hash, class Filter, class Family, class Reduction>
struct ImageNames<KeyedFilter<Hash, Filter, Family, Reduction>> {
  [[nodiscard]] static ImageHeader header() {
    ImageHeader header{.filter = std::string(Filter::name),
                       .hash = std::string(Hash::name),
                       .family = {},
                       .reduction = {}};
    if constexpr (!Filter::chooses_positions) {
      header.family = Family::name;
      header.reduction = Reduction::name;
    }
    return header;
  }
};

template <class Keyed, class Write>
void save_pieces(const Keyed& keyed, const Write& write) {
  ContentsView view;
  Keyed::contents(keyed, view);
  ImageHeader header = ImageNames<Keyed>::header();
  header.seed = keyed.seed();
  ByteWriter parameters;
  ParameterWriter visit(parameters);
  auto copy = keyed.parameters();
  Keyed::filter_type::describe(visit, copy);
  header.parameters = parameters.take();
  RunningChecksum checksum;
  for (const auto piece : view.pieces()) {
    checksum.add(std::as_bytes(piece));
    header.contents_bytes += piece.size_bytes();
  }
  header.contents_checksum = checksum.value();
  write(std::span<const std::byte>(header_bytes(header)));
  for (const auto piece : view.pieces()) write(std::as_bytes(piece));
}

/// An empty filter as the header says. Throws FormatError.
template <class Keyed>
[[nodiscard]] Keyed empty_filter_of(const ImageHeader& header) {
  using Filter = typename Keyed::filter_type;
  require_names(header, ImageNames<Keyed>::header());
  ByteReader bytes(header.parameters);
  ParameterReader visit(bytes);
  typename Keyed::Parameters parameters{};
  Filter::describe(visit, parameters);
  if (bytes.left() != 0) throw FormatError("parameters: there are too many");
  if (auto fault = Filter::check(parameters)) throw FormatError(*fault);
  if (Filter::memory_bits(parameters, 0) / 8 > header.contents_bytes) {
    throw FormatError("contents: " + std::to_string(header.contents_bytes) +
                      " bytes are too few for these parameters");
  }
  try {
    return Keyed(parameters, header.seed);
  } catch (const std::invalid_argument& fault) {
    throw FormatError(fault.what());
  } catch (const std::length_error& fault) {
    throw FormatError(fault.what());
  }
}

}  // namespace detail

/// Writes the filter to a stream: anything with write(const char*, count), such as std::ostream.
/// The state of the stream is the caller's to look at.
template <class Keyed, class Stream>
requires requires(Stream& stream, const char* bytes, std::ptrdiff_t count) {
  stream.write(bytes, count);
}
void save(const Keyed& keyed, Stream& stream) {
  detail::save_pieces(keyed, [&stream](std::span<const std::byte> bytes) {
    stream.write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::ptrdiff_t>(bytes.size()));
  });
}
/// Writes the filter to a file, which has its name only when it is whole. Throws FileError.
template <class Keyed>
void save_file(const Keyed& keyed, const std::string& path) {
  FileSink sink(path);
  save(keyed, sink);
  sink.finish();
}
/// The filter as bytes.
template <class Keyed>
[[nodiscard]] std::vector<std::byte> saved_bytes(const Keyed& keyed) {
  std::vector<std::byte> all;
  detail::save_pieces(keyed, [&all](std::span<const std::byte> bytes) {
    all.insert(all.end(), bytes.begin(), bytes.end());
  });
  return all;
}

/// The filter that was saved, of a type such as KeyedFilter<>. Throws FormatError, and
/// AllocationError.
template <class Keyed>
[[nodiscard]] Keyed load(ByteSource& source) {
  const ImageHeader header = read_header(source);
  Keyed keyed = detail::empty_filter_of<Keyed>(header);
  ContentsLoader visit(source, header.contents_bytes);
  Keyed::contents(keyed, visit);
  visit.finish(header.contents_checksum);
  return keyed;
}
/// From a stream: anything with read(char*, count) and gcount(), such as std::istream.
template <class Keyed, class Stream>
requires requires(Stream& stream, char* bytes, std::ptrdiff_t count) {
  stream.read(bytes, count);
  stream.gcount();
}
[[nodiscard]] Keyed load(Stream& stream) {
  class Source final : public ByteSource {
   public:
    explicit Source(Stream& from) : from_(from) {}
    std::size_t read(std::span<std::byte> out) override {
      from_.read(reinterpret_cast<char*>(out.data()), static_cast<std::ptrdiff_t>(out.size()));
      return static_cast<std::size_t>(from_.gcount());
    }

   private:
    Stream& from_;
  };
  Source source(stream);
  return load<Keyed>(static_cast<ByteSource&>(source));
}
/// From bytes in memory; nothing may follow the filter.
template <class Keyed>
[[nodiscard]] Keyed load_bytes(std::span<const std::byte> bytes) {
  MemorySource source(bytes);
  Keyed keyed = load<Keyed>(static_cast<ByteSource&>(source));
  if (!source.rest().empty()) throw FormatError("end: bytes follow the filter; none are expected");
  return keyed;
}
/// From a file. Throws FileError too.
template <class Keyed>
[[nodiscard]] Keyed load_file(const std::string& path) {
  FileSource source(path);
  return load<Keyed>(static_cast<ByteSource&>(source));
}

/// A saved filter that is asked where it lies: it can be read and copied, not changed.
template <class Keyed>
class MappedFilter {
 public:
  [[nodiscard]] const Keyed& operator*() const noexcept { return keyed_; }
  [[nodiscard]] const Keyed* operator->() const noexcept { return &keyed_; }
  /// Whether the contents are as they were saved. Reads them all.
  [[nodiscard]] bool verify() const noexcept { return checksum_of(contents_) == checksum_; }

 private:
  template <class Of>
  friend MappedFilter<Of> map_bytes(std::span<const std::byte> bytes);
  template <class Of>
  friend MappedFilter<Of> map_file(const std::string& path);

  MappedFilter(Keyed keyed, std::span<const std::byte> contents, std::uint64_t checksum)
      : keyed_(std::move(keyed)), contents_(contents), checksum_(checksum) {}

  std::shared_ptr<const MappedFile> file_;  // or nothing: somebody else's memory
  Keyed keyed_;
  std::span<const std::byte> contents_;
  std::uint64_t checksum_;
};

/// A filter over the bytes of a saved one, which must outlive it, its copies' originals and moves.
/// Nothing but the header is read. Precondition: the bytes begin at a multiple of 8. Throws
/// FormatError.
template <class Keyed>
[[nodiscard]] MappedFilter<Keyed> map_bytes(std::span<const std::byte> bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) != 0) {
    throw std::invalid_argument("an image to be mapped must begin at a multiple of 8 bytes");
  }
  MemorySource source(bytes);
  const ImageHeader header = read_header(source);
  if (source.rest().size() != header.contents_bytes) {
    throw FormatError("contents: " + std::to_string(header.contents_bytes) +
                      " bytes are expected, " + std::to_string(source.rest().size()) +
                      " are there");
  }
  Keyed keyed = detail::empty_filter_of<Keyed>(header);
  ContentsMapper visit(source.rest());
  Keyed::contents(keyed, visit);
  visit.finish();
  return {std::move(keyed), source.rest(), header.contents_checksum};
}
/// A filter over a file, mapped; the file must not change meanwhile (MappedFile). Throws FileError
/// and FormatError.
template <class Keyed>
[[nodiscard]] MappedFilter<Keyed> map_file(const std::string& path) {
  auto file = std::make_shared<const MappedFile>(path);
  MappedFilter<Keyed> mapped = map_bytes<Keyed>(file->bytes());
  mapped.file_ = std::move(file);
  return mapped;
}

}  // namespace bloomlab
