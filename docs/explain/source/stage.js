// The bit array as a drawing: cells in rows, inserted words above with lines to their bits, the
// word that is asked for below. The text beside it says the same in words.

const most_pointers = 8;

const measuring = document.createElement("canvas").getContext("2d");

function text_width(text, size) {
  measuring.font = `600 ${size}px sans-serif`;
  return measuring.measureText(text).width;
}

function shortened(text, room, size) {
  const letters = [...text];
  let length = letters.length;
  const shown = () => (length === letters.length ? text : letters.slice(0, length).join("") + "…");
  while (length > 1 && text_width(shown(), size) > room) length -= 1;
  return shown();
}

/// How cells lie: `columns` in a row, `cell` pixels wide; `large` for the back of a room.
function grid_of(m, width, large) {
  const columns = Math.min(m, width >= 560 ? 32 : 16);
  const cell = Math.min(m > 64 ? 30 : large ? 72 : 52, width / columns);
  return { columns, cell, rows: Math.ceil(m / columns), left: (width - cell * columns) / 2 };
}

/// Boxes over the middle of their cells, moved aside where they would touch: [middle, width, text].
function boxes_of(pointers, width, centre_of, size) {
  const room = width / Math.max(1, pointers.length) - 8;
  const boxes = pointers.map(({ name, cells }) => {
    const text = shortened(name, room - 24, size);
    const wide = Math.min(room, text_width(text, size) + 24);
    const middle = cells.reduce((sum, cell) => sum + centre_of(cell), 0) / cells.length;
    return { text, wide, middle };
  });
  const order = [...boxes].sort((a, b) => a.middle - b.middle);
  let free = 0;
  for (const box of order) {
    box.middle = Math.max(box.middle, free + box.wide / 2 + 1);
    free = box.middle + box.wide / 2 + 7;
  }
  let end = width;
  for (const box of order.reverse()) {
    box.middle = Math.min(box.middle, end - box.wide / 2 - 1);
    end = box.middle - box.wide / 2 - 7;
  }
  return boxes;
}

/// Words in their boxes with lines to their cells.
function pointers_drawn(pointers, width, box_y, cells_y, centre_of, box_height) {
  const size = box_height / 2;
  const boxes = boxes_of(pointers, width, centre_of, size);
  const start = box_y < cells_y ? box_y + box_height : box_y;
  return pointers.map(({ cells, hue, active, asks }, at) => {
    const { text, wide, middle } = boxes[at];
    const group = svg("g", { class: `pointer hue-${hue % 6}${active ? " active" : ""}${asks ? " asks" : ""}` },
      ...distinct(cells).map((cell) =>
        svg("line", { x1: middle, y1: start, x2: centre_of(cell), y2: cells_y })),
      svg("rect", { x: middle - wide / 2, y: box_y, width: wide, height: box_height, rx: 7 }),
      svg("text", { x: middle, y: box_y + box_height * 0.68, "text-anchor": "middle", style: `font-size: ${size}px` }, text));
    return [group, active];
  }).sort(([, a], [, b]) => a - b).map(([group]) => group);
}

/// One bit with its position above it.
function cell_drawn({ position, bit, mark, read }, x, top, cell, index_size) {
  const middle = x + cell / 2;
  const group = svg("g", { class: `cell ${bit === "1" ? "set" : "zero"}${mark ? ` ${mark}` : ""}`, "data-bit": position });
  if (index_size > 0) {
    group.append(svg("text", { class: "index", x: middle, y: top - 4, "text-anchor": "middle", style: `font-size: ${index_size}px` }, position));
  }
  group.append(svg("rect", { x: x + 1, y: top + 1, width: cell - 2, height: cell - 2, rx: Math.min(5, cell / 6) }));
  if (mark === "standing") group.append(svg("circle", { cx: middle, cy: top + cell / 2, r: cell / 2 - Math.min(5, cell / 7) }));
  group.append(svg("text", { class: "digit", x: middle, y: top + cell / 2, "text-anchor": "middle", "dominant-baseline": "central", style: `font-size: ${Math.min(32, cell * 0.45)}px` }, bit));
  if (read) group.append(svg("rect", { class: "cursor", x: x - 1, y: top - 1, width: cell + 2, height: cell + 2, rx: 5 }));
  return group;
}

/// @param scene {m, bits: "0101", marks: Map of position to "fresh", "standing", "missing" or
/// "missing first", cursor: a position or null, above and below: lists of pointers}
function stage_drawing({ m, bits, marks, cursor, above, below }, width, large) {
  const { columns, cell, rows, left } = grid_of(m, width, large);
  const box_height = large ? 42 : 30;
  const pointed = rows === 1;
  const index_size = cell > 60 ? 18 : cell >= 24 ? 12 : cell >= 17 ? 10 : 0;
  const gap = Math.min(54, Math.max(40, width / 16));
  const shown_above = pointed ? above.slice(-most_pointers) : [];
  let y = 2;
  const root = svg("svg", { width, "aria-hidden": "true" });
  const centre_of = (position) => left + cell * (position % columns + 0.5);
  const cells_y = shown_above.length > 0 ? box_height + gap + y : y;
  root.append(...pointers_drawn(shown_above, width, y, cells_y, centre_of, box_height));
  y = cells_y;
  const row_height = cell + 3 + (index_size > 0 ? index_size + 5 : 0);
  for (let position = 0; position < m; ++position) {
    root.append(cell_drawn({ position, bit: bits[position], mark: marks.get(position), read: cursor === position },
      left + cell * (position % columns),
      y + Math.floor(position / columns) * row_height + row_height - cell - 3, cell, index_size));
  }
  y += rows * row_height;
  if (pointed && below.length > 0) {
    const box_y = y + gap;
    root.append(...pointers_drawn(below, width, box_y, y, centre_of, box_height));
    y = box_y + box_height;
  }
  root.setAttribute("height", y + 3);
  root.setAttribute("viewBox", `0 0 ${width} ${y + 3}`);
  return root;
}
