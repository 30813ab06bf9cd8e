// Which quantities are given, and with which text. A state is {given: [[name, text], ...], mode};
// the quantity that was touched last stands last. States are values: each function makes a new one.

const field_names = ["items", "fpr", "bits", "memory", "probes"];

/// bits and memory are two ways to write one quantity.
const quantity_of = (name) => (name === "memory" ? "bits" : name);

const text_of = (state, name) => (state.given.find(([one]) => one === name) ?? ["", ""])[1];
const is_given = (state, name) => state.given.some(([one]) => one === name);

function released(state, name) {
  return { ...state, given: state.given.filter(([one]) => one !== name) };
}

/// The state with this text in this field, whatever else is given.
function held(state, name, text) {
  const rest = state.given.filter(([one]) => quantity_of(one) !== quantity_of(name));
  return { ...state, given: [...rest, [name, text]] };
}

/// The same as somebody types it. Of n, p and the size two are enough: a third one releases the rate
/// or the size, whichever was touched longest ago, and never n, which is what people know.
function given(state, name, text) {
  const known = state.given.some(([one]) => quantity_of(one) === quantity_of(name));
  const pair = state.given.filter(([one]) => one !== "probes");
  const one_too_many = name !== "probes" && !known && pair.length > 1;
  const oldest = pair.find(([one]) => one !== "items");
  return held(one_too_many ? released(state, oldest[0]) : state, name, text);
}

/// What the planner reads.
function request_of(state) {
  const request = { mode: state.mode };
  for (const name of field_names) request[name] = text_of(state, name);
  return request;
}

/// "#items=10M&fpr=0.01%25&mode=compatible", fields in their order on the page.
function hash_of(state) {
  const parts = field_names
    .filter((name) => is_given(state, name))
    .map((name) => `${name}=${encodeURIComponent(text_of(state, name)).replaceAll("%20", "+")}`);
  if (state.mode !== "guaranteed") parts.push(`mode=${state.mode}`);
  return "#" + parts.join("&");
}

/// The short names of calculators on the web, and how they write these quantities: sizes with their
/// unit where there is one, and "1 in p" as the p alone.
const short_names = {
  n: (text) => ["items", text],
  p: (text) => ["fpr", Number(text) > 1 ? `1 in ${text}` : text],
  m: (text) => [/[bB](its?|ytes?)?$/.test(text) ? "memory" : "bits", text],
  k: (text) => ["probes", text],
};

/// The state in the part of a URL behind # or ?; words that the page does not know are passed over.
/// A question in short names is answered as the calculators answer it.
function state_of(part) {
  const words = [...new URLSearchParams(part.replace(/^[#?]/, ""))]
    .map(([name, text]) => [name, text.trim().replace(/^([\d.]+e) (?=\d)/i, "$1+")])  // a + came as a space
    .filter(([, text]) => text !== "");
  const state = { given: [], mode: "guaranteed" };
  for (const [name, text] of words) {
    const short = Object.hasOwn(short_names, name);
    const [field, value] = short ? short_names[name](text) : [name, text];
    if (!field_names.includes(field) || is_given(state, field)) continue;
    state.given.push([field, value]);
    if (short) state.mode = "compatible";
  }
  const mode = words.find(([name]) => name === "mode")?.[1];
  return mode === "compatible" || mode === "guaranteed" ? { ...state, mode } : state;
}

function quoted(text) {
  return /^[\w.%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/// The same question for the command line.
function command_of(state) {
  const options = field_names
    .filter((name) => is_given(state, name))
    .map((name) => ` --${name} ${quoted(text_of(state, name))}`);
  return "bloomlab plan" + options.join("") + (state.mode === "compatible" ? " --compatible" : "");
}
