#include "analysis/plot/gnuplot.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "analysis/plot/figure.hpp"
#include "analysis/plot/text.hpp"
#include "analysis/text/utf8.hpp"
#include "record/atomic_file.hpp"
#include "record/input_error.hpp"

namespace bloomlab::analysis::plot {

namespace {

// What gnuplot leaves to do in its SVG.

/// At night the lightness is turned round and the hues stay; brighter, as pale colours end dark.
/// Readers without style sheets ignore it.
const std::string dark_style =
    "<style>@media (prefers-color-scheme:dark){svg{filter:invert(.9) hue-rotate(180deg) "
    "brightness(1.25)}}</style>\n";

/// Puts `content` into the first <tag>...</tag>.
void replace_element(std::string& text, const std::string& tag, const std::string& content) {
  const std::string open = "<" + tag + ">";
  const std::size_t begin = text.find(open);
  const std::size_t end = text.find("</" + tag + ">", begin);
  if (begin == std::string::npos || end == std::string::npos) return;
  text.replace(begin + open.size(), end - begin - open.size(), content);
}

/// Drops "<g ...>" directly followed by "</g>" on the next line.
std::string without_empty_groups(const std::string& text) {
  constexpr std::string_view close = "</g>\n";
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const bool opens = text.compare(at, 3, "<g ") == 0;
    if (opens && text.compare(end, close.size(), close) == 0) {
      at = end + close.size();
      continue;
    }
    result.append(text, at, end - at);
    at = end;
  }
  return result;
}

/// gnuplot's SVG with the figure's title and caption as title and description (for readers that
/// speak) where gnuplot names itself and its version, so that the bytes are the same for every
/// patch level; with one list of fonts that most systems have one of; with ids of its own, so that
/// several figures can stand in one page; dark where its reader's screen is; and without gnuplot's
/// empty groups.
std::string finish_svg(std::string_view svg, const Figure& figure) {
  std::string text(svg);
  replace_element(text, "title", xml_text(figure.title));
  replace_element(text, "desc", xml_text(figure.caption));
  replace_all(text, "<defs>", dark_style + "<defs>");
  replace_all(text, " font-family=\"sans-serif\"", "");
  replace_all(text, "<g id=\"gnuplot_canvas\">",
              "<g font-family=\"Arial, Helvetica, 'Liberation Sans', sans-serif\">");
  for (const std::string id : {"gpPt", "gpDot", "gnuplot_plot_", "textbox", "greybox"}) {
    const std::string own = figure.name + "-" + id;
    replace_all(text, "id='" + id, "id='" + own);
    replace_all(text, "id=\"" + id, "id=\"" + own);
    replace_all(text, "'#" + id, "'#" + own);
  }
  return without_empty_groups(text);
}

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
    throw record::InputError(path.string() + ": \"" + program + "\" ended with status " +
                             std::to_string(finished.status) + " and no complete figure: " +
                             (finished.errors.empty() ? "no message" : one_line(finished.errors)) +
                             "; figures need gnuplot 5.4 or later with the SVG terminal");
  }
  return finished.output;
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
/// A file without a name: gone when closed. Files instead of pipes cannot block each other.
using ScratchFile = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void refuse(int error, const char* what) {
  throw std::system_error(error, std::generic_category(), what);
}

ScratchFile scratch_file() {
  ScratchFile file(std::tmpfile());
  if (!file) refuse(errno, "cannot make a temporary file");
  return file;
}

void write_all(std::FILE* file, const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0) {
    refuse(errno, "cannot write a temporary file");
  }
  std::rewind(file);
}

std::string read_all(std::FILE* file) {
  std::rewind(file);
  std::string text;
  std::array<char, 65536> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file)) {
    text.append(buffer.data(), got);
  }
  return text;
}

/// The three standard streams of a child.
class Streams {
 public:
  Streams(std::FILE* input, std::FILE* output, std::FILE* errors) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, fileno(input), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, fileno(output), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, fileno(errors), STDERR_FILENO);
  }
  ~Streams() { posix_spawn_file_actions_destroy(&actions_); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) refuse(errno, "cannot wait for a program");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

fs::path draw(const Figure& figure, const fs::path& directory, const std::string& program) {
  const std::string script = gnuplot_script(figure);
  fs::path path = directory / (figure.name + ".svg");
  const std::string svg = finish_svg(run_gnuplot(script, path, program), figure);
  record::write_atomically(path, svg);
  return path;
}

bool can_draw(const std::string& program) { return run_program(program, "--version", "").found; }

Finished run_program(const std::string& program, const std::string& argument,
                     const std::string& input) {
  const ScratchFile in = scratch_file();
  const ScratchFile out = scratch_file();
  const ScratchFile err = scratch_file();
  write_all(in.get(), input);
  const char* const path_value = std::getenv("PATH");
  std::string path = std::string("PATH=") + (path_value != nullptr ? path_value : "");
  std::string locale = "LC_ALL=C";
  std::string name = program;
  std::string option = argument;
  const std::array<char*, 3> arguments = {name.data(), option.data(), nullptr};
  const std::array<char*, 3> environment = {path.data(), locale.data(), nullptr};
  const Streams streams(in.get(), out.get(), err.get());
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), streams.get(), nullptr, arguments.data(),
                                 environment.data());
  if (error == ENOENT || error == EACCES || error == ENOTDIR) return {};
  if (error != 0) refuse(error, "cannot start a program");
  Finished finished{true, wait_for(child), {}, {}};
  finished.output = read_all(out.get());
  finished.errors = read_all(err.get());
  return finished;
}

}  // namespace bloomlab::analysis::plot
