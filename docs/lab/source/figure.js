// The figure of a result: rates with their intervals as dots, the closed form as lines or ticks.

const most_lines = 6;
const edge = { left: 52, right: 14, top: 12, bottom: 44 };

/// Axes that a row can be placed on: those of the cells, and the keys inserted where a cell is seen
/// at several fills.
function places_in(report) {
  const places = report.axes.map((axis, i) => ({
    name: axis.unit ? `${axis.name} [${axis.unit}]` : axis.name, numeric: axis.numeric, index: i,
    of: (row) => row.at[i], said: (row) => row.said_at[i], count: axis.values.length,
  }));
  if (report.rows.some((row) => row.step !== undefined)) {
    places.unshift({ name: say("column.inserted"), numeric: true, index: -1, of: (row) => row.inserted,
      said: (row) => whole(row.inserted), count: new Set(report.rows.map((row) => row.inserted)).size });
  }
  return places;
}

/// The place with most values, numbers first.
function usual_place(places) {
  const rank = (place) => (place.numeric ? 1e6 : 0) + (place.index === -1 ? 1e7 : 0) + place.count;
  return places.reduce((best, place) => (rank(place) > rank(best) ? place : best), places[0]);
}

/// Rows by what they have in common beside their place: at most six lines, evenly chosen.
function lines_of(report, places, place) {
  const others = places.filter((one) => one.name !== place.name && one.index >= 0);
  const lines = new Map();
  for (const row of report.rows) {
    if (row.rate === undefined || row.rate === null || row.at[place.index] === null) continue;
    const name = others.filter((one) => row.at[one.index] !== null)
      .map((one) => (one.numeric ? `${one.name.replace(/ \[.*/, "")} = ${one.said(row)}` : one.said(row))).join(", ");
    if (!lines.has(name)) lines.set(name, []);
    lines.get(name).push(row);
  }
  const all = [...lines].map(([name, rows]) => ({ name, rows }));
  if (all.length <= most_lines) return { all: all.length, lines: all };
  const at = (i) => Math.round(i * (all.length - 1) / (most_lines - 1));
  return { all: all.length, lines: Array.from({ length: most_lines }, (_, i) => all[at(i)]) };
}

/// A scale of values onto [from, to]: logarithmic where they are positive and far apart.
function scale_of(values, from, to, zero) {
  const positive = values.filter((value) => value > 0);
  const high = Math.max(...values);
  const least = Math.min(...positive);
  const logarithmic = positive.length > 0 && high / least > 20 && (!zero || positive.length > 1);
  if (!logarithmic) {
    const low = zero ? 0 : Math.min(...values);
    const span = high - low || Math.abs(high) || 1;
    const pad = zero ? 0 : span * 0.04;
    return { logarithmic, low: low - pad, high: high + (zero ? span * 0.06 : pad),
      at: (value) => from + (value - low + pad) / (span + (zero ? span * 0.06 : 2 * pad)) * (to - from) };
  }
  const low = least / 1.15;
  const top = high * 1.15;
  return { logarithmic, low, high: top,
    at: (value) => from + (value <= 0 ? 0 : Math.max(0, Math.log(value / low) / Math.log(top / low))) * (to - from) };
}

function multiples(step, low, high) {
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-12); ++i) ticks.push(i * step);
  return ticks;
}

/// About so many round numbers, two at least: one alone tells no scale.
function linear_ticks(low, high, most) {
  const rough = (high - low) / most;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const steps = [0.5, 1, 2, 5, 10].map((digit) => digit * decade);
  const at = steps.findIndex((one) => one >= rough);
  const ticks = multiples(steps[at], low, high);
  return ticks.length > 1 ? ticks : multiples(steps[at - 1], low, high);
}

const ticks_of = (scale, most) =>
  (scale.logarithmic ? log_ticks(scale.low, scale.high, most) : linear_ticks(scale.low, scale.high, most));

function tick_text(value) {
  const decade = Math.log10(value);
  const is_decade = value > 0 && Math.abs(decade - Math.round(decade)) < 1e-9;
  if (is_decade && (value < 0.001 || value > 1e6)) return decade_text(Math.round(decade));
  return value >= 10000 ? si_text(value) : String(Number(value.toPrecision(4)));
}

function frame_parts(x, y, place, categories, width, height) {
  const bottom = height - edge.bottom;
  const parts = [];
  for (const tick of ticks_of(y, 6)) {
    const at = y.at(tick).toFixed(1);
    parts.push(svg("line", { class: "grid", x1: edge.left, x2: width - edge.right, y1: at, y2: at }),
      svg("text", { class: "tick", x: edge.left - 7, y: at, dy: "0.32em", "text-anchor": "end" }, tick_text(tick)));
  }
  const room = width - edge.left - edge.right;
  const ticks = categories ? categories.map((_, i) => i) : ticks_of(x, Math.max(2, Math.floor(room / 90)));
  const longest = categories ? Math.max(...categories.map((text) => text.length)) : 0;
  const fits = !categories || longest * 7 * categories.length < room;
  ticks.forEach((tick) => {
    const at = x.at(tick).toFixed(1);
    const text = categories ? (fits ? categories[tick] : String(tick + 1)) : tick_text(tick);
    parts.push(svg("line", { class: "axis", x1: at, x2: at, y1: bottom, y2: bottom + 4 }),
      svg("text", { class: "tick", x: at, y: bottom + 17, "text-anchor": "middle" }, text));
  });
  parts.push(svg("line", { class: "axis", x1: edge.left, x2: width - edge.right, y1: bottom, y2: bottom }),
    svg("text", { class: "label", x: edge.left + room / 2, y: height - 6, "text-anchor": "middle" }, place.name));
  return { parts, named: fits ? null : categories };
}

function line_parts(line, index, x, y, x_value, categories, bottom) {
  const parts = [];
  const known = line.rows.filter((row) => row.expected !== undefined && row.expected !== null);
  if (!categories && known.length > 1) {
    const sorted = [...known].sort((a, b) => x_value(a) - x_value(b));
    const path = sorted.map((row, i) => `${i ? "L" : "M"}${x.at(x_value(row)).toFixed(1)} ${y.at(row.expected).toFixed(1)}`).join("");
    parts.push(svg("path", { class: `theory hue-${index}`, d: path }));
  } else {
    for (const row of known) {
      const at = x.at(x_value(row));
      parts.push(svg("path", { class: `theory hue-${index}`, d: `M${at - 8} ${y.at(row.expected).toFixed(1)}h16` }));
    }
  }
  for (const row of line.rows) {
    const at = x.at(x_value(row)).toFixed(1);
    const low = row.low > 0 || !y.logarithmic ? y.at(row.low) : bottom;
    parts.push(svg("line", { class: `interval hue-${index}`, x1: at, x2: at, y1: low.toFixed(1), y2: y.at(row.high).toFixed(1) }));
    parts.push(svg("circle", { class: `dot hue-${index}${row.flagged ? " flagged" : ""}${row.rate > 0 ? "" : " none"}`,
      cx: at, cy: (row.rate > 0 || !y.logarithmic ? y.at(row.rate) : bottom).toFixed(1), r: 3.4 }));
  }
  return parts;
}

/// The figure of a report against one place: {picture, legend, points}; points are what a reader
/// can step through: {x, y, text}.
function figure_of(report, place, width) {
  const places = places_in(report);
  const { all, lines } = lines_of(report, places, place);
  const rows = lines.flatMap((line) => line.rows);
  if (rows.length === 0) return null;
  const height = Math.round(Math.min(460, Math.max(280, width * 0.52)));
  const bottom = height - edge.bottom;
  const names = [...new Set(rows.map(place.said))];
  const categories = place.numeric ? null : names;
  const x_value = categories ? (row) => names.indexOf(place.said(row)) : place.of;
  const x = categories
    ? { at: (i) => edge.left + (i + 0.5) / names.length * (width - edge.left - edge.right) }
    : scale_of(rows.map(x_value), edge.left + 8, width - edge.right - 8, false);
  const heights = rows.flatMap((row) => [row.rate, row.high, row.low > 0 ? row.low : row.rate, row.expected ?? row.rate]);
  const y = scale_of(heights, bottom, edge.top, true);
  const { parts, named } = frame_parts(x, y, place, categories, width, height);
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    ...parts, ...lines.flatMap((line, i) => line_parts(line, i, x, y, x_value, categories, bottom)));
  const legend = lines.map((line, i) => element("li", {}, element("i", { class: `swatch hue-${i}` }), line.name))
    .slice(lines.length === 1 && lines[0].name === "" ? 1 : 0);
  if (all > lines.length) legend.push(element("li", {}, say("figure.some", { shown: lines.length, all })));
  if (named) legend.push(element("li", { class: "names" }, named.map((name, i) => `${i + 1} ${name}`).join(", ")));
  const points = lines.flatMap((line) => line.rows.map((row) => ({
    x: x.at(x_value(row)), y: row.rate > 0 || !y.logarithmic ? y.at(row.rate) : bottom,
    text: [line.name, `${place.name}: ${place.said(row)}`, `FPR ${row.said}`,
      row.said_expected ? say("readout.form", { value: row.said_expected }) : ""].filter(Boolean).join("; "),
  })));
  return { picture, legend, points };
}
