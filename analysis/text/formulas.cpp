#include "analysis/text/formulas.hpp"

#include <algorithm>

namespace bloomlab::analysis {

namespace {

constexpr std::size_t npos = std::string_view::npos;

std::size_t run_of(std::string_view line, std::size_t at) {
  return std::min(line.find_first_not_of(line[at], at), line.size()) - at;
}

/// Where a run of exactly `length` characters `mark` begins; npos where none does.
std::size_t find_run(std::string_view line, char mark, std::size_t length, std::size_t from) {
  for (std::size_t at = line.find(mark, from); at != npos; at = line.find(mark, at)) {
    const std::size_t found = run_of(line, at);
    const bool escaped = mark == '$' && at > 0 && line[at - 1] == '\\';
    if (found == length && !escaped) return at;
    at += found;
  }
  return npos;
}

}  // namespace

std::vector<Formula> formulas_in(std::string_view line) {
  constexpr std::size_t most_signs = 2;
  std::vector<Formula> formulas;
  for (std::size_t at = line.find_first_of("\\`$"); at != npos;
       at = line.find_first_of("\\`$", at)) {
    if (line[at] == '\\') {
      at += 2;
      continue;
    }
    const std::size_t length = run_of(line, at);
    const std::size_t begin = at + length;
    const std::size_t close = find_run(line, line[at], length, begin);
    if (close != npos && line[at] == '$' && length <= most_signs) {
      formulas.push_back({.begin = at,
                          .end = close + length,
                          .tex = line.substr(begin, close - begin),
                          .display = length == most_signs});
    }
    at = close == npos ? begin : close + length;
  }
  return formulas;
}

}  // namespace bloomlab::analysis
