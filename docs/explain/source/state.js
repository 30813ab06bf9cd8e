// What the page shows, as a value: a lesson as `bloomlab explain` takes it, how far it has been
// followed, and how it is looked at. Every function makes a new one. The address holds all of it.

const plain = {
  scene: "", m: 16, k: 3, seed: "0", hash: "xxhash3_64", probe: "independent",
  reduction: "multiply_shift", inserted: [], queried: [], fill: 0, positions: {}, step: null,
  bottles: 1000, poisoned: 1000, teach: false, lang: "en",
};

/// What a scene says beside `plain`.
const scenes = {
  slides: {
    inserted: ["baidu", "tencent"], queried: ["baidu", "0voice", "taobao"],
    positions: { baidu: [1, 4, 7], tencent: [3, 4, 8], "0voice": [1, 5, 8], taobao: [3, 7, 8] },
  },
  chance: { inserted: ["apple", "pear", "plum", "cherry"], queried: ["apple", "fig", "nut"] },
  fruits: {
    m: 127, k: 2, hash: "javascript_polynomial", reduction: "signed_modulo",
    inserted: ["apple", "orange"], queried: ["apple", "cabbage"],
  },
  shared_bit: {
    m: 3, k: 2, inserted: ["apple", "pear"], queried: ["apple", "pear"],
    positions: { apple: [0, 1], pear: [1, 2] },
  },
  probing: {
    m: 13, probe: "double_hashing_nz", reduction: "modulo", inserted: ["pear", "lemon", "grape"],
    queried: ["grape", "fig"],
  },
  optimum: {
    m: 40, k: 4, inserted: ["apple", "pear", "plum", "lemon"], queried: ["fig", "grape"],
  },
  full: { m: 64, inserted: ["apple"], fill: 63, queried: ["cabbage", "fig", "nut", "plum"] },
  double: {
    m: 64, k: 6, probe: "double_hashing", inserted: ["apple", "pear", "plum"], fill: 5,
    queried: ["fig", "nut"],
  },
  bottles: { bottles: 1000, poisoned: 1000 },
};

const languages = ["en", "zh", "ru"];
const most = { m: 256, k: 16, n: 128, bottles: 100000 };

const scene_state = (scene, from) =>
  ({ ...plain, ...scenes[scene], scene, teach: from.teach, lang: from.lang });

/// A change of the lesson is no scene any more, and shows the last step.
const with_lesson = (state, change) =>
  ({ ...state, step: null, ...change, scene: state.scene === "bottles" ? "bottles" : "" });

/// The words of a text, which are separated by commas.
const words_of = (text) => text.split(",").map((word) => word.trim()).filter((word) => word !== "");

const generated = (prefix, count) => Array.from({ length: count }, (_, i) => `${prefix}-${i + 1}`);

/// All keys that go in, in their order.
const keys_of = (state) => [...state.inserted, ...generated("key", state.fill)];

/// The steps of a lesson: the empty array, an insert each, all generated words together, a query
/// each.
function steps_of(state) {
  const steps = [{ kind: "empty" }];
  state.inserted.forEach((key, at) => steps.push({ kind: "insert", key, at }));
  if (state.fill > 0) steps.push({ kind: "fill" });
  state.queried.forEach((key, at) => steps.push({ kind: "query", key, at }));
  return steps;
}

const step_of = (state) => Math.min(state.step ?? Infinity, steps_of(state).length - 1);

/// Positions only of words that are there.
function given_positions(state) {
  const known = new Set([...state.inserted, ...state.queried]);
  return Object.fromEntries(Object.entries(state.positions).filter(([key, positions]) =>
    known.has(key) && positions.length === state.k && positions.every((one) => one < state.m)));
}

/// What the C++ reads.
function lesson_of(state) {
  const { m, k, hash, probe, reduction, queried } = state;
  return { m, k, hash, probe, reduction, queried, seed: BigInt(state.seed),
    inserted: keys_of(state), positions: given_positions(state) };
}

const list_text = (words) => words.map(encodeURIComponent).join(",");
const listed = (text) => (text ?? "").split(",").filter((one) => one !== "").map(decodeURIComponent);
const whole_in = (text, standard, low, high) =>
  (/^\d{1,9}$/.test(text ?? "") ? Math.min(high, Math.max(low, Number(text))) : standard);

const positions_text = (positions) => Object.entries(positions)
  .map(([key, list]) => `${encodeURIComponent(key)}:${list.join(".")}`).join(",");

function positions_in(text) {
  const entries = (text ?? "").split(",").map((one) => one.split(":"))
    .filter(([key, list]) => key && /^\d{1,3}(\.\d{1,3})*$/.test(list ?? ""));
  return Object.fromEntries(entries.map(([key, list]) =>
    [decodeURIComponent(key), list.split(".").map(Number)]));
}

/// "#m=32&insert=red,green&query=blue&lang=zh"; a scene as it was made is "#scene=slides&lang=zh".
function hash_of(state) {
  const parts = [];
  const put = (name, value, standard) => { if (value !== standard) parts.push(`${name}=${value}`); };
  put("scene", state.scene, "");
  if (state.scene === "bottles") {
    put("bottles", state.bottles, plain.bottles);
    put("poisoned", state.poisoned, state.bottles);
  } else if (state.scene === "") {
    for (const name of ["m", "k", "seed", "hash", "probe", "reduction"]) put(name, state[name], plain[name]);
    put("insert", list_text(state.inserted), "");
    put("fill", state.fill, 0);
    put("query", list_text(state.queried), "");
    put("positions", positions_text(given_positions(state)), "");
  }
  put("step", state.step, null);
  put("view", state.teach ? "teach" : "", "");
  parts.push(`lang=${state.lang}`);
  return "#" + parts.join("&");
}

/// The language that a reader has set, where the page has it.
function usual_language() {
  const set = navigator.languages.map((one) => one.slice(0, 2));
  return set.find((one) => languages.includes(one)) ?? "en";
}

/// The state in a hash; what is missing or no such value is the usual one.
function state_of(hash) {
  const raw = {};
  for (const part of hash.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    if (at > 0) raw[part.slice(0, at)] = part.slice(at + 1);
  }
  const lang = languages.includes(raw.lang) ? raw.lang : usual_language();
  const look = { lang, teach: raw.view === "teach" };
  const own = ["m", "k", "insert", "query", "fill", "hash"].some((name) => name in raw);
  const scene = raw.scene in scenes ? raw.scene : own ? "" : "slides";
  const state = { ...scene_state(scene, look), ...look };
  if (scene === "bottles") {
    state.bottles = whole_in(raw.bottles, plain.bottles, 2, most.bottles);
    state.poisoned = whole_in(raw.poisoned, state.bottles, 1, state.bottles);
  } else if (scene === "") {
    state.m = whole_in(raw.m, plain.m, 1, most.m);
    state.k = whole_in(raw.k, plain.k, 1, most.k);
    state.seed = /^\d{1,19}$/.test(raw.seed ?? "") ? raw.seed : plain.seed;
    for (const name of ["hash", "probe", "reduction"]) {
      if (/^\w+$/.test(raw[name] ?? "")) state[name] = raw[name];
    }
    state.inserted = listed(raw.insert);
    state.queried = listed(raw.query);
    state.fill = whole_in(raw.fill, 0, 0, most.n);
    state.positions = positions_in(raw.positions);
  }
  if (/^\d{1,4}$/.test(raw.step ?? "")) state.step = Number(raw.step);
  return state;
}

const quoted = (text) => (/^[\w.,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/// The same for the command line.
function command_of(state) {
  if (state.scene === "bottles") {
    return `bloomlab explain --example bottles --bottles ${state.bottles} --poisoned ${state.poisoned}`;
  }
  const options = ["m", "k", "seed", "hash", "probe", "reduction"]
    .filter((name) => state[name] !== plain[name]).map((name) => ` --${name} ${state[name]}`);
  const keys = keys_of(state);
  if (keys.length > 0) options.push(` --insert ${quoted(keys.join(","))}`);
  if (state.queried.length > 0) options.push(` --query ${quoted(state.queried.join(","))}`);
  for (const [key, list] of Object.entries(given_positions(state))) {
    options.push(` --positions ${quoted(`${key}=${list.join(",")}`)}`);
  }
  return "bloomlab explain" + options.join("");
}
