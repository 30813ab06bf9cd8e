// Text inside a figure: safe for gnuplot's enhanced mode, measured in pixels, broken into lines;
// and numbers as tick labels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::analysis::plot {

enum class Weight { regular, bold };

/// The text as a single-quoted string of gnuplot that enhanced mode prints as it stands: nothing in
/// it is read as markup, as a command or as a format. Cleans it first.
[[nodiscard]] std::string quoted_text(std::string_view text);

/// The same for a tick label, which gnuplot also reads as a number format (`%`).
[[nodiscard]] std::string quoted_tick_text(std::string_view text);

/// Width in pixels at a font size in pixels, in the widest of the usual fonts: DejaVu Sans and
/// Liberation Sans, whose widths are Arial's and Helvetica's (font_widths.json, written by
/// font_widths.py). Whichever of them draws the text, it takes no more.
[[nodiscard]] double text_width(std::string_view text, double font_size,
                                Weight weight = Weight::regular);

/// As text_width, for a tick label with markup as power_label makes it.
[[nodiscard]] double label_width(std::string_view label, double font_size);

/// Lines of at most `width` pixels, broken at spaces or between East Asian characters. A longer
/// word stands alone on its line. At least one line, which may be empty.
[[nodiscard]] std::vector<std::string> wrap_text(std::string_view text, double width,
                                                 double font_size, Weight weight = Weight::regular);

/// The number with 9 significant digits as gnuplot reads it, the same in every locale.
[[nodiscard]] std::string data_number(double value);

/// The number with `decimals` places, the same in every locale; never "-0".
[[nodiscard]] std::string fixed_number(double value, int decimals);

/// A tick label for people, as enhanced-mode markup without quotes: 0.05, 12 000 (thin space).
[[nodiscard]] std::string plain_label(double value, int decimals);

/// As plain_label with as many places, up to 7 significant digits, as the value needs.
[[nodiscard]] std::string shortest_label(double value);

/// A tick label in powers of ten, as enhanced-mode markup without quotes: 10^{-3}, 2x10^{5} (with a
/// multiplication sign), 0.
[[nodiscard]] std::string power_label(double value);

}  // namespace bloomlab::analysis::plot
