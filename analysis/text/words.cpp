#include "analysis/text/words.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "analysis/text/embedded.hpp"

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

}  // namespace

Words::Words(std::string language, std::string_view list)
    : language_(std::move(language)), list_(list) {
  const auto text = embedded_text(prefix_of(list) + language_ + std::string(suffix));
  if (!text) {
    throw record::InputError("unknown language \"" + language_ + "\"; allowed: " + languages(list));
  }
  const auto entries = nlohmann::json::parse(*text);
  for (const auto& [key, value] : entries.items()) texts_[key] = value.get<std::string>();
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
