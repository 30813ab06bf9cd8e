// Small plots of the rate against one quantity, drawn as SVG. A point can be read off with the
// pointer or, as on a slider, with the arrow keys.

/// 12 300 000 as "12.3M": SI prefixes as the fields take them.
function si_text(value, digits = 3) {
  const prefixes = ["", "k", "M", "G", "T", "P", "E", "Z"];
  let power = 0;
  let rest = Number(value.toPrecision(digits));
  for (; rest >= 1000 && power + 1 < prefixes.length; ++power) rest /= 1000;
  return String(Number(rest.toPrecision(digits))) + prefixes[power];
}

const superscript = (exponent) =>
  [...String(exponent)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)])).join("");

const decade_text = (exponent) => (exponent === 0 ? "1" : "10" + superscript(exponent));

/// Ticks of a logarithmic axis [low, high]: decades, or where there are fewer than two of them, 1, 2
/// and 5 of each.
function log_ticks(low, high, most) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  if (last - first < 1) {
    const ticks = [];
    for (let decade = first - 1; decade <= last; ++decade) {
      for (const digit of [1, 2, 5]) {
        const tick = digit * 10 ** decade;
        if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push(tick);
      }
    }
    return ticks;
  }
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  const ticks = [];
  for (let decade = last; decade >= first; decade -= step) ticks.unshift(10 ** decade);
  return ticks;
}

function whole_ticks(high, most) {
  const step = [1, 2, 5, 10, 20, 50, 100].find((one) => high / one <= most) ?? 100;
  const ticks = [1];
  for (let tick = step > 1 ? step : 2; tick <= high; tick += step) ticks.push(tick);
  return ticks;
}

/// Where values lie on the picture.
function scales_of(figure, chosen, width, height) {
  const points = figure.series.flatMap((line) => line.points);
  const discrete = figure.name === "plan_rate_by_k";
  const xs = [...points.map(([x]) => x), chosen.x];
  const ys = points.map(([, y]) => y).concat(chosen.y > 0 ? [chosen.y] : []);
  const edge = { left: 46, right: 18, top: 14, bottom: 40 };
  const low = { x: Math.min(...xs), y: Math.min(...ys) };
  const high = { x: Math.max(...xs), y: Math.min(1, Math.max(...ys) * 1.3) };
  if (high.y / low.y < 10) low.y = high.y / 10;
  if (discrete) low.y /= (high.y / low.y) ** 0.1;  // room below the best k
  const inner = { width: width - edge.left - edge.right, height: height - edge.top - edge.bottom };
  const share = (value, from, to) =>
    to > from ? (Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from)) : 0.5;
  const across = (x) =>
    discrete ? (x - 0.5) / high.x : share(x, low.x, high.x);
  return {
    discrete, low, high, edge, width, height,
    x: (value) => edge.left + inner.width * across(value),
    y: (value) => edge.top + inner.height * (1 - share(value, low.y, high.y)),
    x_ticks: discrete ? whole_ticks(high.x, inner.width / 34) : log_ticks(low.x, high.x, 6),
    y_ticks: log_ticks(low.y, high.y, 5),
  };
}

function axes(scales, label) {
  const { edge, width, height } = scales;
  const bottom = height - edge.bottom;
  const parts = [];
  for (const tick of scales.y_ticks) {
    const y = scales.y(tick).toFixed(1);
    const exponent = Math.log10(tick);
    const whole = Math.abs(exponent - Math.round(exponent)) < 1e-9;
    parts.push(svg("line", { class: "grid", x1: edge.left, x2: width - edge.right, y1: y, y2: y }));
    parts.push(svg("text", { class: "tick", x: edge.left - 7, y, dy: "0.32em", "text-anchor": "end" },
      whole ? decade_text(Math.round(exponent)) : planner.significant(tick, 1)));
  }
  for (const tick of scales.x_ticks) {
    const x = scales.x(tick).toFixed(1);
    parts.push(svg("line", { class: "axis", x1: x, x2: x, y1: bottom, y2: bottom + 4 }));
    parts.push(svg("text", { class: "tick", x, y: bottom + 16, "text-anchor": "middle" }, si_text(tick)));
  }
  parts.push(svg("line", { class: "axis", x1: edge.left, x2: width - edge.right, y1: bottom, y2: bottom }));
  parts.push(svg("text", { class: "label", x: (edge.left + width - edge.right) / 2, y: height - 6,
    "text-anchor": "middle" }, label));
  return parts;
}

function curve(line, index, scales) {
  const path = line.points
    .map(([x, y], i) => `${i ? "L" : "M"}${scales.x(x).toFixed(1)} ${scales.y(y).toFixed(1)}`)
    .join("");
  const parts = [svg("path", { class: `curve curve-${index}`, d: path })];
  if (scales.discrete) {
    for (const [x, y] of line.points) {
      parts.push(svg("circle", { class: `bead curve-${index}`, r: 2.5, cx: scales.x(x).toFixed(1),
        cy: scales.y(y).toFixed(1) }));
    }
  }
  return parts;
}

function marks(chosen, scales) {
  const { edge, width, height } = scales;
  const parts = [];
  if (chosen.requested && chosen.requested >= scales.low.y && chosen.requested <= scales.high.y) {
    const y = scales.y(chosen.requested).toFixed(1);
    parts.push(svg("line", { class: "wish", x1: edge.left, x2: width - edge.right, y1: y, y2: y }));
    parts.push(svg("text", { class: "wish-label", x: edge.left + 4,
      y: Number(y) + (scales.discrete ? 13 : -5) }, "requested"));
  }
  if (chosen.y > 0) {
    const x = scales.x(chosen.x).toFixed(1);
    const y = scales.y(chosen.y).toFixed(1);
    parts.push(svg("line", { class: "plumb", x1: x, x2: x, y1: y, y2: height - edge.bottom }));
    parts.push(svg("circle", { class: "chosen", cx: x, cy: y, r: 5 }));
  }
  return parts;
}

/// Lets a figure's points {x, y, text} be read off, as on a slider: a ring on the picture follows the
/// arrow keys and the pointer, and `out` says the point's text.
/// @param far how far a point is from where the pointer is; a point is taken that is near
function read_off(frame, picture, out, points, far, start = 0) {
  const ring = svg("circle", { class: "ring", r: 6, visibility: "hidden" });
  picture.append(ring);
  let at = start;
  frame.setAttribute("aria-valuemin", 0);
  frame.setAttribute("aria-valuemax", points.length - 1);
  const show = (index, visible) => {
    at = Math.min(Math.max(index, 0), points.length - 1);
    const { x, y, text } = points[at];
    frame.setAttribute("aria-valuenow", at);
    frame.setAttribute("aria-valuetext", text);
    ring.setAttribute("cx", x);
    ring.setAttribute("cy", y);
    ring.setAttribute("visibility", visible ? "visible" : "hidden");
    out.textContent = visible ? text : "";
  };
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10,
    Home: -points.length, End: points.length };
  frame.onkeydown = (event) => {
    if (!(event.key in steps)) return;
    event.preventDefault();
    show(at + steps[event.key], true);
  };
  frame.onfocus = () => show(at, frame.matches(":focus-visible"));
  frame.onblur = () => show(at, false);
  picture.onpointermove = (event) => {
    const box = picture.getBoundingClientRect();
    const from = { x: event.clientX - box.left, y: event.clientY - box.top };
    show(points.reduce((best, point, i) => (far(point, from) < far(points[best], from) ? i : best), 0), true);
  };
  picture.onpointerleave = () => show(at, false);
  show(at, false);
}

/// The points of a figure's first curve.
function points_of(figure, scales, symbol) {
  return figure.series[0].points.map(([x, y]) => ({ x: scales.x(x), y: scales.y(y),
    text: `${symbol} = ${scales.discrete ? String(x) : si_text(x, 4)}: rate ${planner.significant(y, 3)}, ${one_in(y)}` }));
}

const captions = {
  plan_rate_by_n: "Rate against keys n",
  plan_rate_by_m: "Rate against bits m",
  plan_rate_by_k: "Rate against probes k",
};

/// A figure as planner.figures() gives it, with the chosen point {x, y, requested}.
function plot(figure, chosen, width) {
  const height = Math.round(Math.min(290, Math.max(210, width * 0.85)));
  const scales = scales_of(figure, chosen, width, height);
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    ...axes(scales, figure.label), ...figure.series.flatMap((line, i) => curve(line, i, scales)).reverse(),
    ...marks(chosen, scales));
  const frame = element("div", { class: "frame", tabindex: 0, role: "slider", "aria-label":
    `${figure.title}: false-positive rate against ${figure.label}` },
    picture, element("p", { class: "readout" }));
  read_off(frame, picture, frame.querySelector(".readout"), points_of(figure, scales, figure.name.at(-1)),
    (point, from) => Math.abs(point.x - from.x), Math.max(0, figure.series[0].points.findIndex(([x]) => x >= chosen.x)));
  const legend = element("p", { class: "legend" }, ...figure.series.map((line, i) =>
    element("span", {}, element("i", { class: `swatch curve-${i}` }), line.name)));
  const node = element("figure", {}, element("figcaption", { title: figure.title }, captions[figure.name]), legend, frame);
  node.style.width = `${width}px`;
  return node;
}
