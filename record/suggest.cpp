#include "record/suggest.hpp"

#include <algorithm>
#include <vector>

namespace bloomlab::record {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the table: a swap looks two rows back.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::optional<std::string_view> nearest(std::string_view found,
                                        std::span<const std::string_view> known) {
  constexpr std::size_t longest_worth_comparing = 64;
  constexpr std::size_t shortest_beginning = 3;
  if (found.empty() || found.size() > longest_worth_comparing) return std::nullopt;
  const std::size_t limit = std::max<std::size_t>(2, found.size() / 3);
  std::optional<std::string_view> best;
  std::size_t best_distance = limit + 1;
  for (const std::string_view word : known) {
    const bool beginning = found.size() >= shortest_beginning && word.starts_with(found);
    const std::size_t distance = beginning ? 1 : edit_distance(found, word);
    // Replacing every letter of a short word is no likeness.
    if (distance < best_distance && distance < std::max(found.size(), word.size())) {
      best = word;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view found, std::span<const std::string_view> known) {
  if (const auto word = nearest(found, known)) {
    return "did you mean \"" + std::string(*word) + "\"?";
  }
  std::string text = "known:";
  for (const std::string_view word : known) {
    text += (text.back() == ':' ? " \"" : ", \"") + std::string(word) + "\"";
  }
  return known.empty() ? "none is known here" : text;
}

}  // namespace bloomlab::record
