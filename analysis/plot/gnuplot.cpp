#include "analysis/plot/gnuplot.hpp"

#include <cstddef>
#include <fstream>
#include <system_error>

#include "analysis/plot/process.hpp"
#include "analysis/plot/svg.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis::plot {
namespace {

namespace fs = std::filesystem;
using record::RunError;

/// What gnuplot said, on one line: it puts a caret under the place, then the message.
std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == '\n' || c == '\t' || c == ' ';
    if (!space) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  constexpr std::size_t longest = 400;
  return line.size() > longest ? "... " + line.substr(line.size() - longest) : line;
}

std::string run_gnuplot(const std::string& script, const fs::path& path,
                        const std::string& program) {
  // -d: no start-up file of the user may change the figure.
  const Finished finished = run_program(program, "-d", script);
  if (!finished.found) {
    throw RunError(path.string() + ": \"" + program +
                   "\" is not in PATH; figures need gnuplot 5.4 or later: install the package "
                   "gnuplot-nox");
  }
  if (finished.status != 0 || !finished.output.ends_with("</svg>\n\n")) {
    throw RunError(path.string() + ": \"" + program + "\" ended with status " +
                   std::to_string(finished.status) + " and no complete figure: " +
                   (finished.errors.empty() ? "no message" : one_line(finished.errors)) +
                   "; figures need gnuplot 5.4 or later with the SVG terminal");
  }
  return finished.output;
}

/// To a file beside it, then renamed over it: never half a figure.
void write_whole(const fs::path& path, const std::string& text) {
  const fs::path unfinished = path.string() + ".unfinished";
  std::ofstream file(unfinished, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) fs::rename(unfinished, path, error);
  if (!file || error) {
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    throw RunError(path.string() + ": cannot be written" + (error ? ": " + error.message() : "") +
                   "; check that the folder exists, is writable and has space");
  }
}

}  // namespace

fs::path draw(const Figure& figure, const fs::path& directory, const std::string& program) {
  const std::string script = gnuplot_script(figure);
  const fs::path path = directory / (figure.name + ".svg");
  const std::string svg = finish_svg(run_gnuplot(script, path, program), figure);
  std::error_code ignored;  // a folder that cannot be made shows when the file is written
  fs::create_directories(directory, ignored);
  write_whole(path, svg);
  return path;
}

}  // namespace bloomlab::analysis::plot
