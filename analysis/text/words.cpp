#include "analysis/text/words.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "analysis/text/template.hpp"

namespace bloomlab::analysis {

namespace {

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
