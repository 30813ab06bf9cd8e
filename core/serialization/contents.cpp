#include "core/serialization/contents.hpp"

#include <array>
#include <string>

namespace bloomlab {

void ContentsReader::operator()(BitArray& bits) {
  const std::uint64_t words = bits.words().size();
  require(words * 64);
  std::uint64_t word = 0;
  for (std::uint64_t i = 0; i < words; ++i) {
    in_.words({&word, 1}, "contents");
    const std::uint64_t left = bits.size() - 64 * i;
    check(left >= 64 || (word >> left) == 0, "a bit behind the last one is set");
    if (word != 0) bits.set_word(i, word);
  }
}

void ContentsReader::operator()(PackedArray& values) {
  in_.words(values.words(), "contents");
  const std::uint64_t end = values.size() * values.width();
  std::uint64_t behind = values.words()[end / 64] >> (end % 64);
  for (std::uint64_t i = end / 64 + 1; i < values.words().size(); ++i) {
    behind |= values.words()[i];
  }
  check(behind == 0, "a bit behind the last value is set");
}

void ContentsReader::require(std::uint64_t bits) const {
  if (bits / 8 <= in_.left()) return;
  throw FormatError("contents: " + std::to_string(bits / 8) + " bytes are needed, " +
                    std::to_string(in_.left()) + " are left");
}

void ContentsReader::check(bool holds, std::string_view what) const {
  if (holds) return;
  std::string text = "contents: ";
  text += what;
  throw FormatError(text);
}

}  // namespace bloomlab
