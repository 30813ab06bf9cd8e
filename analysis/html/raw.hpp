// Raw HTML within Markdown: the few tags that the report itself writes, and nothing else. Titles,
// labels and reasons come from configs, which anybody may have written.
#pragma once

#include <string>
#include <string_view>

namespace bloomlab::analysis::html {

/// Where raw HTML stands.
enum class Place {
  block,  ///< on lines of its own: <details>, <summary>, <br> and anchors are tags
  line,   ///< within a text: <br> and anchors are
};

/// `text` with those tags as they are, and every other one as the text that it is. An anchor is
/// written with its end, so that its own end tag is dropped.
[[nodiscard]] std::string known_tags(std::string_view text, Place place);

/// The id of `text` if it is an anchor and nothing else, as known_tags() writes it; else empty.
[[nodiscard]] std::string anchor_of(std::string_view text);

/// Whether a link may lead to `target`: within the page, to a file by a relative path, or into the
/// web. Every other scheme, such as javascript:, may not.
[[nodiscard]] bool is_safe_link(std::string_view target);

}  // namespace bloomlab::analysis::html
