// Texts of which a list is known, and others that are not on it: generated addresses, generated
// names in three scripts, the words of a file and their misspellings, words whose hyphens no rule
// finds.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace bloomlab::experiments {

/// How the texts that are not on the list are made.
enum class Unlisted {
  fresh,       ///< by the same generator, with further numbers
  distance_1,  ///< a listed text with one letter inserted, left out or replaced
  distance_2,  ///< two such edits one after the other
  lines        ///< the lines of a second file, in their order
};

/// A list of distinct texts, and an endless row of texts that are not on it.
class Texts {
 public:
  Texts() = default;
  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;
  virtual ~Texts() = default;

  /// How many are listed.
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Writes listed text number i < size().
  virtual void listed(std::uint64_t i, std::string& out) const = 0;
  /// Writes the next text that is not on the list; none comes twice.
  virtual void next_unlisted(std::string& out) = 0;
};

/// @param list "addresses" or "names", n of them, or else the path of a file with one text a line:
///   its first n distinct lines, all where n is 0 or more than it has
///   or "hyphenation_exceptions", the first n of them, all where n is 0
/// @param seed which texts are generated, and which are drawn that are not on the list
/// @param path of the second file for Unlisted::lines
/// A misspelling is no line of the file at all. Throws record::InputError where a file cannot be
/// read, and next_unlisted() where the second has no further line.
[[nodiscard]] std::unique_ptr<Texts> make_texts(const std::string& list, std::uint64_t n,
                                                Unlisted unlisted, std::uint64_t seed,
                                                const std::string& path = "");

/// Whether the list is generated and not a file.
[[nodiscard]] bool is_generated(const std::string& list);

/// The list of the words that TeX's patterns for American English hyphenate wrongly, as its file
/// hyphen.tex has them in \hyphenation (Knuth 1983; Liang 1983, "Word hy-phen-a-tion by
/// com-put-er").
inline constexpr std::string_view hyphenation_exceptions = "hyphenation_exceptions";
inline constexpr std::uint64_t exceptions_of_hyphenation = 14;

/// Names that the generator has.
inline constexpr std::uint64_t most_names = 3 * (std::uint64_t{1} << 24);

}  // namespace bloomlab::experiments
