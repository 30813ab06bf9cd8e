// How wide characters are, whichever of the usual fonts draws them: the widest of DejaVu Sans and
// of Liberation Sans, whose widths are Arial's and Helvetica's. A figure is laid out with these,
// since nobody knows which font its reader has. The numbers are written by font_widths.py.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace bloomlab::analysis::plot {

enum class Weight { regular, bold };

/// Widths of characters that follow each other, in thousandths of the font's size.
struct WidthRange {
  char32_t first = 0;
  std::span<const std::uint16_t> widths;
};

/// The ranges by increasing character.
[[nodiscard]] std::span<const WidthRange> font_widths(Weight weight);

}  // namespace bloomlab::analysis::plot
