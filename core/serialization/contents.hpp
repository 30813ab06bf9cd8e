// The contents of a filter, beside its parameters: how a filter says once what is written and read.
//
// A filter that can be serialized has
//     template <class Self, class Visitor> static void contents(Self& self, Visitor& visit) {
//       visit(self.bits_);
//       visit(self.inserted_);
//     }
// The writer visits a const filter, the reader (Visitor::reading) one that is empty. Where sizes
// depend on the contents, the reader's filter is made larger only after visit.require() has seen
// that the bytes for it are there; what must hold lest the filter misbehave is told to
// visit.check().
#pragma once

#include <cstdint>
#include <string_view>

#include "core/bits/bit_array.hpp"
#include "core/bits/packed_array.hpp"
#include "core/bits/zeroed_memory.hpp"
#include "core/serialization/bytes.hpp"

namespace bloomlab {

/// Writes contents.
class ContentsWriter {
 public:
  static constexpr bool reading = false;
  explicit ContentsWriter(ByteWriter& out) noexcept : out_(out) {}

  void operator()(std::uint64_t value) { out_.number(value, 8); }
  void operator()(const BitArray& bits) { out_.words(bits.words()); }
  void operator()(const PackedArray& values) { out_.words(values.words()); }
  void operator()(const ZeroedMemory& memory) { out_.words(memory.words()); }
  void require(std::uint64_t /*bits*/) noexcept {}
  void check(bool /*holds*/, std::string_view /*what*/) noexcept {}

 private:
  ByteWriter& out_;
};

/// Reads contents into arrays that are already as large as they will be. Throws FormatError.
class ContentsReader {
 public:
  static constexpr bool reading = true;
  explicit ContentsReader(ByteReader& in) noexcept : in_(in) {}

  void operator()(std::uint64_t& value) { value = in_.number(8, "contents"); }
  void operator()(BitArray& bits);
  void operator()(PackedArray& values);
  void operator()(ZeroedMemory& memory) { in_.words(memory.words(), "contents"); }
  /// Throws where so many bits cannot follow: call it before allocating them.
  void require(std::uint64_t bits) const;
  /// Throws where something does not hold that the filter relies on; `what` says what.
  void check(bool holds, std::string_view what) const;

 private:
  ByteReader& in_;
};

/// A filter that can be serialized.
template <class Filter>
concept Serializable = requires(Filter& filter, const Filter& view, ContentsReader& reader,
                                ContentsWriter& writer) {
  Filter::contents(filter, reader);
  Filter::contents(view, writer);
};

}  // namespace bloomlab
