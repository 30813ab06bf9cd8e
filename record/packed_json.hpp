// JSON values in few bytes: names and texts are kept once, however often they come, and of a value
// only what is its own. A tree takes 48 bytes for each member and more for its text: the ten counts
// of a trial take some 40 bytes here in place of 500.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "record/json.hpp"

namespace bloomlab::record {

/// Packs values, and makes them again. What one packer has packed only that one, or a copy of it,
/// can make again. Const members may be called by several threads at once.
class JsonPacker {
 public:
  JsonPacker() = default;
  // The names are looked up by views of the texts, which stay where they are.
  JsonPacker(JsonPacker&&) = default;
  JsonPacker& operator=(JsonPacker&&) = default;
  JsonPacker(const JsonPacker& other);
  JsonPacker& operator=(const JsonPacker& other);
  ~JsonPacker() = default;

  /// Appends a value to `bytes`. Every kind of number comes back as that kind.
  void pack(const Json& json, std::string& bytes);
  /// Appends a number, such as how many values follow.
  static void pack(std::uint64_t number, std::string& bytes);

  /// The value at the beginning of `bytes`, which then begin behind it. Precondition: this packer
  /// wrote them.
  [[nodiscard]] Json unpack(std::string_view& bytes) const;
  [[nodiscard]] static std::uint64_t unpack_number(std::string_view& bytes);

 private:
  [[nodiscard]] std::uint64_t number_of(const std::string& text);

  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint64_t> numbers_;
};

}  // namespace bloomlab::record
