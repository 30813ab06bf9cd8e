// The filters of the catalogue and the consequences of wrong guesses, as tables.

function abilities_of(candidate) {
  const words = [];
  if (!candidate.takes_keys_later) words.push(["static", "built once from all keys"]);
  if (candidate.deletes) words.push(["deletes", "forgets keys"]);
  if (candidate.grows) words.push(["grows", "takes more keys than planned and keeps its rate"]);
  if (candidate.exact) words.push(["exact", "keeps the keys themselves and never errs"]);
  return words;
}

const parameter_names = { kind: "", m: "" };

function parameters_text(candidate) {
  return Object.entries(candidate.parameters)
    .filter(([name]) => !(name in parameter_names))
    .map(([name, value]) =>
      `${name}=${typeof value === "number" ? Number(value.toPrecision(6)) : value}`)
    .join(" ");
}

const columns = [
  ["filter", "filter"], ["bits per key", "number"], ["memory", "number"], ["rate", "number"],
  ["lines", "number"], ["can", "words"], ["loses keys", "words"], ["hash bits", "number"],
  ["parameters", "code"],
];

function cells_of(candidate, recommended) {
  const name = [element("span", { class: "mark", title: "none is better in every respect" },
    candidate.pareto ? "★" : ""), candidate.filter];
  if (recommended) name.push(element("span", { class: "taken" }, "recommended"));
  if (candidate.note) name.push(element("span", { class: "small" }, candidate.note));
  if (!candidate.available) return [name];
  const parameters = parameters_text(candidate);
  const rate = candidate.rate > 0 ? planner.significant(candidate.rate, 3) : "0";
  const hash = candidate.fewest_hash_bits;
  return [name,
    [planner.significant(candidate.bits_per_key, 4)],
    [planner.memory_text(candidate.memory_bits, 4)],
    [rate],
    [`${planner.significant(candidate.lines_absent, 2)} / ${planner.significant(candidate.lines_present, 2)}`],
    abilities_of(candidate).map(([word, meaning]) => element("span", { class: "can", title: meaning }, word)),
    [candidate.false_negatives || "never"],
    [hash ? String(hash) : "–"],
    parameters ? [element("code", {}, parameters)] : []];
}

function row_of(candidate, recommended) {
  const [name, ...rest] = cells_of(candidate, recommended);
  const row = element("tr", { role: "row" }, element("th", { scope: "row", role: "rowheader" }, ...name));
  if (!candidate.available) {
    row.className = "unavailable";
    row.append(element("td", { colspan: columns.length - 1, role: "cell" }, candidate.unavailable));
    return row;
  }
  if (recommended) row.className = "recommended";
  rest.forEach((content, i) => {
    const [label, kind] = columns[i + 1];
    row.append(element("td", { class: kind, "data-label": label, role: "cell" }, ...content));
  });
  return row;
}

/// Smaller values first, filters that cannot reach the goal last; a catalogue's order stays.
function ordered(candidates, order) {
  if (order === "catalogue") return candidates;
  const before = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  return [...candidates].sort((a, b) =>
    b.available - a.available || before(a[order], b[order]));
}

function filter_table(answer, order, pareto_only) {
  const shown = ordered(answer.comparison, order).filter((one) => one.pareto || !pareto_only);
  const head = element("tr", { role: "row" }, ...columns.map(([label, kind]) =>
    element("th", { scope: "col", class: kind, role: "columnheader" }, label)));
  const body = shown.map((one) => row_of(one, one.filter === answer.recommendation.filter));
  return element("table", { class: "filters", role: "table" },
    element("caption", { class: "visually-hidden" },
      `${shown.length} of ${answer.comparison.length} filters of the catalogue, sized for the same goal`),
    element("thead", { role: "rowgroup" }, head), element("tbody", { role: "rowgroup" }, ...body));
}

/// "+7.2 %", or "× 12" far off.
function ratio_text(ratio) {
  if (ratio >= 10 || ratio <= 0.1) return "× " + planner.significant(ratio, 3);
  const more = 100 * (ratio - 1);
  if (more === 0) return "the same";
  return (more > 0 ? "+" : "−") + planner.significant(Math.abs(more), 2) + " %";
}

/// The rates after each wrong guess, with a bar on a logarithmic scale about the plan's own.
function shift_table(shifts) {
  const widest = Math.max(...shifts.map(({ ratio }) => Math.abs(Math.log(ratio || 1))), 0.1);
  const rows = shifts.map(({ change, rate, ratio }) => {
    const length = (50 * Math.abs(Math.log(ratio || 1))) / widest;
    const side = ratio >= 1 ? `left:50%;` : `right:50%;`;
    const bar = element("span", { class: ratio >= 1 ? "bar worse" : "bar better" });
    bar.style.cssText = `${side}width:${length.toFixed(1)}%`;
    return element("tr", {}, element("th", { scope: "row" }, change.replaceAll(" x ", " × ").replace(" - ", " − ")),
      element("td", { class: "number" }, planner.significant(rate, 4)),
      element("td", { class: "number" }, ratio_text(ratio)),
      element("td", { class: "bars", "aria-hidden": "true" }, bar));
  });
  return element("table", { class: "shifts" },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "if"),
      element("th", { scope: "col", class: "number" }, "rate"),
      element("th", { scope: "col", class: "number" }, "change"),
      element("td", { class: "bars", "aria-hidden": "true" }, "better · worse"))),
    element("tbody", {}, ...rows));
}
