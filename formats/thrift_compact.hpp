// Reads Thrift's compact protocol, as far as Parquet's headers need it.
// Source: Apache Thrift, doc/specs/thrift-compact-protocol.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/serialization/bytes.hpp"

namespace bloomlab::formats {

/// Types of fields and elements.
enum class ThriftType : std::uint8_t {
  stop = 0,
  yes = 1,
  no = 2,
  byte = 3,
  i16 = 4,
  i32 = 5,
  i64 = 6,
  real = 7,
  binary = 8,
  list = 9,
  set = 10,
  map = 11,
  structure = 12,
};

/// Reads from the front. Every member throws FormatError for bytes that are no such value.
class ThriftReader {
 public:
  explicit ThriftReader(ByteReader& in) noexcept : in_(in) {}

  /// Calls field(id, type) for every field of a structure; what it leaves, it must skip().
  template <class Field>
  void structure(Field&& field) {
    descend();
    int id = 0;
    for (;;) {
      const auto [delta, type] = field_start();
      if (type == ThriftType::stop) break;
      id = delta != 0 ? id + delta : static_cast<int>(integer("field"));
      field(id, type);
    }
    --depth_;
  }
  /// Calls element(index, type) for every element of a list.
  template <class Element>
  void list(Element&& element) {
    descend();
    const auto [count, type] = list_start();
    for (std::uint64_t i = 0; i < count; ++i) element(i, type);
    --depth_;
  }
  [[nodiscard]] std::int64_t integer(std::string_view what);
  [[nodiscard]] std::string text(std::string_view what);
  /// @param in_list whether it is an element: there a bool takes a byte
  void skip(ThriftType type, bool in_list = false);

 private:
  struct FieldStart {
    int delta;
    ThriftType type;
  };
  struct ListStart {
    std::uint64_t count;
    ThriftType type;
  };
  [[nodiscard]] FieldStart field_start();
  [[nodiscard]] ListStart list_start();
  [[nodiscard]] std::uint64_t varint(std::string_view what);
  void descend();

  ByteReader& in_;
  int depth_ = 0;
};

}  // namespace bloomlab::formats
