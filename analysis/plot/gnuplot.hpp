// Draws figures with gnuplot (5.4 or later, its SVG terminal): a figure becomes a script, the
// script a picture. Equal figures give equal bytes.
//
// Runs a program on a text and returns what it printed.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/plot/figure.hpp"

namespace bloomlab::analysis::plot {

/// The gnuplot script that writes the figure as SVG to standard output. Pure.
/// Throws std::invalid_argument, naming figure and series, where the figure cannot be drawn: a bad
/// name, no point at all, a number that is not finite, x <= 0 or y < 0 on a log axis, low > high,
/// an x that is no category, categories together with a ratio panel.
[[nodiscard]] std::string gnuplot_script(const Figure& figure);

/// Writes `directory`/<figure.name>.svg, whole or not at all, and returns its path. Creates the
/// folder if needed. `program` is looked up in PATH.
/// Throws std::invalid_argument as above, record::InputError (one line) where gnuplot cannot draw
/// it, record::RunError where gnuplot is missing or the file cannot be written.
std::filesystem::path draw(const Figure& figure, const std::filesystem::path& directory,
                           const std::string& program = "gnuplot");

/// Whether `program` is in PATH.
[[nodiscard]] bool can_draw(const std::string& program = "gnuplot");

/// What a program left behind.
struct Finished {
  bool found = false;  ///< false: no such program, nothing was run
  int status = 0;      ///< exit status; 128 + signal where a signal ended it
  std::string output;
  std::string errors;
};

/// Runs `program` (looked up in PATH) with one argument, `input` on its standard input, no other
/// environment than PATH and the C locale. Throws std::system_error where the system refuses.
[[nodiscard]] Finished run_program(const std::string& program, const std::string& argument,
                                   const std::string& input);

}  // namespace bloomlab::analysis::plot
