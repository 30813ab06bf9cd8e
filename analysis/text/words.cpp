#include "analysis/text/words.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "analysis/text/embedded.hpp"

namespace bloomlab::analysis {

namespace {

constexpr std::string_view prefix = "templates/words.";
constexpr std::string_view suffix = ".json";

std::string languages() {
  std::string names;
  for (const EmbeddedText& entry : embedded_texts()) {
    if (!entry.name.starts_with(prefix)) continue;
    const std::size_t length = entry.name.size() - prefix.size() - suffix.size();
    names += (names.empty() ? "" : ", ") + std::string(entry.name.substr(prefix.size(), length));
  }
  return names;
}

}  // namespace

Words::Words(std::string language) : language_(std::move(language)) {
  const auto text = embedded_text(std::string(prefix) + language_ + std::string(suffix));
  if (!text) {
    throw record::InputError("unknown language \"" + language_ + "\"; allowed: " + languages());
  }
  const auto entries = nlohmann::json::parse(*text);
  for (const auto& [key, value] : entries.items()) texts_[key] = value.get<std::string>();
}

std::string Words::operator()(std::string_view key, const Tags& tags) const {
  const auto text = texts_.find(key);
  if (text == texts_.end()) {
    throw TemplateError("words." + language_ + ".json: no text \"" + std::string(key) + "\"");
  }
  return expand("words." + language_ + ".json: " + text->first, text->second, tags);
}

}  // namespace bloomlab::analysis
