// Measured against theory: one filter's own rate, and the mean over many filters.

const absent_words = 2000;
const further_filters = 500;
const queries_each = 200;

const number_text = (value) => module.parameter_text(Number(value.toPrecision(4)));
const share_text = ({ hits, queries }) => say("rate.count", { hits: whole(hits), queries: whole(queries) });

/// The rows: what is measured with its interval, then what theory says of it.
function rate_rows(followed, measured) {
  const line = (name) => followed.rate.find((one) => one.name === name)?.value;
  const rows = [
    { kind: "measured", name: say("rate.own"), estimate: measured.own },
    { kind: "own", name: say("rate.fill"), formula: "(X/m)^k", value: line("conditional") },
    { kind: "measured", name: say("rate.many", { filters: further_filters }), estimate: measured.many },
    { kind: "exact", name: say("rate.mean"), formula: "E[(X/m)^k]", value: line("exact") },
    { kind: "closed", name: say("rate.closed"), formula: "(1 − e^(−kn/m))^k", value: line("textbook") },
  ];
  const probe = line("probe");
  if (probe !== undefined) {
    rows.push({ kind: "probe", name: say("rate.scheme"), formula: "", value: probe });
  }
  return rows;
}

function row_of(row) {
  const said = row.estimate
    ? [element("b", {}, module.with_interval(row.estimate.value, row.estimate.low, row.estimate.high)),
      element("span", { class: "small" }, " " + share_text(row.estimate))]
    : [element("b", {}, number_text(row.value)), element("span", { class: "small formula" }, " " + row.formula)];
  return element("tr", { class: row.kind },
    element("th", { scope: "row" }, element("span", { class: "key", "aria-hidden": "true" }), row.name),
    element("td", {}, ...said));
}

/// Two lanes, one of this filter and one of many, with dots, intervals and theory's marks.
function rate_chart(rows, width) {
  const [own, fill, many, ...theory] = rows;
  const top = Math.max(...rows.map((row) => row.estimate?.high ?? row.value), 1e-6) * 1.08;
  const left = 10;
  const x_of = (value) => left + value / top * (width - 2 * left);
  const root = svg("svg", { width, height: 106, viewBox: `0 0 ${width} 106`, "aria-hidden": "true", class: "chart" });
  const step = [1, 2, 5].map((digit) => digit * 10 ** Math.floor(Math.log10(top / 2)))
    .concat(10 ** Math.floor(Math.log10(top / 2)) / 2).filter((one) => top / one <= 6).sort((a, b) => a - b)[0];
  for (let tick = 0; tick <= top; tick += step) {
    root.append(svg("line", { class: "grid", x1: x_of(tick), x2: x_of(tick), y1: 4, y2: 88 }),
      svg("text", { x: x_of(tick), y: 103, "text-anchor": tick === 0 ? "start" : x_of(tick) > width - 30 ? "end" : "middle" },
        module.parameter_text(Number(tick.toPrecision(6)))));
  }
  const lane = (estimate, y) => root.append(
    svg("line", { class: "interval", x1: x_of(estimate.low), x2: x_of(estimate.high), y1: y, y2: y }),
    svg("circle", { class: "dot", cx: x_of(estimate.value), cy: y, r: 6 }));
  const mark = (row, y) => root.append(
    svg("line", { class: `theory ${row.kind}`, x1: x_of(row.value), x2: x_of(row.value), y1: y - 16, y2: y + 16 }));
  mark(fill, 25);
  lane(own.estimate, 25);
  for (const row of theory) mark(row, 67);
  lane(many.estimate, 67);
  return root;
}

/// The figures for the lesson that was followed last. Where the exact rate of independent
/// positions is not what many filters have, the page says why: the scheme's positions depend on
/// each other, or the hash is the article's, which is far from random.
function show_rate(followed) {
  const measured = module.measure(generated("absent", absent_words), further_filters, queries_each);
  const rows = rate_rows(followed, measured);
  by_id("rates").replaceChildren(element("tbody", {}, ...rows.map(row_of)));
  const room = Math.max(260, by_id("chart").clientWidth);
  by_id("chart").replaceChildren(rate_chart(rows, room));
  by_id("chart").setAttribute("aria-label", say("rate.chart"));
  const outside = ({ value }) => value < measured.many.low || value > measured.many.high;
  const exact = rows.find(({ kind }) => kind === "exact");
  const reason = !outside(exact) ? "" : rows.at(-1).kind === "probe"
    ? say("rate.apart.scheme", { probe: state.probe })
    : state.hash.startsWith("javascript") ? say("rate.apart") : "";
  by_id("rate-apart").hidden = reason === "";
  by_id("rate-apart").textContent = reason;
  return measured;
}
