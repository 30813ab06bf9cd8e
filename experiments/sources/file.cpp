#include "experiments/sources/file.hpp"

#include <algorithm>
#include <filesystem>

#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

/// The kept lines of a file: a string each, and its text where it is not inside.
std::uint64_t held_bytes(const std::string& path) {
  std::error_code missing;
  const std::uintmax_t text = std::filesystem::file_size(path, missing);
  return missing ? 0 : shared_distinct_lines(path)->size() * sizeof(std::string) + text;
}

[[noreturn]] void refuse(const std::string& path, std::uint64_t lines, const std::string& what,
                         std::uint64_t needed) {
  throw record::InputError(path + ": has " + std::to_string(lines) + " distinct lines" + what +
                           " = " + std::to_string(needed) +
                           " are needed; ask for less or name a longer file");
}

}  // namespace

std::uint64_t File::supply(const Parameters& p) { return shared_distinct_lines(p.path)->size(); }

File::AbsentSupply File::absent_supply(const Parameters& p, std::uint64_t n) {
  const SharedPlaces places = shared_places(p.path, *p.absent_path);
  const auto left_out = static_cast<std::uint64_t>(
      std::ranges::count_if(*places, [&](std::uint64_t place) { return place < n; }));
  return {places->size() - left_out, left_out};
}

std::uint64_t File::memory_bytes(const Parameters& p, std::uint64_t n, std::uint64_t q) {
  const std::uint64_t views = (n + q) * sizeof(std::string_view);
  if (!p.absent_path) return views + held_bytes(p.path);
  const std::uint64_t places =
      shared_distinct_lines(*p.absent_path)->size() * sizeof(std::uint64_t);
  return views + held_bytes(p.path) + held_bytes(*p.absent_path) + places;
}

File::Keys::Keys(const Parameters& p, std::uint64_t /*seed*/, std::uint64_t n, std::uint64_t q)
    : lines_(shared_distinct_lines(p.path)), n_(n) {
  const std::uint64_t of_first = p.absent_path ? n : n + q;
  if (lines_->size() < n || lines_->size() - n < of_first - n) {
    refuse(p.path, lines_->size(), p.absent_path ? ", but n" : ", but n + queries", of_first);
  }
  views_.reserve(n + q);
  views_.assign(lines_->begin(), lines_->begin() + static_cast<std::ptrdiff_t>(of_first));
  if (!p.absent_path) return;
  absent_lines_ = shared_distinct_lines(*p.absent_path);
  const SharedPlaces places = shared_places(p.path, *p.absent_path);
  for (std::size_t i = 0; i < places->size() && views_.size() < n + q; ++i) {
    if ((*places)[i] >= n) views_.emplace_back((*absent_lines_)[i]);
  }
  if (views_.size() < n + q) {
    refuse(*p.absent_path, views_.size() - n, " that are not inserted, but queries", q);
  }
}

}  // namespace bloomlab::experiments
