#include "core/serialization/contents.hpp"

#include <array>
#include <string>

namespace bloomlab {

void ContentsReader::operator()(BitArray& bits) {
  require(bits.memory_bits());
  // Words of zeros are not written, lest they take memory.
  std::uint64_t word = 0;
  for (std::uint64_t i = 0; i < bits.words().size(); ++i) {
    in_.words({&word, 1}, "contents");
    if (word != 0) bits.set_word(i, word);
  }
  check(bits.ends_in_zeros(), "a bit behind the last one is set");
}

void ContentsReader::operator()(PackedArray& values) {
  in_.words(values.words(), "contents");
  check(values.ends_in_zeros(), "a bit behind the last value is set");
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
