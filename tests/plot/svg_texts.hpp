// The texts of a drawn figure and the room that they take, read from the SVG itself.
#pragma once

#include <string>
#include <vector>

/// One <text> of a figure, in pixels, as wide as the widest of the usual fonts would draw it.
struct SvgText {
  std::string text;
  double left = 0;
  double right = 0;
  double top = 0;
  double bottom = 0;
};

/// Every text that is not empty.
[[nodiscard]] std::vector<SvgText> svg_texts(const std::string& svg);

/// What is wrong with the texts, a line each: one leaves the picture, two touch, one covers a
/// symbol of the legend or of the data, the name of a series is nowhere to be read.
[[nodiscard]] std::vector<std::string> text_faults(const std::string& svg);
