// The page: what is done becomes a state, the state is shown, and the address keeps it.

const spoken_ms = 400;
const measured_ms = 120;  // the rate waits until typing and dragging rest

let module = null;
let state = null;
let draft = null;        // {kind, text} of a word that is being typed
let cursor = null;       // the bit that is read
let last_change = null;  // what a run of changes to one thing is called
let followed = null;
let measured = null;
let speaking = 0;
let resting = 0;

/// The state with the word that is being typed, as if it were entered.
function shown_state() {
  const words = draft ? words_of(draft.text) : [];
  if (words.length === 0) return state;
  const list = draft.kind === "insert" ? "inserted" : "queried";
  const next = with_lesson(state, { [list]: [...state[list], ...words] });
  const at = steps_of(next).findIndex((step) => step.kind === draft.kind && step.at === next[list].length - 1);
  return { ...next, scene: state.scene, step: at };
}

/// For screen readers, once typing rests.
function speak(text) {
  clearTimeout(speaking);
  speaking = setTimeout(() => { by_id("status").textContent = text; }, spoken_ms);
}

/// The inserts that have happened at a step.
function inserts_at(shown, step) {
  if (step.kind === "empty") return 0;
  if (step.kind === "insert") return step.at + 1;
  return shown.inserted.length + shown.fill;
}

/// Which insert set each bit first, and the array, after so many inserts.
function array_after(count, m) {
  const setter = new Array(m).fill(null);
  followed.inserted.slice(0, count).forEach(({ positions }, at) =>
    positions.forEach((position) => { setter[position] ??= at; }));
  return { setter, bits: setter.map((at) => (at === null ? "0" : "1")).join("") };
}

const key_at = (at) => followed.inserted[at].key;

const with_setters = (positions, setter) => say_list(distinct(positions).map((position) =>
  say("set_by", { position, key: key_at(setter[position]) })));

const touched = ({ positions, touches }, kind) =>
  distinct(positions.filter((_, i) => touches[i] === kind));

/// What an insert does, line by line.
function insert_story(insertion, setter) {
  const [fresh, standing, repeated] = ["fresh", "standing", "repeated"].map((kind) => touched(insertion, kind));
  const lines = [];
  if (fresh.length > 0) lines.push(say("fresh", { positions: say_list(fresh) }));
  if (standing.length > 0) lines.push(say("standing", { positions: with_setters(standing, setter) }));
  if (repeated.length > 0) lines.push(say("repeated", { positions: say_list(repeated) }));
  if (fresh.length === 0) lines.push(say("changed_nothing"));
  return lines;
}

const verdict_of = (question) => (question.answer === "absent" ? "absent"
  : question.false_positive ? "false_positive" : "inserted_key");

function query_story(question, setter) {
  const kind = verdict_of(question);
  if (kind === "absent") return say("absent", { position: question.stopped_by, key: question.key });
  return say(kind, { key: question.key, bits: with_setters(question.positions, setter) });
}

/// From hash values to positions.
function hash_lines({ digest, positions, given }) {
  if (given) return [say("positions.given", { positions: say_list(positions) })];
  if (digest.length === positions.length && shown_state().probe === "independent") {
    return positions.map((position, i) => `${digest[i]} → ${position}`);
  }
  return [`${digest.join("  ")} →`, say("positions", { positions: say_list(positions) })];
}

function rules_of({ probe, reduction, hash }) {
  const rule = (kind, name) => (has_text(`${kind}.${name}`) ? say(`${kind}.${name}`) : "");
  return `${hash}. ${rule("position", probe)} ${rule("reduction", reduction)}`;
}

/// A step told: headline, verdict, story, hash lines, marks and pointers of the drawing.
function told(shown, step) {
  const count = inserts_at(shown, step);
  const array = array_after(count, shown.m);
  const insert_pointers = followed.inserted.slice(0, Math.min(count, shown.inserted.length))
    .map(({ key, positions }, at) => ({ name: key, cells: positions, hue: at,
      active: step.kind === "insert" && step.at === at }));
  const result = { ...array, marks: new Map(), above: insert_pointers, below: [], story: [], hashes: [], verdict: null };
  if (step.kind === "empty") {
    return { ...result, headline: say("empty"), story: [say("intro", { m: shown.m, k: shown.k })] };
  }
  if (step.kind === "fill") {
    const names = generated("key", shown.fill);
    const set = [...array.bits].filter((bit) => bit === "1").length;
    return { ...result, headline: say("fill", { count: shown.fill }),
      story: [say("fill.story", { first: names[0], last: names.at(-1), set, m: shown.m })] };
  }
  if (step.kind === "insert") {
    const insertion = followed.inserted[step.at];
    insertion.positions.forEach((position, i) => {
      if (!result.marks.has(position)) result.marks.set(position, insertion.touches[i] === "standing" ? "standing" : "fresh");
    });
    return { ...result, headline: say("insert", { key: step.key }), hashes: hash_lines(insertion),
      story: insert_story(insertion, array.setter), given: insertion.given };
  }
  const question = followed.queries[step.at];
  for (const position of question.positions) {
    result.marks.set(position, array.bits[position] === "1" ? "standing" : "missing");
  }
  if (question.stopped_by !== null) result.marks.set(question.stopped_by, "missing first");
  const owners = new Set(question.positions.map((position) => array.setter[position]));
  const maybe = question.answer === "maybe";
  const above = insert_pointers.map((one, at) => ({ ...one, active: maybe && owners.has(at) }));
  return { ...result, above, headline: say("query", { key: step.key }), verdict: verdict_of(question),
    below: [{ name: step.key, cells: question.positions, hue: shown.inserted.length, active: true, asks: true }],
    story: [query_story(question, array.setter)], hashes: hash_lines(question), given: question.given };
}

function bit_text({ setter, bits }, count) {
  if (bits[cursor] === "0") return say("bit.free", { position: cursor });
  const key = key_at(setter[cursor]);
  const others = distinct(followed.inserted.slice(0, count)
    .filter((one) => one.positions.includes(cursor)).map((one) => one.key)).filter((one) => one !== key);
  return others.length === 0 ? say("bit.set", { position: cursor, key })
    : say("bit.shared", { position: cursor, key, others: say_list(others) });
}

function show_array(shown, step, tale) {
  const array = by_id("array");
  const width = Math.max(240, array.clientWidth);
  if (cursor !== null && cursor >= shown.m) cursor = null;
  array.replaceChildren(stage_drawing({ ...tale, m: shown.m, cursor }, width, state.teach));
  array.setAttribute("aria-valuemax", shown.m - 1);
  array.setAttribute("aria-valuenow", cursor ?? 0);
  const text = cursor === null ? "" : bit_text(tale, inserts_at(shown, step));
  array.setAttribute("aria-valuetext", text || tale.story.join(" "));
  by_id("readout").textContent = text;
}

function show_stage(shown) {
  const steps = steps_of(shown);
  const place = step_of(shown);
  const tale = told(shown, steps[place]);
  if (place === steps.length - 1) tale.story.push(...followed.remarks.map(({ text, tags }) => say(text, tags)));
  by_id("headline").textContent = tale.headline;
  by_id("place").textContent = say("step.place", { step: place, steps: steps.length - 1 });
  by_id("back").disabled = place === 0;
  by_id("next").disabled = place === steps.length - 1;
  by_id("verdict").hidden = tale.verdict === null;
  by_id("verdict").className = `verdict ${tale.verdict ?? ""}`;
  by_id("verdict").textContent = tale.verdict ? say(`verdict.${tale.verdict}`) : "";
  by_id("story").replaceChildren(...tale.story.map((text) => element("p", {}, text)));
  by_id("words").replaceChildren(...tale.hashes.map((text) => element("li", {}, text)));
  if (tale.hashes.length > 0 && !tale.given) by_id("words").append(element("li", { class: "rule small" }, rules_of(shown)));
  show_array(shown, steps[place], tale);
  return [tale.headline, tale.verdict ? say(`verdict.${tale.verdict}`) : "", ...tale.story].filter(Boolean).join(". ");
}

function chip_of(kind, key, at, current) {
  const name = element("button", { type: "button", class: `chip hue-${at % 6}`, "aria-current": String(current) }, key);
  name.addEventListener("click", () => change({ ...state,
    step: steps_of(state).findIndex((step) => step.kind === kind && step.at === at) }, "step"));
  const away = element("button", { type: "button", class: "away", "aria-label": say("remove", { key }) }, "×");
  const list = kind === "insert" ? "inserted" : "queried";
  away.addEventListener("click", () => {
    change(with_lesson(state, { [list]: state[list].filter((_, i) => i !== at) }));
    (by_id(list).querySelectorAll(".away")[at] ?? by_id(kind)).focus();
  });
  return element("li", {}, name, away);
}

function show_chips() {
  const current = steps_of(state)[step_of(state)];
  const chips = () => [...document.querySelectorAll(".chip")];
  const focused = chips().indexOf(document.activeElement);
  for (const [kind, list] of [["insert", "inserted"], ["query", "queried"]]) {
    by_id(list).replaceChildren(...state[list].map((key, at) =>
      chip_of(kind, key, at, current.kind === kind && current.at === at)));
    const chosen = by_id(list).querySelector("[aria-current=true]");
    if (chosen) by_id(list).scrollTo({ left: chosen.offsetLeft - by_id(list).offsetLeft - 20 });
  }
  if (focused >= 0) chips()[focused]?.focus();
}

function show_sizes() {
  const values = { m: state.m, k: state.k, n: new Set(keys_of(state)).size };
  for (const input of document.querySelectorAll("[data-size]")) {
    if (input.dataset.size === "n") input.min = new Set(state.inserted).size;
    if (input !== document.activeElement || input.type === "range") input.value = values[input.dataset.size];
  }
  for (const select of document.querySelectorAll("[data-choice]")) select.value = state[select.dataset.choice];
  if (by_id("seed") !== document.activeElement) by_id("seed").value = state.seed;
}

function show_scenes() {
  const select = by_id("scene");
  select.replaceChildren(...["", ...Object.keys(scenes)].map((name) =>
    element("option", { value: name }, say(`scene.${name || "none"}`))));
  select.value = state.scene;
}

function show_rates_soon() {
  clearTimeout(resting);
  by_id("rate").classList.add("pending");
  resting = setTimeout(() => {
    module.follow(lesson_of(state));
    measured = show_rate(followed);
    by_id("rate").classList.remove("pending");
    by_id("rate").dataset.done = hash_of(state);
  }, measured_ms);
}

function show_filter() {
  const shown = shown_state();
  const answer = module.follow(lesson_of(shown));
  by_id("fault").hidden = answer.fault === undefined;
  by_id("fault").textContent = answer.fault ?? "";
  by_id("stage").classList.toggle("stale", answer.fault !== undefined);
  show_chips();
  show_sizes();
  if (answer.fault) return speak(answer.fault);
  followed = answer;
  speak(show_stage(shown));
  if (shown === state) show_rates_soon();
}

/// Shows the state.
function show() {
  if (language !== state.lang || document.title === "" || !by_id("scene").options.length) translate(state.lang);
  document.documentElement.classList.toggle("teach", state.teach);
  by_id("teach").setAttribute("aria-pressed", String(state.teach));
  show_scenes();
  by_id("command").textContent = command_of(state);
  const puzzling = state.scene === "bottles";
  by_id("puzzle").hidden = !puzzling;
  by_id("filter").hidden = puzzling;
  if (puzzling) speak(show_bottles(state, (poisoned) => change({ ...state, poisoned })));
  else show_filter();
}

/// Takes a new state and keeps it in the address. Changes that follow each other under one name
/// are one step of the browser's history.
function change(next, name = null) {
  const hash = hash_of(next);
  if (hash !== location.hash) {
    if (name !== null && name === last_change) history.replaceState(null, "", hash);
    else history.pushState(null, "", hash);
  }
  last_change = name;
  state = next;
  cursor = null;
  show();
}

function move(by) {
  const place = step_of(state) + by;
  if (place < 0 || place >= steps_of(state).length) return;
  change({ ...state, step: place === steps_of(state).length - 1 ? null : place }, "step");
}

function enter_word(kind) {
  const words = words_of(by_id(kind).value);
  by_id(kind).value = "";
  draft = null;
  if (words.length === 0) return show();
  const list = kind === "insert" ? "inserted" : "queried";
  const next = with_lesson(state, { [list]: [...state[list], ...words] });
  const at = steps_of(next).findIndex((step) => step.kind === kind && step.at === next[list].length - 1);
  change({ ...next, step: at === steps_of(next).length - 1 ? null : at });
}

function listen_to_words() {
  for (const form of document.querySelectorAll("form.word")) {
    const { kind } = form.dataset;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      enter_word(kind);
    });
    by_id(kind).addEventListener("input", () => {
      draft = { kind, text: by_id(kind).value };
      cursor = null;
      show();
    });
  }
}

function sized(name, value) {
  if (name !== "n") return with_lesson(state, { [name]: value, step: state.step });
  const typed = new Set(state.inserted).size;
  return with_lesson(state, { fill: Math.max(0, value - typed) });
}

function listen_to_sizes() {
  for (const input of document.querySelectorAll("[data-size]")) {
    const { size } = input.dataset;
    input.addEventListener("input", () => {
      const value = whole_in(input.value, null, size === "n" ? 0 : 1, most[size]);
      if (value !== null) change(sized(size, value), size);
    });
    input.addEventListener("change", () => {
      last_change = null;
      show_sizes();
      input.value = { m: state.m, k: state.k, n: new Set(keys_of(state)).size }[size];
    });
  }
  const names = module.catalogue();
  for (const select of document.querySelectorAll("[data-choice]")) {
    const { choice } = select.dataset;
    select.replaceChildren(...names[choice].map((name) => element("option", { value: name }, name)));
    select.addEventListener("change", () => change(with_lesson(state, { [choice]: select.value })));
  }
  by_id("seed").addEventListener("input", () => {
    if (/^\d{1,19}$/.test(by_id("seed").value)) change(with_lesson(state, { seed: by_id("seed").value }), "seed");
  });
}

function listen_to_array() {
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 };
  const read = (position) => {
    cursor = position;
    const shown = shown_state();
    const step = steps_of(shown)[step_of(shown)];
    show_array(shown, step, told(shown, step));
  };
  by_id("array").addEventListener("keydown", (event) => {
    const { key } = event;
    if (!(key in steps) && key !== "Home" && key !== "End") return;
    event.preventDefault();
    const last = state.m - 1;
    read(key === "Home" ? 0 : key === "End" ? last
      : Math.min(last, Math.max(0, cursor === null ? 0 : cursor + steps[key])));
  });
  by_id("array").addEventListener("click", (event) => {
    const cell = event.target.closest("[data-bit]");
    if (cell) read(Number(cell.dataset.bit));
  });
}

function listen_to_steps() {
  by_id("back").addEventListener("click", () => move(-1));
  by_id("next").addEventListener("click", () => move(1));
  // Presenters' remote controls send these keys.
  addEventListener("keydown", (event) => {
    if (state.scene === "bottles" || !state.teach) return;
    if (event.key !== "PageDown" && event.key !== "PageUp") return;
    event.preventDefault();
    move(event.key === "PageDown" ? 1 : -1);
  });
}

function listen_to_bottles() {
  for (const input of document.querySelectorAll("[data-of]")) {
    const { of } = input.dataset;
    input.addEventListener("input", () => {
      const value = whole_in(input.value, null, of === "bottles" ? 2 : 1, of === "bottles" ? most.bottles : state.bottles);
      if (value === null) return;
      const poisoned = of === "bottles" ? Math.min(state.poisoned, value) : value;
      change({ ...state, bottles: of === "bottles" ? value : state.bottles, poisoned }, of);
    });
    input.addEventListener("change", () => { last_change = null; });
  }
}

function listen_to_looks() {
  by_id("scene").addEventListener("change", () => change(by_id("scene").value === ""
    ? { ...scene_state("slides", state), inserted: [], queried: [], positions: {}, scene: "" }
    : scene_state(by_id("scene").value, state)));
  by_id("teach").addEventListener("click", () => change({ ...state, teach: !state.teach }));
  for (const button of document.querySelectorAll("[data-lang]")) {
    button.addEventListener("click", () => change({ ...state, lang: button.dataset.lang }));
  }
  by_id("copy").addEventListener("click", () => {
    const tell = () => {
      by_id("copy").textContent = say("copied");
      setTimeout(() => { by_id("copy").textContent = say("copy"); }, 1500);
    };
    history.replaceState(null, "", hash_of(state));
    navigator.clipboard.writeText(location.href).then(tell, () => {});
  });
  document.querySelector("[data-jump]").addEventListener("click", (event) => {
    event.preventDefault();
    by_id("stage").focus();
  });
}

/// The address was changed by the reader or by the browser's back and forward.
function restore() {
  state = state_of(location.hash);
  draft = null;
  cursor = null;
  last_change = null;
  for (const kind of ["insert", "query"]) by_id(kind).value = "";
  show();
}

bloomlab_explain().then((made) => {
  module = made;
  listen_to_words();
  listen_to_sizes();
  listen_to_array();
  listen_to_steps();
  listen_to_bottles();
  listen_to_looks();
  addEventListener("popstate", restore);
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) show();
    width = innerWidth;
  });
  translate(state_of(location.hash).lang);
  restore();
  // For tests and for the curious at the console.
  globalThis.bloomlab = {
    state: () => state, command: () => command_of(state), catalogue: () => module.catalogue(), texts,
    follow: () => module.follow(lesson_of(state)), measured: () => measured,
    puzzle: () => module.puzzle(state.bottles, state.poisoned),
  };
});
