#include "foreign/greeting.hpp"

namespace bloomlab::foreign {
namespace {

/// The next word, which is cut off the text.
std::string_view next_word(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

bool read_word(std::string_view word, Description& description) {
  const auto value_of = [&](std::string_view key, std::string& value) {
    if (!word.starts_with(key) || word.size() == key.size()) return false;
    value = word.substr(key.size());
    return true;
  };
  if (value_of("name=", description.name)) return true;
  if (value_of("version=", description.version)) return true;
  if (word == "nondeterministic") return !(description.deterministic = false);
  if (word == "removes") return description.removes = true;
  if (word == "merges") return description.merges = true;
  if (word == "saves") return description.saves = true;
  if (word == "hashes") return description.hashes = true;
  return false;
}

}  // namespace

std::optional<Greeting> read_greeting(std::string_view line) {
  if (!line.starts_with(greeting_start)) return std::nullopt;
  line.remove_prefix(greeting_start.size());
  Greeting greeting;
  const std::string_view protocol = next_word(line);
  if (protocol != "text" && protocol != "binary") return std::nullopt;
  greeting.protocol = protocol == "text" ? Protocol::text : Protocol::binary;
  constexpr std::string_view help = "help=";
  while (true) {
    while (line.starts_with(' ')) line.remove_prefix(1);
    if (line.empty()) break;
    if (line.starts_with(help)) {
      greeting.description.help = line.substr(help.size());
      break;
    }
    if (!read_word(next_word(line), greeting.description)) return std::nullopt;
  }
  if (greeting.description.name.empty()) return std::nullopt;
  return greeting;
}

}  // namespace bloomlab::foreign
