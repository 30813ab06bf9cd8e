// A page: Markdown with blocks that say what is computed, beside the config whose question it
// answers (docs/pages.md).
//
//   The answer, one or two sentences, with {{tags}} for values.
//   ---
//   Prose of the page.
//   ```sql values            one row; every column is a tag
//   ```sql table NAME        a table, shown where the block stands
//   ```sql data NAME         rows for figures, shown nowhere
//   ```figure NAME           a figure, shown where the block stands: lines "key: value"
//   ```words                 of a translation: lines "ENGLISH = TRANSLATION", for texts of the
//                            config and of the blocks; "#" stands for a number
//
// A page with its numbers: every block is run, and what it gives becomes the content of a section.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/content.hpp"

namespace bloomlab::analysis::pages {

/// A block of a page.
struct Block {
  enum class Kind { values, table, data, figure };
  Kind kind = Kind::values;
  std::string name;      ///< of a table, data or a figure; "" for values
  std::string text;      ///< between the fences
  std::size_t line = 0;  ///< of its first line of text, from 1

  /// "PAGE: line 12", for errors.
  [[nodiscard]] std::string where(const std::string& page) const;
};

/// Translations by the English text, numbers in it as "#".
using Phrases = std::map<std::string, std::string, std::less<>>;

/// A page taken apart.
struct PageText {
  std::string name;           ///< of its file, for errors
  std::string template_text;  ///< answer, line "---", body; tags where tables and figures stood
  std::vector<Block> blocks;  ///< in the order of the page
  Phrases words = {};         ///< of a translation
};

/// The name of a figure's file: figures of all results share a folder.
[[nodiscard]] std::string figure_name(const std::string& stem, const std::string& name);

/// Whether a page must have the line "---" between its answer and its body.
enum class Divider { wanted, none };

/// `stem` is that of the result. Throws record::InputError `NAME: line N: fault` for a block of
/// unknown kind, one without a name or with one that is taken, one that is not closed, and a page
/// without the line "---".
[[nodiscard]] PageText parse_page(const std::string& name, std::string_view text,
                                  const std::string& stem, Divider divider = Divider::wanted);

/// The lines `key: value` of a figure block, in order; "#" begins a remark. Throws
/// record::InputError for a line without a colon and a key twice.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> settings_of(const Block& block,
                                                                           const std::string& page);

/// The values, tables and figures of a page about `own`; `others` are all results of the folder. A
/// value that no row gives, since the config was run with a smaller grid, is a dash.
/// Throws record::InputError `PAGE: line N: fault` for a fault of a block.
[[nodiscard]] Content content_of(const PageText& page, const Experiment& own,
                                 std::span<const Experiment> others, const Words& words);

}  // namespace bloomlab::analysis::pages
