// A figure's SVG file as a part of a page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bloomlab::analysis::html {

/// The element <svg> of an SVG file as HTML has it: without XML's declaration and namespaces, which
/// HTML knows by itself, and without the title, which browsers would show under the pointer
/// wherever it stands; `alternative` is what readers that speak say in its place.
/// Empty where the text holds no <svg>. `copy`: how often the page shows the picture already; ids
/// of copies differ.
[[nodiscard]] std::string inline_picture(std::string_view svg, std::string_view alternative,
                                         std::size_t copy = 0);

}  // namespace bloomlab::analysis::html
