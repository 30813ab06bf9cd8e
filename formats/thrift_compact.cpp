#include "formats/thrift_compact.hpp"

#include "formats/big_endian.hpp"

namespace bloomlab::formats {
namespace {

constexpr int most_nested = 32;

ThriftType type_of(std::uint64_t bits) {
  if (bits > static_cast<std::uint64_t>(ThriftType::structure)) {
    refuse_bytes("Thrift", "type " + std::to_string(bits) + " is none");
  }
  return static_cast<ThriftType>(bits);
}

}  // namespace

void ThriftReader::descend() {
  if (++depth_ > most_nested) refuse_bytes("Thrift", "structures are nested too deeply");
}

std::uint64_t ThriftReader::varint(std::string_view what) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint64_t byte = in_.number(1, what);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  refuse_bytes(what, "a number has more than 64 bits");
}

std::int64_t ThriftReader::integer(std::string_view what) {
  const std::uint64_t zigzag = varint(what);
  return static_cast<std::int64_t>(zigzag >> 1 ^ (0 - (zigzag & 1)));
}

std::string ThriftReader::text(std::string_view what) {
  const auto letters = in_.take(varint(what), what);
  std::string value;
  for (const std::byte letter : letters) value.push_back(std::to_integer<char>(letter));
  return value;
}

ThriftReader::FieldStart ThriftReader::field_start() {
  const std::uint64_t start = in_.number(1, "field");
  return {static_cast<int>(start >> 4), type_of(start & 15)};
}

ThriftReader::ListStart ThriftReader::list_start() {
  const std::uint64_t start = in_.number(1, "list");
  const ThriftType type = type_of(start & 15);
  const std::uint64_t count = start >> 4 == 15 ? varint("list") : start >> 4;
  // Every element takes a byte or more.
  if (count > in_.left() || (type == ThriftType::stop && count != 0)) {
    refuse_bytes("list",
                 std::to_string(count) + " elements in " + std::to_string(in_.left()) + " bytes");
  }
  return {count, type};
}

void ThriftReader::skip(ThriftType type, bool in_list) {
  switch (type) {
    case ThriftType::yes:
    case ThriftType::no:
      if (in_list) static_cast<void>(in_.take(1, "bool"));
      return;
    case ThriftType::byte:
      static_cast<void>(in_.take(1, "byte"));
      return;
    case ThriftType::i16:
    case ThriftType::i32:
    case ThriftType::i64:
      static_cast<void>(varint("integer"));
      return;
    case ThriftType::real:
      static_cast<void>(in_.take(8, "real"));
      return;
    case ThriftType::binary:
      static_cast<void>(in_.take(varint("text"), "text"));
      return;
    case ThriftType::list:
    case ThriftType::set:
      return list([&](std::uint64_t, ThriftType of) { skip(of, true); });
    case ThriftType::structure:
      return structure([&](int, ThriftType of) { skip(of); });
    case ThriftType::map:
    case ThriftType::stop:
      break;
  }
  refuse_bytes("Thrift", "a map or an empty type, which Parquet's headers have not");
}

}  // namespace bloomlab::formats
