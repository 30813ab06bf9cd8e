#include "analysis/content.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>

namespace bloomlab::analysis {

namespace {

template <class Named>
void take_over(std::vector<Named>& into, std::vector<Named> from) {
  for (const Named& item : from) {
    const bool taken = std::any_of(into.begin(), into.end(),
                                   [&](const Named& other) { return other.name == item.name; });
    if (taken) throw std::logic_error("two parts of a section are called \"" + item.name + "\"");
  }
  std::move(from.begin(), from.end(), std::back_inserter(into));
}

}  // namespace

GiveText given(std::string text) {
  const auto kept = std::make_shared<const std::string>(std::move(text));
  return [kept](const auto& use) { use(*kept); };
}

std::string whole_text(const GiveText& give) {
  std::string text;
  give([&](std::string_view piece) { text += piece; });
  return text;
}

void Content::add(Content other) {
  for (auto& [name, value] : other.values) {
    if (!values.try_emplace(name, std::move(value)).second) {
      throw std::logic_error("two parts of a section give the text \"" + name + "\"");
    }
  }
  take_over(tables, std::move(other.tables));
  take_over(figures, std::move(other.figures));
  csv.merge(other.csv);
  parts.merge(other.parts);
}

}  // namespace bloomlab::analysis
