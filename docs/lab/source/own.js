// A filter that the reader writes: it is counted in a worker of its own, which has a limit of time,
// no network and no storage, and the engine judges the counts beside those of its standard filter.

const usual_own = { example: "right", m: 10000, k: 5, n: 1000, queries: 10000, trials: 3, seed: 1, seconds: 20 };
const own_numbers = { m: [8, 10_000_000], k: [1, 64], n: [10, 1_000_000], queries: [100, 1_000_000], trials: [1, 20],
  seed: [0, 4294967295], seconds: [1, 120] };
const most_calls = 50_000_000;
const begin_seconds = 10;  // that a browser may take to begin
const most_code = 8000;  // characters, of an address
/// Memory of the large arrays that one filter asks for: sixteen bytes a bit, and some for tables.
const most_own_bytes = ({ m }) => 64 * 2 ** 20 + 16 * m;
/// The lab report's bits per key, from 10 to a half, where m is 10 n.
const bits_per_key = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0.5];

const own_sizes = ({ n }) => [...new Set(bits_per_key.map((bits) => Math.round(n * 10 / bits)))];
const code_of = ({ example, code }) => (example ? own_examples[example] : code);

/// Stands before the code in its worker, and gives what counts it. It knows nothing of the page.
/// Keys are texts of 16 hexadecimal digits: a permutation of 64 bits, by the seed, of the trial, the
/// size and the number of the key, so that no two of a trial are equal.
function serve_own({ sizes, m, k, queries, trials, seed, most_bytes }) {
  const tell = postMessage.bind(globalThis);
  for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "EventSource", "WebTransport", "importScripts",
    "Worker", "BroadcastChannel", "indexedDB", "caches", "navigator", "postMessage", "close",
    "WebAssembly", "SharedArrayBuffer", "OffscreenCanvas"]) {
    for (let at = globalThis; at; at = Object.getPrototypeOf(at)) delete at[name];
    Object.defineProperty(globalThis, name, { get() { throw new Error(`${name} is not there: no network, no storage, no page`); } });
  }
  // What grows little by little has the limit of time, and the heap its own; a large array takes all
  // the memory that there is in a moment. So they are counted, from such a size on, in each filter.
  const large = 2 ** 16;
  let taken = 0;
  const take = (bytes) => {
    if (!(bytes >= large)) return;
    taken += bytes;
    if (taken <= most_bytes) return;
    const found = { kind: "memory", found: taken, most: most_bytes };
    throw Object.assign(new RangeError(`large arrays of ${taken} bytes, where ${most_bytes} are allowed`), { found });
  };
  const count_arrays = (name, bytes_of) => {
    const Plain = globalThis[name];
    const value = new Proxy(Plain, {
      construct(target, given, as) {
        take(bytes_of(given));
        return Reflect.construct(target, given, as);
      },
      apply(target, self, given) {
        take(bytes_of(given));
        return Reflect.apply(target, self, given);
      },
    });
    Object.defineProperty(globalThis, name, { value });
    return { Plain, value };
  };
  count_arrays("Array", (given) => (given.length === 1 && typeof given[0] === "number" ? 8 * given[0] : 0));
  const numbers = Object.getOwnPropertyNames(globalThis).filter((name) => /^(Big)?(Int|Uint|Float)\d+(Clamped)?Array$/.test(name));
  for (const name of ["ArrayBuffer", ...numbers]) {
    const width = globalThis[name].BYTES_PER_ELEMENT ?? 1;
    const { Plain, value } = count_arrays(name, ([of, options]) =>
      width * (Object(of) === of ? of.length ?? 0 : Math.max(Number(of), options?.maxByteLength ?? 0)));
    Plain.prototype.constructor = value;  // slices and copies
  }
  tell({ begun: true });
  const { imul } = Math;
  const hex = (number) => (number >>> 0).toString(16).padStart(8, "0");
  function key_of(trial, cell, number) {
    let left = number | 0;
    let right = trial * 16 + cell | 0;
    for (let round = 0; round < 4; ++round) {
      let mixed = imul(right ^ seed + imul(round + 1, 0x9e3779b9), 0x85ebca6b);
      mixed = imul(mixed ^ mixed >>> 13, 0xc2b2ae35);
      [left, right] = [right, left ^ mixed ^ mixed >>> 16];
    }
    return hex(left) + hex(right);
  }
  const said = (value) => {
    if (value === null || value === undefined) return String(value);
    const quoted = typeof value === "string" ? JSON.stringify(value) : typeof value === "function" ? "a function" : String(value);
    return `${quoted} (${typeof value})`.slice(0, 200);
  };
  const fault_of = (kind, tags) => Object.assign(new Error(kind), { found: { kind, ...tags } });
  /// A call of the code: what leaves it is told with the call.
  const called = (call, key, work) => {
    try {
      return work();
    } catch (error) {
      const at = key ? `${call}("${key}")` : call;
      let message = "an error without a text";
      let stack = "";
      let memory = null;
      try {
        if (error.found?.kind === "memory") memory = error.found;
        message = String(error).slice(0, 200);
        stack = String(error.stack);
      } catch { /* it says nothing of itself */ }
      throw fault_of(memory ? "memory" : "thrown", { ...memory, call: at, message, stack });
    }
  };
  function counted(Mine, trial, cell) {
    const n = sizes[cell];
    const at = { n, trial };
    tell({ at: "constructor(m, k)", ...at });
    taken = 0;
    const filter = called("constructor(m, k)", "", () => new Mine(m, k));
    for (const method of ["insert", "contains"]) {
      if (typeof filter[method] !== "function") throw fault_of("method", { method });
    }
    const asked = (key) => {
      const answer = called("contains", key, () => filter.contains(key));
      if (answer !== true && answer !== false) throw fault_of("returned", { call: `contains("${key}")`, found: called("contains", key, () => said(answer)) });
      return answer;
    };
    tell({ at: "insert(key)", ...at });
    for (let i = 0; i < n; ++i) {
      const key = key_of(trial, cell, i);
      called("insert", key, () => filter.insert(key));
    }
    tell({ at: "contains(key)", ...at });
    let denied = 0;
    let first = "";
    for (let i = 0; i < n; ++i) {
      const key = key_of(trial, cell, i);
      if (asked(key)) continue;
      denied += 1;
      first ||= key;
    }
    let reported = 0;
    for (let i = 0; i < queries; ++i) reported += asked(key_of(trial, cell, 0x80000000 + i)) ? 1 : 0;
    tell({ counted: { cell, trial, reported, denied, first } });
  }
  return (Mine) => {
    try {
      if (typeof Mine !== "function") throw fault_of("class", {});
      for (let trial = 0; trial < trials; ++trial) {
        for (let cell = 0; cell < sizes.length; ++cell) counted(Mine, trial, cell);
      }
      tell({ done: true });
    } catch (error) {
      tell({ fault: error.found ?? { kind: "thrown", call: "MyFilter", message: String(error), stack: "" } });
    }
  };
}

/// The worker's text, and the lines of it before the code.
function own_worker_text(code, question) {
  const before = `const bloomlab_count = (${serve_own})(${JSON.stringify(question)});\n`;
  return { text: `${before}${code}\n;bloomlab_count(typeof MyFilter === "undefined" ? undefined : MyFilter);`,
    before: before.split("\n").length - 1 };
}

/// "line 3", from a number of the worker's text.
function place_in_code(line, { before, code }) {
  const lines = code.trimEnd().split("\n").length;
  const own = Math.min(line - before, lines);
  return own >= 1 ? say("own.line", { line: own }) : say("own.code");
}

/// The first place in the code that an error's stack names.
function place_of_stack(stack, about) {
  for (const [, line] of stack.matchAll(/:(\d+):\d+\)?$/gm)) {
    if (Number(line) > about.before && Number(line) <= about.before + about.code.split("\n").length) return place_in_code(Number(line), about);
  }
  return say("own.code");
}

const mebibytes = (bytes) => whole(Math.round(Number(bytes) / 2 ** 20));

const own_fault_texts = {
  class: () => say("own.fault.class"),
  method: ({ method }) => say("own.fault.method", { method: String(method) }),
  returned: ({ call, found }) => say("own.fault.returned", { call: String(call), found: String(found) }),
  memory: ({ call, found, most, stack }, about) =>
    say("own.fault.memory", { place: place_of_stack(String(stack), about), call: String(call), found: mebibytes(found), most: mebibytes(most) }),
  thrown: ({ call, message, stack }, about) =>
    say("own.fault.thrown", { place: place_of_stack(String(stack), about), call: String(call), message: String(message) }),
};

/// Counts the code. @return a promise of {counted} or {fault: line}; `stop()` keeps it open.
function count_own(own, hear) {
  const code = code_of(own);
  const sizes = own_sizes(own);
  const { text, before } = own_worker_text(code, { ...own, code: "", sizes, most_bytes: most_own_bytes(own) });
  const about = { before, code };
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = new Worker(url);
  const cells = sizes.map((n) => ({ n, reported: [], denied: [] }));
  let at = say("own.code");
  let first = "";
  let clock = 0;
  const stop = () => {
    clearTimeout(clock);
    worker.terminate();
    URL.revokeObjectURL(url);
  };
  const answer = new Promise((done) => {
    const end = (said) => {
      stop();
      done(said);
    };
    const wait = (seconds) => {
      clearTimeout(clock);
      clock = setTimeout(() => end({ fault: say("own.fault.time", { at, seconds: own.seconds }) }), 1000 * seconds);
    };
    wait(own.seconds + begin_seconds);
    worker.onerror = (event) => {
      event.preventDefault();
      end({ fault: event.lineno ? say("own.fault.syntax", { place: place_in_code(event.lineno, about), message: event.message })
        : say("own.fault.ended", { at, message: event.message ?? "–" }) });
    };
    worker.onmessage = ({ data }) => {
      if (data.begun) wait(own.seconds);
      if (data.at) at = say("own.at", { call: String(data.at), n: whole(data.n), trial: data.trial + 1 });
      if (data.fault) end({ fault: own_fault_texts[data.fault.kind](data.fault, about) });
      if (data.counted) {
        const { cell, trial } = data.counted;
        cells[cell].reported.push(data.counted.reported);
        cells[cell].denied.push(data.counted.denied);
        first ||= data.counted.first;
        hear((trial * sizes.length + cell + 1) / (own.trials * sizes.length));
      }
      if (data.done) end({ counted: { m: own.m, k: own.k, n: own.n, queries: own.queries, cells }, first });
    };
  });
  return { answer, stop };
}

/// The same sweep of the engine's standard filter.
const standard_config = (own) => JSON.stringify({
  $schema: "bloomlab-config-1", kind: "false_positive_rate", title: "own", question: "own", seed: own.seed, trials: own.trials,
  queries: own.queries, expected_flags: [], grid: { keys: { source: "uniform" }, n: own_sizes(own),
    filter: { kind: "standard", m: own.m, k: own.k }, hash: { name: "xxhash3_64", probe: "independent" } },
});

/// The first number that is not allowed, as a line; "" where all are.
function own_input_fault(own) {
  for (const [name, [least, most]] of Object.entries(own_numbers)) {
    const value = own[name];
    if (!Number.isInteger(value) || value < least || value > most) {
      return say("own.fault.number", { name, found: by_id(`own-${name}`).value || "–", least: whole(least), most: whole(most) });
    }
  }
  const keys = own_sizes(own).reduce((sum, n) => sum + n, 0);
  const calls = own.trials * (2 * keys + bits_per_key.length * own.queries);
  if (calls > most_calls) return say("own.fault.calls", { found: whole(calls), most: whole(most_calls) });
  if (code_of(own).length > most_code) return say("own.fault.long", { found: whole(code_of(own).length), most: whole(most_code) });
  return "";
}

// What is shown of it.

const place_names = ["/n", "/filter/kind"];

/// The engine's report with the places that tell its rows apart, and the reader's filter by its name.
function own_shown(report) {
  const kept = place_names.map((path) => report.axes.findIndex((axis) => axis.path === path));
  const named = (text) => (text === "command" ? say("own.mine") : text);
  return { ...report, axes: kept.map((i) => report.axes[i]), rows: report.rows.map((row) =>
    ({ ...row, at: kept.map((i) => row.at[i]), said_at: kept.map((i) => named(row.said_at[i])) })) };
}

const digits = (value, count = 3) => String(Number(value.toPrecision(count)));

function denied_text({ cells }, first) {
  const sum = (list) => list.reduce((all, one) => all + one, 0);
  const denied = sum(cells.map((cell) => sum(cell.denied)));
  if (denied === 0) return "";
  return say("own.fault.denied", { key: first, denied: whole(denied), asked: whole(sum(cells.map((cell) => cell.n * cell.denied.length))) });
}

/// The engine's sentence of a cause in the page's language, its numbers put back, and what to change,
/// which goes by the cause's class.
function cause_said({ cause, class: kind, mend }) {
  const known = texts[`causes.${language}.json`];
  if (!known) return { cause, mend };  // the engine speaks English
  const number = /\d+(\.\d+)*(e[+-]?\d+|×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?/g;
  const numbers = cause.match(number) ?? [];
  const said = known.causes[cause.replace(number, "#")] ?? cause;
  return { cause: said.replaceAll("#", () => numbers.shift()), mend: mend && (known.mends[kind] ?? mend) };
}

function cause_item(one, rows) {
  const { cause, mend } = cause_said(one);
  return element("li", {}, `${cause}: ${say_list(rows.map(({ n }, i) => say("own.rate_at", { rate: digits(one.rates[i]), n: whole(n) })))}`,
    ...(mend ? [element("br", {}), element("span", { class: "small" }, mend)] : []));
}

/// What the engine says of the counts: nodes.
function judged_nodes({ verdict, p_value, causes, compared, observations, count_next }) {
  const tags = { p: p_value < 1e-12 ? "< 10⁻¹²" : `= ${digits(p_value, 2)}` };
  if (verdict === "as_expected") return [element("p", { class: "said" }, say("own.as_expected", tags))];
  const off = element("p", { class: "said" }, say("own.off", tags));
  if (causes.length === 0) return [off, element("p", {}, say("own.no_cause"))];
  const of = compared ?? observations;
  const shown = of.map((one, i) => ({ ...one, i })).sort((a, b) => a.n - b.n);
  const few = [shown[0], shown.at(-1)];
  const pick = ({ rates, ...cause }) => ({ ...cause, rates: few.map(({ i }) => rates[i]) });
  return [off, element("p", {}, say("own.causes", { seen: say_list(few.map(({ n, share }) =>
    say("own.rate_at", { rate: digits(share), n: whole(n) }))) })),
  element("ol", {}, ...causes.map((cause) => cause_item(pick(cause), few))),
  ...(count_next ? [element("p", { class: "small" }, say("own.next", { n: whole(count_next.n), queries: whole(count_next.queries),
    first: digits(count_next.by_first_cause), second: digits(count_next.by_second_cause) }))] : [])];
}

/// The textbook's form beside the exact one of a row.
const textbook_rate = ({ m, k }, row) => digits((1 - Math.exp(-k * row.inserted / m)) ** k, 4);

// The fields.

function own_from_fields() {
  const numbers = Object.fromEntries(Object.keys(own_numbers).map((name) =>
    [name, by_id(`own-${name}`).value.trim() === "" ? NaN : Number(by_id(`own-${name}`).value)]));
  const code = by_id("code").value;
  const example = Object.keys(own_examples).find((name) => own_examples[name] === code) ?? "";
  return { ...numbers, example, code: example ? "" : code };
}

function show_own_fields(own) {
  by_id("example").replaceChildren(element("option", { value: "" }, say("own.example.none")),
    ...Object.keys(own_examples).map((name) => element("option", { value: name }, say(`own.example.${name}`))));
  by_id("example").value = own.example;
  if (by_id("code") !== document.activeElement) by_id("code").value = code_of(own);
  for (const name of Object.keys(own_numbers)) {
    const field = by_id(`own-${name}`);
    if (field !== document.activeElement && Number.isFinite(own[name])) field.value = own[name];
  }
  by_id("own-facts").textContent = own_input_fault(own) ? "" : say("own.facts", { sizes: own_sizes(own).map(whole).join(", ") });
}

/// The parts of an address: numbers only where they are not the usual ones.
function own_hash(own) {
  const numbers = Object.keys(own_numbers).filter((name) => own[name] !== usual_own[name] && Number.isFinite(own[name]))
    .map((name) => `${name}=${own[name]}`);
  return [own.example ? `example=${own.example}` : `own=${to_base64url(own.code.slice(0, most_code))}`, ...numbers];
}

/// And back; null where the address tells of no own filter.
function own_of(words) {
  if (!words.has("own") && !words.has("example")) return null;
  const own = { ...usual_own, code: "" };
  for (const name of Object.keys(own_numbers)) {
    const value = Number(words.get(name) ?? usual_own[name]);
    own[name] = Number.isInteger(value) ? value : usual_own[name];
  }
  if (words.has("own")) {
    try {
      return { ...own, example: "", code: from_base64url(words.get("own")).slice(0, most_code) };
    } catch {
      return own;  // a code that cannot be read is none
    }
  }
  return { ...own, example: Object.hasOwn(own_examples, words.get("example")) ? words.get("example") : usual_own.example };
}
