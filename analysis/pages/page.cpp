#include "analysis/pages/page.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <utility>

#include "analysis/text/utf8.hpp"
#include "analysis/text/words.hpp"
#include "record/input_error.hpp"
#include "record/suggest.hpp"

namespace bloomlab::analysis::pages {

namespace {

using record::InputError;

constexpr std::string_view fence = "```";
constexpr std::string_view words_fence = "```words";
constexpr std::string_view divider = "---";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

[[noreturn]] void fail(const std::string& page, std::size_t line, const std::string& fault) {
  throw InputError(page + ": line " + std::to_string(line) + ": " + fault);
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

bool is_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter_or_digit(c) || c == '_' || c == '-';
  });
}

/// The block that a fence opens; nothing for a fence of plain Markdown (```text, ```json, ...).
std::optional<Block> opened(std::string_view after_fence, const std::string& page,
                            std::size_t line) {
  static constexpr std::array<std::string_view, 3> kinds = {"values", "table", "data"};
  const auto words = words_of(after_fence);
  if (words.empty() || (words[0] != "sql" && words[0] != "figure")) return std::nullopt;
  Block block{.kind = Block::Kind::figure, .name = {}, .text = {}, .line = line + 1};
  std::size_t names = 1;
  if (words[0] == "sql") {
    const std::string kind = words.size() > 1 ? words[1] : "";
    const auto found = std::find(kinds.begin(), kinds.end(), kind);
    if (found == kinds.end()) {
      fail(page, line, "unknown block \"sql " + kind + "\"; " + record::suggestion(kind, kinds));
    }
    block.kind = static_cast<Block::Kind>(found - kinds.begin());
    names = 2;
  }
  const bool named = block.kind != Block::Kind::values;
  if (words.size() != names + (named ? 1 : 0)) {
    fail(page, line,
         named ? "the block wants one name behind its kind" : "\"sql values\" takes no name");
  }
  if (named && !is_name(words[names])) {
    fail(page, line, "a name is of letters, digits, '_' and '-', found \"" + words[names] + "\"");
  }
  if (named) block.name = words[names];
  return block;
}

/// The lines "ENGLISH = TRANSLATION" of a block that `line` begins; `number` is its line.
void read_phrases(std::istringstream& in, const std::string& page, std::size_t& number,
                  Phrases& phrases) {
  constexpr std::string_view between = " = ";
  const std::size_t first = number;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string_view bare = trimmed(line);
    if (bare == fence) return;
    if (bare.empty()) continue;
    const std::size_t place = bare.find(between);
    if (place == std::string_view::npos) fail(page, number, "\"ENGLISH = TRANSLATION\" is wanted");
    phrases[phrase_of(bare.substr(0, place)).pattern] = bare.substr(place + between.size());
  }
  fail(page, first, "the block is not closed: add a line ```");
}

std::string tag_of(const Block& block, const std::string& stem) {
  if (block.kind == Block::Kind::table) return "{{table:" + block.name + "}}\n";
  if (block.kind == Block::Kind::figure)
    return "{{figure:" + figure_name(stem, block.name) + "}}\n";
  return "";
}

void require_new_name(const std::vector<Block>& blocks, const Block& block,
                      const std::string& page) {
  // Tables and data are both named by figures.
  const auto space = [](const Block& b) { return b.kind == Block::Kind::figure; };
  for (const Block& other : blocks) {
    if (!block.name.empty() && other.name == block.name && space(other) == space(block)) {
      fail(page, block.line - 1, "a second block is called \"" + block.name + "\"");
    }
  }
}

}  // namespace

std::string Block::where(const std::string& page) const {
  return page + ": line " + std::to_string(line);
}

std::string figure_name(const std::string& stem, const std::string& name) {
  return name == stem ? stem : stem + "_" + name;
}

PageText parse_page(const std::string& name, std::string_view text, const std::string& stem,
                    Divider wanted) {
  PageText page{.name = name, .template_text = {}, .blocks = {}};
  std::istringstream in{std::string(text)};
  std::optional<Block> open;
  bool plain_fence = false;
  bool divided = false;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string_view bare = trimmed(line);
    if (open) {
      if (bare == fence) {
        page.template_text += tag_of(*open, stem);
        page.blocks.push_back(*std::exchange(open, std::nullopt));
      } else {
        open->text += line + "\n";
      }
      continue;
    }
    if (plain_fence) {
      plain_fence = bare != fence;
    } else if (bare == words_fence) {
      read_phrases(in, name, number, page.words);
      continue;
    } else if (bare.starts_with(fence)) {
      open = opened(bare.substr(fence.size()), name, number);
      if (open) {
        require_new_name(page.blocks, *open, name);
        continue;
      }
      plain_fence = true;
    }
    divided = divided || (bare == divider && !plain_fence);
    // Between blocks that are not shown stand blank lines, of which one is enough.
    if (bare.empty() && !plain_fence && page.template_text.ends_with("\n\n")) continue;
    page.template_text += line + "\n";
  }
  if (open) fail(name, open->line - 1, "the block is not closed: add a line ```");
  if (!divided && wanted == Divider::wanted) {
    throw InputError(name + ": no line \"---\" between the answer and the page; add one");
  }
  return page;
}

std::vector<std::pair<std::string, std::string>> settings_of(const Block& block,
                                                             const std::string& page) {
  std::vector<std::pair<std::string, std::string>> settings;
  std::istringstream in(block.text);
  std::size_t number = block.line;
  for (std::string line; std::getline(in, line); ++number) {
    const std::string_view bare = trimmed(line);
    if (bare.empty() || bare.front() == '#') continue;
    const std::size_t colon = bare.find(':');
    if (colon == std::string_view::npos) fail(page, number, "\"key: value\" is wanted");
    const std::string key(trimmed(bare.substr(0, colon)));
    for (const auto& [other, value] : settings) {
      if (other == key) fail(page, number, "\"" + key + "\" is set twice");
    }
    settings.emplace_back(key, trimmed(bare.substr(colon + 1)));
  }
  return settings;
}

}  // namespace bloomlab::analysis::pages
