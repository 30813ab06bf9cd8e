#include "experiments/applications/texts.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

#include "core/keys/keyed_permutation.hpp"
#include "experiments/applications/draws.hpp"
#include "experiments/sources/lines.hpp"
#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

/// Text number i of a generator that gives every number another text.
using Generator = void (*)(const KeyedPermutation& numbers, std::uint64_t i, std::string& out);

/// Digits to base 36 by twos, the lower one first.
constexpr auto digit_pairs = [] {
  constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::array<std::array<char, 2>, 36 * 36> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {digits[i % 36], digits[i / 36]};
  return pairs;
}();

/// The 64 bits of the number's image to base 36, the lowest digit first, and a host.
void write_address(const KeyedPermutation& numbers, std::uint64_t i, std::string& out) {
  static constexpr std::array<std::string_view, 8> hosts = {
      "example.com", "mail.example.org", "post.example.net", "example.edu",
      "a.example",   "office.example",   "shop.example",     "news.example"};
  const std::uint64_t image = numbers(i);
  out.clear();
  std::uint64_t rest = image;
  for (; rest >= digit_pairs.size(); rest /= digit_pairs.size()) {
    out.append(digit_pairs[rest % digit_pairs.size()].data(), 2);
  }
  if (rest != 0) out.append(digit_pairs[rest].data(), rest < 36 ? 1 : 2);
  out += '@';
  out += hosts[image % hosts.size()];
}

using Syllables = std::array<std::string_view, 16>;

/// Two syllables and four, of one script in turn, from 24 bits.
void write_name(const KeyedPermutation& numbers, std::uint64_t i, std::string& out) {
  static constexpr std::array<Syllables, 3> scripts = {
      Syllables{"An", "Be", "Cla", "Da", "El", "Fri", "Ge", "Ha", "Jo", "Ka", "La", "Ma", "No",
                "Ri", "Sa", "Tho"},
      Syllables{"Ан", "Бо", "Ви", "Га", "Де", "Еле", "Же", "Зи", "Ива", "Ка", "Лю", "Ма", "Ни",
                "Оль", "Па", "Сер"},
      Syllables{"王", "李", "张", "刘", "陈", "杨", "黄", "赵", "周", "吴", "徐", "孙", "马", "朱",
                "胡", "林"}};
  constexpr std::uint64_t mask = (std::uint64_t{1} << 24) - 1;
  const Syllables& syllables = scripts[i % scripts.size()];
  // Three bijections of 24 bits: an odd factor, a shift folded in, an odd factor.
  std::uint64_t bits = (i / scripts.size() * (numbers(0) | 1)) & mask;
  bits ^= bits >> 12;
  bits = (bits * (numbers(1) | 1)) & mask;
  out.clear();
  for (int syllable = 0; syllable < 6; ++syllable, bits >>= 4) {
    if (syllable == 2) out += ' ';
    out += syllables[bits & 15];
  }
}

class GeneratedTexts final : public Texts {
 public:
  GeneratedTexts(Generator write, std::uint64_t n, std::uint64_t seed)
      : write_(write), numbers_(seed), n_(n), next_(n) {}

  [[nodiscard]] std::uint64_t size() const override { return n_; }
  void listed(std::uint64_t i, std::string& out) const override { write_(numbers_, i, out); }
  void next_unlisted(std::string& out) override { write_(numbers_, next_++, out); }

 private:
  Generator write_;
  KeyedPermutation numbers_;
  std::uint64_t n_;
  std::uint64_t next_;
};

/// One letter inserted, left out or replaced, at a place that is drawn.
void edit(std::string& word, KeyedDraws& draws) {
  const auto letter = static_cast<char>('a' + draws.below(26));
  const std::uint64_t way = word.empty() ? 0 : draws.below(3);
  const auto place = static_cast<std::size_t>(draws.below(word.size() + (way == 0 ? 1 : 0)));
  if (way == 0) {
    word.insert(place, 1, letter);
  } else if (way == 1) {
    word.erase(place, 1);
  } else {
    word[place] = letter;
  }
}

class FileTexts final : public Texts {
 public:
  FileTexts(const std::string& path, std::uint64_t n, int edits, std::uint64_t seed)
      : lines_(shared_distinct_lines(path)),
        size_(n == 0 ? lines_->size() : std::min<std::uint64_t>(n, lines_->size())),
        taken_(lines_->begin(), lines_->end()),
        edits_(edits),
        draws_(seed) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  void listed(std::uint64_t i, std::string& out) const override {
    out = (*lines_)[static_cast<std::size_t>(i)];
  }
  void next_unlisted(std::string& out) override {
    do {
      listed(draws_.below(size_), out);
      for (int i = 0; i < edits_; ++i) edit(out, draws_);
    } while (out.empty() || !taken_.insert(out).second);
  }

 private:
  SharedLines lines_;
  std::uint64_t size_;
  std::unordered_set<std::string> taken_;  // lines, and misspellings that were given
  int edits_;
  KeyedDraws draws_;
};

/// Without their hyphens.
constexpr std::array<std::string_view, exceptions_of_hyphenation> exceptions = {
    "associate",    "associates",  "declination", "obligatory", "philanthropic",
    "present",      "presents",    "project",     "projects",   "reciprocity",
    "recognizance", "reformation", "retribution", "table"};

std::vector<std::string> listed_lines(const std::string& list, std::uint64_t n) {
  std::vector<std::string> lines;
  if (list == hyphenation_exceptions) {
    lines.assign(exceptions.begin(), exceptions.end());
  } else {
    lines = *shared_distinct_lines(list);
  }
  if (n != 0 && n < lines.size()) lines.resize(static_cast<std::size_t>(n));
  return lines;
}

class LinesBesideList final : public Texts {
 public:
  LinesBesideList(const std::string& list, std::uint64_t n, const std::string& path)
      : listed_(listed_lines(list, n)),
        known_(listed_.begin(), listed_.end()),
        path_(path),
        lines_(shared_distinct_lines(path)) {}

  [[nodiscard]] std::uint64_t size() const override { return listed_.size(); }
  void listed(std::uint64_t i, std::string& out) const override {
    out = listed_[static_cast<std::size_t>(i)];
  }
  void next_unlisted(std::string& out) override {
    while (next_ < lines_->size() && known_.contains((*lines_)[next_])) ++next_;
    if (next_ == lines_->size()) {
      throw record::InputError(path_ + ": has " + std::to_string(given_) +
                               " lines that are not on the list, but unlisted is more; use a "
                               "larger file or a smaller unlisted");
    }
    out = (*lines_)[next_++];
    ++given_;
  }

 private:
  std::vector<std::string> listed_;
  std::unordered_set<std::string> known_;
  std::string path_;
  SharedLines lines_;
  std::size_t next_ = 0;
  std::uint64_t given_ = 0;
};

}  // namespace

bool is_generated(const std::string& list) { return list == "addresses" || list == "names"; }

std::unique_ptr<Texts> make_texts(const std::string& list, std::uint64_t n, Unlisted unlisted,
                                  std::uint64_t seed, const std::string& path) {
  if (unlisted == Unlisted::lines) return std::make_unique<LinesBesideList>(list, n, path);
  if (is_generated(list)) {
    return std::make_unique<GeneratedTexts>(list == "names" ? write_name : write_address, n, seed);
  }
  return std::make_unique<FileTexts>(list, n, unlisted == Unlisted::distance_2 ? 2 : 1, seed);
}

}  // namespace bloomlab::experiments
