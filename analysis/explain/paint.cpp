#include "analysis/explain/paint.hpp"

namespace bloomlab::analysis::explain {
namespace {

std::string_view sequence(Ink ink) {
  switch (ink) {
    case Ink::heading:
      return "\x1b[1m";
    case Ink::fresh:
      return "\x1b[1;32m";
    case Ink::standing:
      return "\x1b[33m";
    case Ink::missing:
      return "\x1b[1;31m";
    case Ink::faint:
      return "\x1b[2m";
  }
  return "";
}

}  // namespace

std::string painted(std::string_view text, Ink ink, Colours colours) {
  if (colours == Colours::none) return std::string(text);
  std::string result(sequence(ink));
  return result.append(text).append("\x1b[0m");
}

}  // namespace bloomlab::analysis::explain
