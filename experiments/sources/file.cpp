#include "experiments/sources/file.hpp"

#include <filesystem>

#include "record/input_error.hpp"

namespace bloomlab::experiments {

std::uint64_t File::supply(const Parameters& p) { return shared_distinct_lines(p.path)->size(); }

std::uint64_t File::memory_bytes(const Parameters& p, std::uint64_t n, std::uint64_t q) {
  // A view a key, and the kept lines: a string each, and its text where it is not inside.
  std::error_code missing;
  const std::uintmax_t text = std::filesystem::file_size(p.path, missing);
  const std::uint64_t lines = missing ? 0 : supply(p);
  return (n + q) * sizeof(std::string_view) + lines * sizeof(std::string) + (missing ? 0 : text);
}

File::Keys::Keys(const Parameters& p, std::uint64_t /*seed*/, std::uint64_t n, std::uint64_t q)
    : lines_(shared_distinct_lines(p.path)), n_(n) {
  if (lines_->size() < n || lines_->size() - n < q) {
    throw record::InputError(p.path + ": has " + std::to_string(lines_->size()) +
                             " distinct lines, but n + queries = " + std::to_string(n + q) +
                             " are needed; ask for less or name a longer file");
  }
  views_.assign(lines_->begin(), lines_->begin() + static_cast<std::ptrdiff_t>(n + q));
}

}  // namespace bloomlab::experiments
