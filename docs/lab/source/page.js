// The page: a config is chosen, pasted or opened; the engine considers it, measures it, and its
// result is shown. The address keeps the config.

const scaled_seconds = 20;    // what a smaller config may take, by estimate
const unasked_seconds = 12;   // what is measured without being asked for
const typing_ms = 400;

const studies = Object.fromEntries([...document.querySelectorAll("script.study")]
  .map((node) => [node.dataset.stem, { topic: node.dataset.topic, text: node.textContent.trim() }]));
const published = texts["published.json"];
const usual_study = "lab_report";

let state = null;      // {lang, study or "", config: text, size: "whole" or "scaled" or "", own: null or the reader's filter}
let considered = null; // what the engine said of the config
let report = null;     // what is shown
let kept = null;       // {file, text}: the result that can be saved
let place_name = null;
let running = false;
let counting = null;   // the worker of the reader's filter
let judged = null;     // {answer, own, first}: what is shown of the reader's filter
let asked = 0;
let speaking = 0;
const engine = make_engine();

const languages = ["en", "zh", "ru"];

function speak(text) {
  clearTimeout(speaking);
  speaking = setTimeout(() => { by_id("status").textContent = text; }, 400);
}

/// A sentence of the report's texts.
function reported(key, tags) {
  return texts[`verdict.${language}.json`][key].replace(/\{\{(\w+)\}\}/g, (_, tag) => tags[tag]);
}

function time_text(seconds) {
  if (!(seconds >= 1)) return say("time.moment");
  if (seconds < 90) return say("time.seconds", { count: Math.round(seconds) });
  return say("time.minutes", { count: Math.round(seconds / 60) });
}

// The address.

const to_base64url = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const from_base64url = (text) => new TextDecoder("utf-8", { fatal: true }).decode(
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)));

function hash_of({ lang, study, config, size, own }) {
  if (own) return `#${[...own_hash(own), `lang=${lang}`].join("&")}`;
  const parts = study ? [`study=${study}`] : [`config=${to_base64url(config)}`];
  if (size) parts.push(`size=${size}`);
  return `#${[...parts, `lang=${lang}`].join("&")}`;
}

function state_of(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, "").replaceAll("+", "%2B"));
  const usual = navigator.languages.map((one) => one.slice(0, 2)).find((one) => languages.includes(one)) ?? "en";
  const lang = languages.includes(words.get("lang")) ? words.get("lang") : usual;
  const own = own_of(words);
  const size = ["whole", "scaled"].includes(words.get("size")) ? words.get("size") : "";
  if (words.has("config")) {
    try {
      return { lang, size, own, study: "", config: from_base64url(words.get("config")) };
    } catch {
      return { lang, size, own, study: "", config: words.get("config") };  // the engine says what is wrong
    }
  }
  const study = words.get("study") in studies ? words.get("study") : usual_study;
  return { lang, size, own, study, config: studies[study].text };
}

function keep_in_address() {
  const hash = hash_of(state);
  if (hash === location.hash) return;
  try {
    history.pushState(null, "", hash);
  } catch {
    location.hash = hash;
  }
}

// What is asked.

const file_name = () => `${state.study || "config"}.json`;
/// A smaller config's result is no result of the config.
const result_name = () => (chosen().size === "scaled" ? file_name().replace(".json", "_scaled.json") : file_name());

/// The size that is chosen, and the config that is then measured.
function chosen() {
  const whole = considered?.whole;
  const scaled = considered?.scaled;
  const can = { whole: whole && !whole.fault, scaled: Boolean(scaled) };
  const size = state.size && can[state.size] ? state.size : scaled ? "scaled" : "whole";
  if (size === "scaled") return { size, facts: scaled, text: scaled.config };
  return { size, facts: whole, text: state.config };
}

const change_text = ({ key, from, to }) => (key === "expected_flags" ? say("change.flags")
  : say("change", { key, from: value_said(from), to: value_said(to) }));
const value_said = (value) => (Array.isArray(value) ? value.map(value_said).join(", ") : whole(value));

function facts_text(facts) {
  const tags = { cells: whole(facts.cells), trials: whole(facts.trials), queries: facts.queries ? whole(facts.queries) : "" };
  return say(facts.queries ? "facts" : "facts.plain", tags) + " " + say("estimate", { time: time_text(facts.seconds) }) +
    facts.notes.map((note) => ` ${note}.`).join("");
}

function show_considered() {
  const { whole: all, scaled } = considered;
  const fault = considered.fault ?? (scaled ? undefined : all.fault);
  show_fault(fault);
  by_id("sizes").hidden = !scaled;
  by_id("run").disabled = Boolean(fault);
  by_id("facts").textContent = "";
  by_id("question").textContent = "";
  if (fault) return;
  const { size, facts } = chosen();
  by_id("question").textContent = translated(state.study, 1, facts.question);
  if (scaled) {
    by_id("scaled").textContent = say("size.scaled", { time: time_text(scaled.seconds), changes: scaled.changes.map(change_text).join("; ") });
    by_id("whole").textContent = all.fault ? all.fault : say("size.whole", { time: time_text(all.seconds) });
    document.querySelector("input[value=whole]").disabled = Boolean(all.fault);
    document.querySelector(`input[value=${size}]`).checked = true;
  }
  by_id("facts").textContent = facts_text(facts);
}

/// Lets the engine look at the config; runs it where that was asked for, or takes a moment.
async function consider(then_run) {
  stop();
  const number = ++asked;
  show_mode();
  if (state.own) return consider_own(then_run);
  if (by_id("config") !== document.activeElement) by_id("config").value = state.config;
  by_id("study").value = state.study;
  const answer = await engine.ask("consider", { text: state.config, file: file_name(), seconds: scaled_seconds });
  if (number !== asked) return;
  considered = answer;
  show_considered();
  document.body.dataset.considered = hash_of(state);
  if (then_run && !by_id("run").disabled && chosen().facts.seconds <= unasked_seconds) run();
}

function show_mode() {
  const mode = state.own ? "own" : "study";
  for (const node of document.querySelectorAll("[data-mode]")) node.hidden = node.dataset.mode !== mode;
  for (const button of document.querySelectorAll("[data-mode-of]")) button.setAttribute("aria-pressed", String(button.dataset.modeOf === mode));
}

function show_fault(fault) {
  by_id("fault").hidden = !fault;
  by_id("fault").textContent = fault ?? "";
  if (fault) speak(fault);
}

/// Code that came with an address is measured when the reader says so; examples are at once.
function consider_own(then_run) {
  show_own_fields(state.own);
  const fault = own_input_fault(state.own);
  show_fault(fault);
  by_id("run").disabled = fault !== "";
  document.body.dataset.considered = hash_of(state);
  if (then_run && !fault && state.own.example) run_own();
}

// What is measured.

function stop() {
  if (running) engine.cancel();
  running = false;
  counting?.stop();
  counting = null;
  by_id("progress").hidden = true;
  by_id("cancel").hidden = true;
  by_id("run").hidden = false;
}

function show_progress({ share, left }) {
  by_id("progress").hidden = false;
  by_id("progress").firstElementChild.value = share;
  by_id("left").textContent = say("left", { percent: Math.floor(100 * share), time: time_text(left) });
}

const here = () => JSON.stringify({ cpu: navigator.userAgent, cores: navigator.hardwareConcurrency ?? 1,
  date: new Date().toISOString().replace(/\.\d+Z$/, "Z") });

async function run() {
  stop();
  const number = ++asked;
  const file = result_name();
  running = true;
  kept = null;
  by_id("run").hidden = true;
  by_id("cancel").hidden = false;
  by_id("answer").classList.add("pending");
  show_progress({ share: 0, left: chosen().facts.seconds });
  delete document.body.dataset.done;
  const answer = await engine.ask("run", { text: chosen().text, file, here: here() }, (part) => {
    if (number !== asked) return;
    if (part.report) show_report(part.report);
    else show_progress(part);
  });
  if (number !== asked) return;
  stop();
  by_id("answer").classList.remove("pending");
  if (answer.fault) return show_fault(answer.fault);
  kept = { file, text: answer.text };
  show_report(answer);
  document.body.dataset.done = hash_of(state);
  label_studies();
}

/// Counts the reader's filter, then lets the engine measure the standard one and judge.
async function run_own() {
  stop();
  const number = ++asked;
  const { own } = state;
  const begun = performance.now();
  const tell = (share) => {
    if (number === asked) show_progress({ share, left: (performance.now() - begun) / 1000 * (1 / share - 1) });
  };
  show_fault("");
  by_id("run").hidden = true;
  by_id("cancel").hidden = false;
  by_id("answer").classList.add("pending");
  show_progress({ share: 0, left: 1 });
  delete document.body.dataset.done;
  counting = count_own(own, (share) => tell(0.7 * share));
  const { counted, first, fault } = await counting.answer;
  if (number !== asked) return;
  running = !fault;
  const answer = fault ? { fault } : await engine.ask("own", { text: standard_config(own), file: "own.json", counted: JSON.stringify(counted) },
    ({ share }) => tell(0.7 + 0.3 * share));
  if (number !== asked) return;
  running = false;
  stop();
  by_id("answer").classList.remove("pending");
  document.body.dataset.done = hash_of(state);
  if (answer.fault) return show_fault(answer.fault);
  judged = { answer, own, counted, first };
  kept = null;
  show_own();
  speak(`${by_id("denied").textContent} ${by_id("judged").textContent}`);
}

async function open_file(file) {
  stop();
  const number = ++asked;
  const text = await file.text();
  let is_result = false;
  try {
    is_result = "cells" in JSON.parse(text);
  } catch {
    is_result = false;  // the engine says what is wrong with it
  }
  if (!is_result) return change({ ...state, study: "", config: text, size: "" });
  const answer = await engine.ask("open", { text, file: file.name });
  if (number !== asked) return;
  show_fault(answer.fault);
  if (answer.fault) return;
  state = { ...state, study: "", config: answer.config, size: "" };
  kept = { file: file.name, text };
  keep_in_address();
  show_report(answer);
  document.body.dataset.done = hash_of(state);
  consider(false);
}

// What is shown.

function digest_text({ digest, provenance }) {
  const name = Object.keys(published).find((one) => published[one] === digest);
  if (name) return say(provenance ? "digest.opened" : "digest.same", { file: `results/${name}` });
  return say(provenance || !(file_name() in published) || chosen().size === "scaled" ? "digest.own" : "digest.other", { file: file_name() });
}

/// The reader's filter beside the standard one: what is wrong comes first.
function show_own() {
  report = own_shown(judged.answer);
  const denied = denied_text(judged.counted, judged.first);
  by_id("denied").hidden = denied === "";
  by_id("denied").textContent = denied;
  by_id("heading").textContent = say("own.heading", { m: whole(judged.own.m), k: judged.own.k });
  by_id("judged").replaceChildren(...judged_nodes(judged.answer.judged));
  by_id("judged").hidden = false;
  by_id("fixed").textContent = say("own.measured", { trials: judged.own.trials, queries: whole(judged.own.queries) });
  for (const id of ["verdict", "so-far", "digest", "keep"]) by_id(id).hidden = true;
  show_places();
  show_figure();
  show_table();
}

function show_report(next) {
  report = next;
  judged = null;
  by_id("denied").hidden = true;
  by_id("judged").hidden = true;
  by_id("verdict").hidden = false;
  const partial = report.trials_done !== undefined && report.digest === undefined;
  by_id("answer").classList.remove("pending");
  by_id("heading").textContent = translated(state.study, 0, report.title);
  by_id("verdict").textContent = report.counted ? say("counted") : reported(report.verdict.sentence, report.verdict.tags);
  by_id("so-far").hidden = !partial;
  if (partial) {
    const cells = new Set(report.rows.map(({ at }) => JSON.stringify(at))).size;
    by_id("so-far").textContent = report.trials_done === 0 ? say("so_far.cells", { done: whole(cells), all: whole(chosen().facts.cells) })
      : say("so_far", { done: whole(report.trials_done), all: whole(report.trials) });
  }
  by_id("digest").hidden = report.digest === undefined;
  if (report.digest) {
    by_id("digest").replaceChildren(digest_text(report), " ", element("code", {}, report.digest));
    by_id("digest").classList.toggle("same", Object.values(published).includes(report.digest));
  }
  by_id("fixed").textContent = say("fixed") + " " + Object.entries(report.fixed).map(([name, value]) => `${name} = ${value}`).join(", ") + ".";
  by_id("keep").hidden = kept === null;
  if (kept) by_id("kept").textContent = say("kept", { file: kept.file });
  show_places();
  show_figure();
  show_table();
  if (!partial) speak(`${by_id("verdict").textContent} ${by_id("digest").textContent}`);
}

function show_places() {
  const select = by_id("x");
  const places = report.counted ? [] : places_in(report);
  const names = places.map(({ name }) => name);
  if (!names.includes(place_name)) place_name = places.length ? usual_place(places).name : null;
  select.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
  select.value = place_name;
  select.closest("p").hidden = names.length < 2;
}

function show_figure() {
  const place = report.counted ? null : places_in(report).find(({ name }) => name === place_name);
  by_id("figure").hidden = !place;
  if (!place) return;
  const drawn = figure_of(report, place, Math.max(280, by_id("answer").clientWidth - 34));
  by_id("figure").hidden = drawn === null;
  if (drawn === null) return;
  by_id("frame").replaceChildren(drawn.picture);
  by_id("legend").replaceChildren(...drawn.legend);
  read_off(by_id("frame"), drawn.picture, by_id("readout"), drawn.points, (point, from) => Math.hypot(point.x - from.x, point.y - from.y));
}

function columns_of() {
  const axes = report.axes.map((axis, i) => [axis.unit ? `${axis.name} [${axis.unit}]` : axis.name, (row) => row.said_at[i]]);
  if (report.counted) return [...axes, ...report.counted.map((name, i) => [name.replaceAll("_", " "), (row) => row.means[i]])];
  const steps = report.rows.some((row) => row.step !== undefined) ? [[say("column.inserted"), (row) => whole(row.inserted)]] : [];
  return [...axes, ...steps,
    [say("column.hits"), (row) => row.hits ?? "–"], [say("column.queries"), (row) => row.queries ?? "–"],
    [say("column.rate"), (row) => row.said ?? "–"],
    ...(judged ? [["(1 − e^(−kn/m))^k", (row) => textbook_rate(judged.own, row)]] : []),
    [say(judged ? "own.exact" : "column.form"), (row) => row.said_expected ?? "–"],
    ["z", (row) => row.z ?? "–"], ["p", (row) => row.p ?? "–"]];
}

function show_table() {
  const columns = columns_of();
  by_id("scroller").hidden = false;
  by_id("table").replaceChildren(
    element("caption", { class: "small" }, say(report.counted ? "table.counted" : "table.caption", { level: "95 %" })),
    element("thead", {}, element("tr", {}, ...columns.map(([name]) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...report.rows.map((row) => element("tr", row.flagged ? { class: "flagged" } : {},
      ...columns.map(([, said]) => element("td", {}, said(row)))))));
}

// The list of the study's configs.

/// The title, or question, of a config of the study in the page's language, numbers put back.
function translated(name, which, text) {
  const said = texts.titles[name]?.[language]?.[which];
  if (!said) return text;
  const numbers = text.match(/\d+(\.\d+)*/g) ?? [];
  return said.replaceAll("#", () => numbers.shift());
}

const title_of = (name) => translated(name, 0, JSON.parse(studies[name].text).title);

function show_studies() {
  const topics = [...new Set(Object.values(studies).map(({ topic }) => topic))];
  by_id("study").replaceChildren(element("option", { value: "" }, say("study.own")), ...topics.map((topic) =>
    element("optgroup", { label: say(`topic.${topic}`) }, ...Object.keys(studies).filter((name) => studies[name].topic === topic)
      .map((name) => element("option", { value: name }, option_text(name))))));
  by_id("study").value = state.study;
}

const labels = {};
const option_text = (name) => title_of(name) + (labels[name] ? ` (${say(`label.${labels[name]}`)})` : "");

/// Says of every config whether it runs whole, smaller or not here, by an engine of its own, once
/// the first answer is there.
let labelling = false;
async function label_studies() {
  if (labelling) return;
  labelling = true;
  const other = make_engine();
  for (const name of Object.keys(studies)) {
    const { whole: all, scaled } = await other.ask("consider",
      { text: studies[name].text, file: `${name}.json`, seconds: scaled_seconds });
    labels[name] = scaled ? "scaled" : all && !all.fault ? "whole" : "absent";
    const option = [...by_id("study").options].find(({ value }) => value === name);
    if (option) option.textContent = option_text(name);
  }
  other.cancel();
  document.body.dataset.labelled = "1";
}

function change(next, then_run = true) {
  const moved = next.lang !== state.lang;
  state = next;
  keep_in_address();
  if (moved) {
    speak_language();
    if (state.own) consider_own(false);
    else if (considered) show_considered();
    if (judged) show_own();
    else if (report) show_report(report);
    return;
  }
  consider(then_run);
}

function speak_language() {
  translate(state.lang);
  show_studies();
}

function save() {
  const url = URL.createObjectURL(new Blob([kept.text], { type: "application/json" }));
  const link = element("a", { href: url, download: kept.file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/// What is typed counts, also where it has not been looked at yet.
function measure() {
  if (!state.own) return run();
  clearTimeout(typing);
  change({ ...state, own: own_from_fields() }, false);
  if (!by_id("run").disabled) run_own();
}

let typing = 0;
function listen() {
  by_id("study").addEventListener("change", () => {
    const study = by_id("study").value;
    if (study === "") {
      by_id("paste").open = true;
      return by_id("config").focus();
    }
    change({ ...state, study, config: studies[study].text, size: "" });
  });
  by_id("config").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => change({ ...state, study: "", config: by_id("config").value, size: "" }, false), typing_ms);
  });
  for (const radio of document.querySelectorAll("input[name=size]")) {
    radio.addEventListener("change", () => {
      stop();
      state = { ...state, size: radio.value };
      keep_in_address();
      show_considered();
    });
  }
  for (const button of document.querySelectorAll("[data-mode-of]")) {
    button.addEventListener("click", () => {
      const own = button.dataset.modeOf === "own" ? { ...usual_own, code: "" } : null;
      if (Boolean(own) !== Boolean(state.own)) change({ ...state, own });
    });
  }
  by_id("example").addEventListener("change", () => {
    const example = by_id("example").value;
    if (example === "") return by_id("code").focus();
    by_id("code").value = own_examples[example];
    change({ ...state, own: own_from_fields() });
  });
  const own_changed = () => {
    clearTimeout(typing);
    typing = setTimeout(() => change({ ...state, own: own_from_fields() }, false), typing_ms);
  };
  for (const id of ["code", ...Object.keys(own_numbers).map((name) => `own-${name}`)]) {
    by_id(id).addEventListener("input", own_changed);
    by_id(id).addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (id !== "code" || event.ctrlKey || event.metaKey)) measure();
    });
  }
  by_id("run").addEventListener("click", measure);
  by_id("cancel").addEventListener("click", () => {
    asked += 1;
    stop();
    by_id("answer").classList.remove("pending");
    speak(say("cancelled"));
  });
  by_id("file").addEventListener("change", () => {
    const [file] = by_id("file").files;
    if (file) open_file(file);
    by_id("file").value = "";
  });
  by_id("save").addEventListener("click", save);
  by_id("x").addEventListener("change", () => {
    place_name = by_id("x").value;
    show_figure();
  });
  by_id("copy").addEventListener("click", () => {
    const tell = () => {
      by_id("copy").textContent = say("copied");
      setTimeout(() => { by_id("copy").textContent = say("copy"); }, 1500);
    };
    history.replaceState(null, "", hash_of(state));
    navigator.clipboard.writeText(location.href).then(tell, () => {});
  });
  for (const button of document.querySelectorAll("[data-lang]")) {
    button.addEventListener("click", () => change({ ...state, lang: button.dataset.lang }));
  }
  document.querySelector("[data-jump]").addEventListener("click", (event) => {
    event.preventDefault();
    by_id("answer").focus();
  });
  addEventListener("popstate", () => {
    state = state_of(location.hash);
    speak_language();
    consider(true);
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width && report) show_figure();
    width = innerWidth;
  });
}

state = state_of(location.hash);
speak_language();
listen();
consider(true);
// For tests and for the curious at the console.
globalThis.bloomlab = { state: () => state, report: () => report, considered: () => considered, kept: () => kept,
  own: () => judged, published, studies, make_engine, measure: (by, text, file) => by.ask("run", { text, file, here: here() }) };
