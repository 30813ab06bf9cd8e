// What systems in production build of the page's keys and memory, and where each is set. The rules
// are those of `bloomlab system`; this section speaks three languages.

const system_words = {
  en: { title: "What systems build of it", language: "Language",
    note: "Each system sizes its filter by its own rule, for these keys and at most this memory; all else stays as it has it by default. The rate is that of what it builds, with its rounding, its layout and its hash. The line is what to set, the file is where the rule was read.",
    system: "system", line: "what to set", bits: "bits per key", probes: "probes", rate: "rate", ratio: "of a standard filter's",
    caption: "Systems in production, for the same keys and memory", over: "takes {{memory}} at least", refused: "It builds none: " },
  zh: { title: "各系统会造出什么", language: "语言",
    note: "每个系统都按自己的规则，为这些键在至多这么多内存中确定过滤器大小；其余保持其默认值。误判率是它实际造出的过滤器的误判率，含其取整、布局和哈希。所列语句是要设置的内容，所列文件是读到规则的地方。",
    system: "系统", line: "要设置的内容", bits: "每键位数", probes: "探测次数", rate: "误判率", ratio: "与标准过滤器之比",
    caption: "生产系统，键和内存相同", over: "至少占用 {{memory}}", refused: "它不造过滤器：" },
  ru: { title: "Что из этого строят системы", language: "Язык",
    note: "Каждая система рассчитывает фильтр по своему правилу, для этих ключей и не больше чем в этой памяти; остальное остаётся по умолчанию. Частота — того, что она строит, с её округлением, раскладкой и хешем. Строка — что задать, файл — где прочитано правило.",
    system: "система", line: "что задать", bits: "бит на ключ", probes: "проб", rate: "частота", ratio: "к стандартному фильтру",
    caption: "Системы в эксплуатации при тех же ключах и памяти", over: "занимает не меньше {{memory}}", refused: "Она фильтра не строит: " },
};

const system_say = (key) => system_words[by_id("systems-language").value][key];

function system_cells(row, plan) {
  const taken = [planner.significant(Number(row.memory_bits) / Number(plan.n), 4)];
  if (!row.fits) {
    taken.push(element("span", { class: "small" }, ` ${system_say("over").replace("{{memory}}", planner.memory_text(row.memory_bits, 3))}`));
  }
  return [
    ["line", "code", [element("code", { lang: "en" }, row.line)]],
    ["bits", "number", taken],
    ["probes", "number", [String(row.k)]],
    ["rate", "number", [planner.significant(row.rate, 3)]],
    ["ratio", "number", [plan.rate > 0 ? `× ${planner.significant(row.rate / plan.rate, 3)}` : "–"]]];
}

function system_row(row, plan) {
  const head = element("th", { scope: "row", role: "rowheader" }, row.system, element("span", { class: "small", lang: "en" }, row.source));
  if (row.refused) {
    return element("tr", { role: "row", class: "unavailable" }, head,
      element("td", { colspan: 5, role: "cell" }, system_say("refused"), element("span", { lang: "en" }, row.refused)));
  }
  return element("tr", { role: "row" }, head, ...system_cells(row, plan).map(([key, kind, content]) =>
    element("td", { class: kind, "data-label": system_say(key), role: "cell" }, ...content)));
}

/// The section in its language; its table where the answer has one.
function show_systems(plan) {
  by_id("systems").lang = by_id("systems-language").value;
  for (const key of ["title", "note", "language"]) by_id(`systems-${key}-text`).textContent = system_say(key);
  if (!plan.systems) return;
  const head = ["system", "line", "bits", "probes", "rate", "ratio"].map((key) =>
    element("th", { scope: "col", role: "columnheader", class: ["system", "line"].includes(key) ? "" : "number" }, system_say(key)));
  by_id("systems-table").replaceChildren(element("table", { class: "filters systems", role: "table" },
    element("caption", { class: "visually-hidden" }, system_say("caption")),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...head)),
    element("tbody", { role: "rowgroup" }, ...plan.systems.map((row) => system_row(row, plan)))));
}

/// The rules take a second or more: they are worked out while the section is open.
const wants_systems = () => ({ systems: by_id("systems-details").open });

function listen_to_systems(ask_again) {
  const usual = navigator.languages.map((one) => one.slice(0, 2)).find((one) => one in system_words);
  by_id("systems-language").value = usual ?? "en";
  by_id("systems-language").addEventListener("change", () => show_systems(answer));
  by_id("systems-details").addEventListener("toggle", () => { if (by_id("systems-details").open) ask_again(); });
  show_systems({});
}
