// A figure's SVG file as a part of a page.
#pragma once

#include <string>
#include <string_view>

namespace bloomlab::analysis::html {

/// The element <svg> of an SVG file as HTML has it: without XML's declaration and namespaces, which
/// HTML knows by itself, and without the title, which browsers would show under the pointer
/// wherever it stands; `alternative` is what readers that speak say in its place.
/// Empty where the text holds no <svg>.
[[nodiscard]] std::string inline_picture(std::string_view svg, std::string_view alternative);

}  // namespace bloomlab::analysis::html
