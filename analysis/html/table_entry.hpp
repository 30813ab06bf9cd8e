// One entry of a table in HTML, with what is needed to put the rows in order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::analysis::html {

/// <td> around `content`; `lines` are what people see of it, at least one. Where the first shows a
/// number (shown_number()) that is not spelt in plain digits, data-v tells it. Numbers stand flush
/// right where the column does; an entry with a long line is marked, so that this one is broken.
[[nodiscard]] std::string table_entry(std::string_view content,
                                      const std::vector<std::string>& lines, bool flush_right);

/// <th> of a column around `content`.
[[nodiscard]] std::string heading_entry(std::string_view content, bool flush_right);

}  // namespace bloomlab::analysis::html
