#include "record/packed_json.hpp"

#include <cstddef>
#include <cstring>
#include <stdexcept>

namespace bloomlab::record {
namespace {

enum class Kind : char { null, no, yes, natural, negative, real, text, list, object };

constexpr unsigned bits_a_byte = 7;  // of a number; the eighth says that more follow
constexpr unsigned more = 1U << bits_a_byte;

void add(Kind kind, std::string& bytes) { bytes += static_cast<char>(kind); }

}  // namespace

JsonPacker::JsonPacker(const JsonPacker& other) : texts_(other.texts_) {
  for (std::size_t i = 0; i < texts_.size(); ++i) numbers_.emplace(texts_[i], i);
}

JsonPacker& JsonPacker::operator=(const JsonPacker& other) { return *this = JsonPacker(other); }

void JsonPacker::pack(std::uint64_t number, std::string& bytes) {
  for (; number >= more; number >>= bits_a_byte) bytes += static_cast<char>(number | more);
  bytes += static_cast<char>(number);
}

std::uint64_t JsonPacker::unpack_number(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += bits_a_byte) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= std::uint64_t{byte % more} << shift;
    if (byte < more) return number;
  }
}

std::uint64_t JsonPacker::number_of(const std::string& text) {
  const auto found = numbers_.find(text);
  if (found != numbers_.end()) return found->second;
  const std::uint64_t number = texts_.size();
  numbers_.emplace(texts_.emplace_back(text), number);
  return number;
}

void JsonPacker::pack(const Json& json, std::string& bytes) {
  switch (json.type()) {
    case Json::value_t::null:
      return add(Kind::null, bytes);
    case Json::value_t::boolean:
      return add(json.get<bool>() ? Kind::yes : Kind::no, bytes);
    case Json::value_t::number_unsigned:
      add(Kind::natural, bytes);
      return pack(json.get<std::uint64_t>(), bytes);
    case Json::value_t::number_integer:
      add(Kind::negative, bytes);
      return pack(static_cast<std::uint64_t>(json.get<std::int64_t>()), bytes);
    case Json::value_t::number_float: {
      add(Kind::real, bytes);
      const double number = json.get<double>();
      bytes.resize(bytes.size() + sizeof number);
      std::memcpy(bytes.data() + bytes.size() - sizeof number, &number, sizeof number);
      return;
    }
    case Json::value_t::string:
      add(Kind::text, bytes);
      return pack(number_of(json.get_ref<const std::string&>()), bytes);
    case Json::value_t::array:
      add(Kind::list, bytes);
      pack(json.size(), bytes);
      for (const Json& element : json) pack(element, bytes);
      return;
    case Json::value_t::object:
      add(Kind::object, bytes);
      pack(json.size(), bytes);
      for (const auto& [name, member] : json.get_ref<const Json::object_t&>()) {
        pack(number_of(name), bytes);
        pack(member, bytes);
      }
      return;
    case Json::value_t::binary:
    case Json::value_t::discarded:
      break;
  }
  throw std::logic_error("JSON text has no such value");
}

Json JsonPacker::unpack(std::string_view& bytes) const {
  const auto kind = static_cast<Kind>(bytes.front());
  bytes.remove_prefix(1);
  switch (kind) {
    case Kind::null:
      return nullptr;
    case Kind::no:
      return false;
    case Kind::yes:
      return true;
    case Kind::natural:
      return unpack_number(bytes);
    case Kind::negative:
      return static_cast<std::int64_t>(unpack_number(bytes));
    case Kind::real: {
      double number = 0;
      std::memcpy(&number, bytes.data(), sizeof number);
      bytes.remove_prefix(sizeof number);
      return number;
    }
    case Kind::text:
      return texts_[unpack_number(bytes)];
    case Kind::list: {
      const std::size_t size = unpack_number(bytes);
      Json list = Json::array();
      list.get_ref<Json::array_t&>().reserve(size);
      for (std::size_t i = 0; i < size; ++i) list.push_back(unpack(bytes));
      return list;
    }
    case Kind::object: {
      const std::size_t size = unpack_number(bytes);
      Json object = Json::object();
      auto& members = object.get_ref<Json::object_t&>();
      members.reserve(size);
      for (std::size_t i = 0; i < size; ++i) {
        const std::string& name = texts_[unpack_number(bytes)];
        members.emplace_back(name, unpack(bytes));  // it is known to be new: no search for it
      }
      return object;
    }
  }
  throw std::logic_error("no packer wrote these bytes");
}

}  // namespace bloomlab::record
