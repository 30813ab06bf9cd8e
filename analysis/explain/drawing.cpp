#include "analysis/explain/drawing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

#include "analysis/plot/figure.hpp"
#include "analysis/plot/text.hpp"
#include "analysis/text/utf8.hpp"

namespace bloomlab::analysis::explain {

namespace {

struct FixedTag {
  std::string_view name;
  std::string_view text;
};

constexpr std::array<FixedTag, 7> fixed_tags = {{{"zero", "0"},
                                                 {"one", "1"},
                                                 {"half", "2³²"},
                                                 {"whole", "2⁶⁴"},
                                                 {"cases", "2ʲ"},
                                                 {"limit", "(1 − 1/m)^m"},
                                                 {"inverse", "1/e"}}};

/// By Ink.
constexpr std::array<std::string_view, 5> sequences = {"\x1b[1m", "\x1b[1;32m", "\x1b[33m",
                                                       "\x1b[1;31m", "\x1b[2m"};

constexpr std::size_t bits_a_row = 16;
constexpr std::string_view row_indent = "     ";

/// Right-aligned in three columns, with the room of a closing bracket behind it.
std::string index_cell(std::size_t position) {
  std::string text = std::to_string(position);
  text.insert(0, 3 - std::min<std::size_t>(3, text.size()), ' ');
  return text + " ";
}

std::string bit_cell(bool bit, const Ink* mark, Colours colours) {
  const std::string digit(1, bit ? '1' : '0');
  if (!mark) {
    std::string text = "  ";
    text += bit ? digit : painted(digit, Ink::faint, colours);
    return text += " ";
  }
  const bool round = *mark == Ink::standing;
  std::string inner(1, round ? '(' : '[');
  inner.append(digit).append(1, round ? ')' : ']');
  std::string text = " ";
  return text += painted(inner, *mark, colours);
}

void drop_trailing_spaces(std::string& line) { line.resize(line.find_last_not_of(' ') + 1); }

Tags key_and_positions(const Reading& reading, const Lines& lines) {
  return {{"key", reading.key}, {"positions", lines.list(reading.positions)}};
}

std::string note_of(const Question& question, const Lines& lines) {
  Tags tags = key_and_positions(question.reading, lines);
  switch (question.verdict) {
    case Verdict::inserted_key:
      return lines("drawing.inserted_key", tags);
    case Verdict::false_positive:
      return lines("drawing.false_positive", tags);
    case Verdict::absent:
      break;
  }
  tags["position"] = std::to_string(*question.stopped_by);
  return lines("drawing.absent", tags);
}

/// A hue for every key, the same wherever the key comes.
class Hues {
 public:
  [[nodiscard]] std::size_t of(const std::string& key) {
    return numbers_.emplace(key, numbers_.size()).first->second;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

// Pixels; the sizes of letters are those of all figures.
constexpr double canvas = plot::style::canvas_width;
constexpr double margin = plot::style::edge;
constexpr double largest_cell = 48;
constexpr double pointer_box = 32;
constexpr double pointer_gap = 84;  // between the boxes and the cells, where the lines run
constexpr std::size_t hue_classes = 6;

/// Text colours and fills on a light page, and what differs on a dark one. The hues are those of
/// Okabe and Ito.
constexpr std::string_view style_sheet = R"css(
text { font-family: Arial, Helvetica, 'Noto Sans CJK SC', 'Liberation Sans', sans-serif; fill: #222222 }
.page { fill: #ffffff } .faint { fill: #555555 }
.zero { fill: #ffffff; stroke: #777777 } .set { fill: #0072b2; stroke: #777777 } .on { fill: #ffffff }
.box { fill: #f4f4f4; stroke-width: 2 } line { stroke-width: 2 } .ask { stroke-dasharray: 6 5 }
.h0 { stroke: #d55e00 } .h1 { stroke: #009e73 } .h2 { stroke: #cc79a7 }
.h3 { stroke: #e69f00 } .h4 { stroke: #56b4e9 } .h5 { stroke: #767676 }
@media (prefers-color-scheme: dark) {
text { fill: #e8e8e8 } .page { fill: #16181c } .faint { fill: #b0b0b0 }
.zero { fill: #16181c; stroke: #8a8a8a } .set { fill: #56b4e9; stroke: #8a8a8a } .on { fill: #101010 }
.box { fill: #24272d } }
)css";

std::string attribute(std::string_view name, double value) {
  std::string text(" ");
  return text.append(name).append("=\"").append(plot::fixed_number(value, 1)).append("\"");
}

std::string text_element(double x, double y, double size, std::string_view more,
                         std::string_view text) {
  std::string element = "<text";
  element += attribute("x", x) + attribute("y", y) + attribute("font-size", size);
  return element.append(more).append(">").append(xml_text(text)).append("</text>\n");
}

std::string rectangle(double x, double y, double width, double height, std::string_view classes) {
  std::string element = "<rect";
  element += attribute("x", x) + attribute("y", y) + attribute("width", width);
  element += attribute("height", height);
  return element.append(" class=\"").append(classes).append("\"/>\n");
}

/// Lays the parts of a drawing out from top to bottom.
class Canvas {
 public:
  explicit Canvas(const Drawing& drawing)
      : drawing_(drawing),
        columns_(std::clamp<std::size_t>(drawing.bits.size(), 1, most_pointed_cells)),
        cell_(std::min(largest_cell, (canvas - 2 * margin) / static_cast<double>(columns_))),
        left_((canvas - cell_ * static_cast<double>(columns_)) / 2) {}

  [[nodiscard]] std::string draw() {
    put_wrapped(drawing_.title, plot::style::title_size, "");
    y_ += 14;
    const bool pointed = drawing_.bits.size() <= most_pointed_cells;
    if (pointed) put_pointers_above();
    put_cells();
    if (pointed) put_pointers_below();
    y_ += 12;
    for (const std::string& note : drawing_.notes) {
      put_wrapped(note, plot::style::note_size, " class=\"faint\"");
    }
    return framed();
  }

 private:
  static bool drawn(const std::vector<Pointer>& pointers) {
    return !pointers.empty() && pointers.size() <= most_pointers;
  }

  [[nodiscard]] double cell_centre(std::uint64_t cell) const {
    return left_ + cell_ * (static_cast<double>(cell) + 0.5);
  }

  void put_wrapped(std::string_view text, double size, std::string_view more) {
    for (const std::string& line : plot::wrap_text(text, canvas - 2 * margin, size)) {
      y_ += size * plot::style::line_height;
      body_ += text_element(margin, y_, size, more, line);
    }
  }

  /// One box with its lines to `cells_y`; the boxes share the width.
  void put_pointer(const Pointer& pointer, std::size_t number, std::size_t of, double box_y,
                   double cells_y, std::string_view kind) {
    const double slot = (canvas - 2 * margin) / static_cast<double>(of);
    const double centre = margin + slot * (static_cast<double>(number) + 0.5);
    const double room = slot - 12;
    const std::string name = shortened(pointer.name, room - 16);
    const double width = std::min(room, plot::text_width(name, plot::style::label_size) + 20);
    const double start = box_y < cells_y ? box_y + pointer_box : box_y;
    std::string classes = "h";
    classes.append(std::to_string(pointer.hue % hue_classes)).append(kind);
    for (const std::uint64_t cell : pointer.cells) {
      body_ += "<line" + attribute("x1", centre) + attribute("y1", start);
      body_ += attribute("x2", cell_centre(cell)) + attribute("y2", cells_y);
      body_.append(" class=\"").append(classes).append("\"/>\n");
    }
    classes.insert(0, "box ");
    body_ += rectangle(centre - width / 2, box_y, width, pointer_box, classes);
    body_ +=
        text_element(centre, box_y + 22, plot::style::label_size, " text-anchor=\"middle\"", name);
  }

  static std::string shortened(const std::string& name, double room) {
    if (plot::text_width(name, plot::style::label_size) <= room) return name;
    std::string start = name;
    while (!start.empty() && plot::text_width(start + "…", plot::style::label_size) > room) {
      do {
        start.pop_back();
      } while (!start.empty() && clean_text(start) != start);
    }
    return start + "…";
  }

  void put_pointers_above() {
    if (!drawn(drawing_.above)) return;
    const double box_y = y_ + 8;
    const double cells_y = box_y + pointer_box + pointer_gap;
    const std::size_t count = drawing_.above.size();
    for (std::size_t i = 0; i < count; ++i) {
      put_pointer(drawing_.above[i], i, count, box_y, cells_y, "");
    }
    y_ = cells_y;
  }

  void put_pointers_below() {
    if (!drawn(drawing_.below)) return;
    const double box_y = y_ + pointer_gap;
    const std::size_t count = drawing_.below.size();
    for (std::size_t i = 0; i < count; ++i) {
      put_pointer(drawing_.below[i], i, count, box_y, y_, " ask");
    }
    y_ = box_y + pointer_box;
  }

  void put_cells() {
    const double label_height = plot::style::caption_size * plot::style::line_height;
    for (std::size_t i = 0; i < drawing_.bits.size(); ++i) {
      const std::size_t row = i / columns_;
      const double x = left_ + cell_ * static_cast<double>(i % columns_);
      const double y = y_ + static_cast<double>(row) * (cell_ + label_height + 6) + label_height;
      const bool bit = drawing_.bits[i];
      body_ += text_element(x + cell_ / 2, y - 4, plot::style::caption_size,
                            " text-anchor=\"middle\" class=\"faint\"", drawing_.labels[i]);
      body_ += rectangle(x, y, cell_, cell_, bit ? "set" : "zero");
      body_ +=
          text_element(x + cell_ / 2, y + cell_ / 2 + 6, plot::style::label_size,
                       bit ? " text-anchor=\"middle\" class=\"on\"" : " text-anchor=\"middle\"",
                       bit ? "1" : "0");
    }
    const std::size_t rows = (drawing_.bits.size() + columns_ - 1) / columns_;
    y_ += static_cast<double>(rows) * (cell_ + label_height + 6) - (rows > 0 ? 6 : 0);
  }

  [[nodiscard]] std::string framed() const {
    const double height = y_ + margin;
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"";
    svg += attribute("width", canvas) + attribute("height", height);
    svg.append(" viewBox=\"0 0 ").append(plot::fixed_number(canvas, 1)).append(" ");
    svg.append(plot::fixed_number(height, 1)).append("\" role=\"img\">\n<title>");
    svg.append(xml_text(drawing_.title)).append("</title>\n<desc>");
    for (const std::string& note : drawing_.notes) svg.append(xml_text(note)).append("\n");
    svg.append("</desc>\n<style>").append(style_sheet).append("</style>\n");
    svg += rectangle(0, 0, canvas, height, "page");
    return svg.append(body_).append("</svg>\n");
  }

  const Drawing& drawing_;
  std::size_t columns_;
  double cell_;
  double left_;
  double y_ = margin / 2;
  std::string body_ = {};
};

}  // namespace

Lines::Lines(std::string language) : words_(std::move(language), "explain") {}

std::string Lines::operator()(std::string_view key, Tags tags) const {
  const auto text = words_.texts().find(key);
  if (text != words_.texts().end()) {
    for (const std::string& name : tag_names(key, text->second)) {
      for (const FixedTag& tag : fixed_tags) {
        if (tag.name == name) tags.emplace(name, tag.text);
      }
    }
  }
  return words_(key, tags);
}

std::string Lines::list(std::span<const std::string> items) const {
  const std::string separator = words_("list.separator");
  std::string text;
  for (const std::string& item : items) {
    if (!text.empty()) text += separator;
    text += item;
  }
  return text;
}

std::string Lines::list(const std::vector<std::uint64_t>& numbers) const {
  std::vector<std::string> items;
  for (const std::uint64_t number : numbers) items.push_back(std::to_string(number));
  return list(items);
}

std::string painted(std::string_view text, Ink ink, Colours colours) {
  if (colours == Colours::none) return std::string(text);
  std::string result(sequences[static_cast<std::size_t>(ink)]);
  return result.append(text).append("\x1b[0m");
}

std::string bit_rows(const std::vector<bool>& bits, const Marks& marks, Colours colours) {
  std::string text;
  for (std::size_t first = 0; first < bits.size(); first += bits_a_row) {
    std::string indices;
    std::string cells(row_indent);
    const std::size_t end = std::min(first + bits_a_row, bits.size());
    for (std::size_t i = first; i < end; ++i) {
      const auto mark = marks.find(i);
      indices += index_cell(i);
      cells += bit_cell(bits[i], mark == marks.end() ? nullptr : &mark->second, colours);
    }
    drop_trailing_spaces(indices);
    drop_trailing_spaces(cells);
    text.append(row_indent).append(painted(indices, Ink::faint, colours)).append("\n");
    text.append(cells).append("\n");
  }
  return text;
}

Drawing drawing_of(const Trace& trace, const Lines& lines) {
  Drawing drawing;
  Hues hues;
  drawing.title = lines("drawing", {{"m", std::to_string(trace.lesson.m)},
                                    {"k", std::to_string(trace.lesson.k)},
                                    {"n", std::to_string(trace.n)}});
  drawing.bits = trace.bits;
  for (std::size_t i = 0; i < trace.bits.size(); ++i) drawing.labels.push_back(std::to_string(i));
  for (const Insertion& insertion : trace.insertions) {
    const Reading& reading = insertion.reading;
    drawing.above.push_back({reading.key, reading.positions, hues.of(reading.key)});
    drawing.notes.push_back(lines("drawing.inserted", key_and_positions(reading, lines)));
  }
  for (const Question& question : trace.questions) {
    const Reading& reading = question.reading;
    drawing.below.push_back({reading.key, reading.positions, hues.of(reading.key)});
    drawing.notes.push_back(note_of(question, lines));
  }
  return drawing;
}

Drawing drawing_of_bottles(std::uint64_t bottles, std::uint64_t poisoned, const Lines& lines) {
  const int mice = mice_for(bottles);
  const std::string code = code_of(poisoned, mice);
  Drawing drawing;
  drawing.title = lines("bottles.drawing",
                        {{"bottles", std::to_string(bottles)}, {"mice", std::to_string(mice)}});
  Pointer bottle{std::to_string(poisoned), {}, 0};
  for (std::size_t i = 0; i < code.size(); ++i) {
    drawing.labels.push_back(std::to_string(static_cast<std::size_t>(mice) - i));
    drawing.bits.push_back(code[i] == '1');
    if (drawing.bits.back()) bottle.cells.push_back(i);
  }
  drawing.above.push_back(bottle);
  if (!bottle.cells.empty()) {
    const std::string dead = lines.list(numbered(dead_mice(poisoned, mice)));
    drawing.notes.push_back(
        lines("bottles.dead", {{"poisoned", bottle.name}, {"code", code}, {"dead", dead}}));
  } else {
    drawing.notes.push_back(mice == 0 ? lines("bottles.one")
                                      : lines("bottles.none_dead", {{"poisoned", bottle.name}}));
  }
  return drawing;
}

std::string svg_of(const Drawing& drawing) { return Canvas(drawing).draw(); }

}  // namespace bloomlab::analysis::explain
