#include "analysis/text/words.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace bloomlab::analysis {

namespace {

/// A run of prose, or a tag.
struct Piece {
  std::string_view text;
  bool is_tag;
  std::size_t line;
};

[[noreturn]] void fail(std::string_view where, std::size_t line, const std::string& fault) {
  throw TemplateError(std::string(where) + ": line " + std::to_string(line) + ": " + fault);
}

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::vector<Piece> pieces(std::string_view where, std::string_view text) {
  std::vector<Piece> found;
  std::size_t line = 1;
  while (!text.empty()) {
    const std::size_t open = text.find("{{");
    const std::string_view prose = text.substr(0, open);
    if (!prose.empty()) found.push_back({prose, false, line});
    line += lines_in(prose);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find("}}", open);
    if (close == std::string_view::npos) fail(where, line, "a tag is not closed: add \"}}\"");
    found.push_back({text.substr(open + 2, close - open - 2), true, line});
    text.remove_prefix(close + 2);
  }
  return found;
}

/// The prose with its formulas blank, which numbers may stand in.
std::string without_formulas(std::string_view prose) {
  std::string blank(prose);
  for (std::size_t at = 0; at < prose.size();) {
    const std::size_t end = std::min(prose.find('\n', at), prose.size());
    for (const Formula& formula : formulas_in(prose.substr(at, end - at))) {
      blank.replace(at + formula.begin, formula.end - formula.begin, formula.end - formula.begin,
                    ' ');
    }
    at = end + 1;
  }
  return blank;
}

/// Position of the first decimal digit, plain or full-width (U+FF10 to U+FF19, as Chinese text may
/// have them), or npos.
std::size_t find_digit(std::string_view prose) {
  const std::size_t plain = prose.find_first_of("0123456789");
  for (std::size_t at = prose.find("\xEF\xBC"); at < plain && at + 2 < prose.size();
       at = prose.find("\xEF\xBC", at + 1)) {
    const auto last = static_cast<unsigned char>(prose[at + 2]);
    if (last >= 0x90 && last <= 0x99) return at;
  }
  return plain;
}

void refuse_digits(std::string_view where, const Piece& prose) {
  const std::size_t digit = find_digit(without_formulas(prose.text));
  if (digit == std::string_view::npos) return;
  const std::size_t line_start = prose.text.rfind('\n', digit) + 1;
  const std::string_view rest = prose.text.substr(line_start);
  fail(where, prose.line + lines_in(prose.text.substr(0, digit)),
       "a digit is typed in prose: \"" + std::string(rest.substr(0, rest.find('\n'))) +
           "\"; numbers come from tags");
}

/// Every tag replaced; `check` is shown the prose between them.
template <class Check>
std::string filled_in(std::string_view where, std::string_view text, const Tags& tags,
                      std::size_t most_bytes, const Check& check) {
  std::string result;
  std::set<std::string_view> used;
  for (const Piece& piece : pieces(where, text)) {
    if (!piece.is_tag) {
      check(piece);
      result += piece.text;
      continue;
    }
    const auto tag = tags.find(std::string(piece.text));
    if (tag == tags.end()) {
      fail(where, piece.line, "unknown tag \"{{" + std::string(piece.text) + "}}\"");
    }
    used.insert(tag->first);
    if (tag->second.size() > most_bytes - std::min(most_bytes, result.size())) {
      fail(where, piece.line,
           "with what its tags stand for, the text is more than " + std::to_string(most_bytes) +
               " bytes; write shorter values, or fewer tags");
    }
    result += tag->second;
  }
  for (const auto& [name, value] : tags) {
    if (!used.contains(name)) {
      throw TemplateError(std::string(where) + ": the text \"" + name +
                          "\" is computed but no tag asks for it: add \"{{" + name + "}}\"");
    }
  }
  return result;
}

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

constexpr std::string_view suffix = ".json";

std::string prefix_of(std::string_view list) {
  std::string prefix = "templates/";
  return prefix.append(list).append(".");
}

std::string languages(std::string_view list) {
  const std::string prefix = prefix_of(list);
  std::string names;
  for (const EmbeddedText& entry : embedded_texts()) {
    if (!entry.name.starts_with(prefix)) continue;
    const std::size_t length = entry.name.size() - prefix.size() - suffix.size();
    names += (names.empty() ? "" : ", ") + std::string(entry.name.substr(prefix.size(), length));
  }
  return names;
}

std::map<std::string, std::string, std::less<>> texts_of(std::string_view json) {
  std::map<std::string, std::string, std::less<>> texts;
  const auto entries = nlohmann::json::parse(json);
  for (const auto& [key, value] : entries.items()) texts[key] = value.get<std::string>();
  return texts;
}

bool is_digit(char character) { return character >= '0' && character <= '9'; }

/// The thin space between groups of three digits.
constexpr std::string_view group_space = "\u202f";

/// Length of the number that `text` begins with; 0 for none.
std::size_t number_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    const std::string_view rest = text.substr(length);
    const auto digit_behind = [&](std::size_t place) {
      return length > 0 && place < rest.size() && is_digit(rest[place]);
    };
    if (rest.starts_with(group_space) && digit_behind(group_space.size())) {
      length += group_space.size();
      continue;
    }
    const bool point = rest.front() == '.' && digit_behind(1);
    if (!point && !is_digit(rest.front())) break;
    ++length;
  }
  return length;
}

/// `pattern` with its "#" replaced by the numbers in order.
std::string with_numbers_back(std::string_view pattern, const std::vector<std::string>& numbers) {
  std::string text;
  std::size_t next = 0;
  for (const char character : pattern) {
    if (character == '#' && next < numbers.size()) {
      text += numbers[next++];
    } else {
      text += character;
    }
  }
  return text;
}

}  // namespace

std::string expand(std::string_view where, std::string_view text, const Tags& tags) {
  return filled_in(where, text, tags, most_bytes_of_text,
                   [&](const Piece& prose) { refuse_digits(where, prose); });
}

std::string fill_frame(std::string_view where, std::string_view text, const Tags& tags,
                       std::size_t most_bytes) {
  return filled_in(where, text, tags, most_bytes, [](const Piece&) {});
}

std::vector<std::string> tag_names(std::string_view where, std::string_view text) {
  std::vector<std::string> names;
  for (const Piece& piece : pieces(where, text)) {
    const std::string name(piece.text);
    if (piece.is_tag && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  return names;
}

std::optional<std::string_view> embedded_text(std::string_view name) {
  for (const EmbeddedText& entry : embedded_texts()) {
    if (entry.name == name) return entry.text;
  }
  return std::nullopt;
}

std::string_view template_called(const std::string& name) {
  const auto text = embedded_text(name);
  if (!text) throw TemplateError(name + ": there is no such template");
  return *text;
}

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

Phrase phrase_of(std::string_view text) {
  Phrase phrase;
  while (!text.empty()) {
    const std::size_t length = number_length(text);
    if (length > 0) phrase.numbers.emplace_back(text.substr(0, length));
    phrase.pattern += length > 0 ? '#' : text.front();
    text.remove_prefix(length > 0 ? length : 1);
  }
  return phrase;
}

Words::Words(std::string language, std::string_view list)
    : language_(std::move(language)), list_(list) {
  const auto text = embedded_text(prefix_of(list) + language_ + std::string(suffix));
  if (!text) {
    throw record::InputError("unknown language \"" + language_ + "\"; allowed: " + languages(list));
  }
  texts_ = texts_of(*text);
  if (const auto phrases = embedded_text(prefix_of("phrases") + language_ + std::string(suffix))) {
    phrases_ = texts_of(*phrases);
  }
}

Words Words::with(const std::map<std::string, std::string, std::less<>>& phrases) const {
  Words more = *this;
  for (const auto& [text, translation] : phrases) more.phrases_[text] = translation;
  return more;
}

std::string Words::of_data(const std::string& text) const {
  const Phrase phrase = phrase_of(text);
  const auto known = phrases_.find(phrase.pattern);
  if (known != phrases_.end()) return with_numbers_back(known->second, phrase.numbers);
  static constexpr std::string_view between = "; ";
  const std::size_t end = text.find(between);
  if (phrases_.empty() || end == std::string::npos) return text;
  std::string whole = of_data(text.substr(0, end));
  return whole.append(between).append(of_data(text.substr(end + between.size())));
}

std::string Words::operator()(std::string_view key, const Tags& tags) const {
  const std::string file = list_ + "." + language_ + ".json: ";
  const auto text = texts_.find(key);
  if (text == texts_.end()) {
    throw TemplateError(file + "no text \"" + std::string(key) + "\"");
  }
  return expand(file + text->first, text->second, tags);
}

}  // namespace bloomlab::analysis
