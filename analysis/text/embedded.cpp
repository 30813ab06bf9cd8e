#include "analysis/text/embedded.hpp"

namespace bloomlab::analysis {

std::optional<std::string_view> embedded_text(std::string_view name) {
  for (const EmbeddedText& entry : embedded_texts()) {
    if (entry.name == name) return entry.text;
  }
  return std::nullopt;
}

}  // namespace bloomlab::analysis
