#include "analysis/text/links.hpp"

namespace bloomlab::analysis {

namespace {

// A text from outside may hold them too: it can name a link of ours, and an end that is missing is
// passed over.
constexpr char opened = '\x01';
constexpr char closed = '\x02';

std::string mark(char kind, std::string_view what = {}) {
  std::string text{opened, kind};
  return text.append(what) + closed;
}

}  // namespace

Links marked_links() { return {.results = mark('r'), .figures = mark('f'), .tables = mark('t')}; }

std::string section_mark(std::string_view anchor) { return mark('s', anchor); }

std::string with_links(std::string_view text, const Targets& targets) {
  std::string linked;
  while (!text.empty()) {
    const std::size_t begin = text.find(opened);
    linked.append(text.substr(0, begin));
    if (begin == std::string_view::npos) break;
    const std::size_t end = text.find(closed, begin);
    if (end == std::string_view::npos || end == begin + 1) {
      text.remove_prefix(begin + 1);
      continue;
    }
    const char kind = text[begin + 1];
    if (kind == 'r') linked += targets.links.results;
    if (kind == 'f') linked += targets.links.figures;
    if (kind == 't') linked += targets.links.tables;
    if (kind == 's')
      linked += targets.section(std::string(text.substr(begin + 2, end - begin - 2)));
    text.remove_prefix(end + 1);
  }
  return linked;
}

std::string link_text(const std::string& text) {
  static constexpr std::string_view hex = "0123456789ABCDEF";
  static constexpr std::string_view plain = "-_.~/";
  std::string link;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    const bool letter = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                        (byte >= 'a' && byte <= 'z');
    if (letter || plain.find(character) != std::string_view::npos) {
      link += character;
    } else {
      link += '%';
      link += hex[byte / 16];
      link += hex[byte % 16];
    }
  }
  return link;
}

}  // namespace bloomlab::analysis
