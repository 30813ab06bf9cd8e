// The page: fields in, answer out, both kept in the URL.

const start_hash = "#items=10M&fpr=0.01%25";
const quiet_ms = 150;   // heavy parts wait until typing rests
const spoken_ms = 700;  // and a screen reader a little longer

const inputs = Object.fromEntries(field_names.map((name) => [name, by_id(name)]));

let planner = null;
let rest = null;  // of an answer, worked out in the background
let state = state_of(start_hash);
let answer = {};  // the last one that could be given, with the parts that have come
let resting = 0;
let speaking = 0;

/// Spaces between groups of digits as narrow ones that do not break a line.
const unbroken = (text) => text.replace(/(\d)[ \u2009](?=\d{3})/g, "$1\u202f");
const whole = (value) => unbroken(planner.grouped(value));
const one_in = (rate) => unbroken(planner.one_in(rate));

const keys_text = (n) => `${whole(n)} ${n === 1n ? "key" : "keys"}`;

/// What a field says where its quantity is solved for: to read, and in full where it is held.
const solved_texts = {
  items: (plan) => [String(plan.n), String(plan.n)],
  fpr: (plan) => [String(Number(plan.p.toPrecision(6))), String(plan.p)],
  bits: (plan) => [String(plan.m), String(plan.m)],
  memory: (plan) => [planner.memory_text(plan.memory_bits, 8), `${plan.memory_bits}bits`],
  probes: (plan) => [String(plan.k), String(plan.k)],
};

const notes = {
  items: (plan) => keys_text(plan.n),
  fpr: (plan) => one_in(plan.p),
  bits: (plan) => `${whole(plan.m)} ${plan.m === 1n ? "bit" : "bits"}, ` +
    `${planner.significant(plan.bits_per_key, 5)} per key`,
  memory: (plan) => `${whole(plan.memory_bits)} bits in whole words of 64`,
  probes: (plan) => `the best real k is ${planner.significant(plan.optimal_k_real, 4)}`,
};

function show_field(name, plan, fault) {
  const input = inputs[name];
  const known = is_given(state, name);
  const focused = document.activeElement === input;
  const solved = plan ? solved_texts[name](plan)[0] : "";
  const text = known ? text_of(state, name) : solved;
  if (!focused) input.value = text;
  else if (known && input.value.trim() !== text) input.value = text;
  input.placeholder = known ? "" : solved;
  input.closest(".field").classList.toggle("given", known);
  input.setAttribute("aria-invalid", fault ? "true" : "false");
  by_id(`${name}-fault`).textContent = fault ?? "";
  by_id(`${name}-note`).textContent = plan && !fault ? notes[name](plan) : "";
  const button = document.querySelector(`[data-state-of=${name}]`);
  button.textContent = known ? "given" : "solved";
  button.setAttribute("aria-pressed", String(known));
  const label = document.querySelector(`label[for=${name}]`).textContent;
  button.setAttribute("aria-label", `${label}: ${known ? "given; solve for it" : "solved; hold it"}`);
  button.disabled = !known && !plan;
}

function show_faults(faults) {
  const together = faults.filter(({ field }) => field === "").map(({ message }) => message);
  const alert = by_id("faults");
  alert.hidden = together.length === 0;
  alert.replaceChildren(...together.map((text) => element("p", {}, text)));
  by_id("solved").classList.toggle("stale", faults.length > 0);
  for (const id of ["which", "systems", "guess"]) by_id(id).classList.toggle("stale", faults.length > 0);
}

function figure_entry(name, value, note) {
  return element("div", {}, element("dt", {}, name), element("dd", { class: "value" }, ...[value].flat()),
    element("dd", { class: "note" }, note));
}

function unit(text) {
  const [value, word] = text.split(" ");
  return word ? [value, " ", element("span", { class: "unit" }, word)] : [text];
}

function probes_note(plan) {
  if (plan.solved_for.includes("p") || plan.fewest_probes === 0n || plan.fewest_probes >= plan.k) {
    return "bits set for each key";
  }
  return `${plan.fewest_probes} keep the rate too, and cost less`;
}

function memory_note(plan) {
  const rounded = "in whole words of 64 bits";
  return plan.memory_bits === plan.m ? rounded
    : `${rounded}; ${planner.memory_text(plan.m, 8)} unrounded`;
}

/// The plan itself was asked for, so that no other filter is recommended.
const fixes_form = (plan) => plan.mode === "compatible" || !plan.solved_for.includes("k") ||
  !["n", "p", "m"].some((quantity) => plan.solved_for.includes(quantity));

function show_headline(plan, filter) {
  const promised = plan.solved_for.includes("p") ? "" : ` at a rate of at most ${one_in(plan.p)}`;
  by_id("headline").textContent = `${filter} for ${keys_text(plan.n)}${promised}` +
    (plan.mode === "compatible" ? ", as calculators on the web have it" : "");
}

/// Headline and figures speak of the recommended filter; the fields of the standard one.
function show_recommended(plan, { filter, parameters, memory_bits, bits_per_key, rate }) {
  if (filter === null || filter === "standard") return show_standard(plan);
  show_headline(plan, `Recommended: ${filter}`);
  by_id("figures").replaceChildren(
    figure_entry("memory", unit(planner.memory_text(memory_bits, 8)),
      `${planner.significant(bits_per_key, 5)} bits per key`),
    figure_entry("exact rate", one_in(rate), `${planner.significant(rate, 6)}, by its own closed form`),
    ...(parameters.m === undefined ? []
      : [figure_entry("filter size m", [whole(parameters.m), " ", element("span", { class: "unit" }, "bits")],
        "of this filter")]),
    figure_entry("parameters", element("code", {}, parameters_text({ parameters })),
      "the fields show the standard filter"));
}

function show_standard(plan) {
  show_headline(plan, "A standard Bloom filter");
  by_id("figures").replaceChildren(
    figure_entry("memory", unit(planner.memory_text(plan.memory_bits, 8)), memory_note(plan)),
    figure_entry("filter size m", [whole(plan.m), " ", element("span", { class: "unit" }, "bits")],
      `${planner.significant(plan.bits_per_key, 5)} bits per key`),
    figure_entry("probes k", String(plan.k), probes_note(plan)),
    figure_entry("exact rate", plan.rate > 0 ? one_in(plan.rate) : "0",
      `${planner.significant(plan.rate, 6)}`));
}

function show_head(plan) {
  // Another filter may come to be recommended: until then the last one stays, marked as pending.
  if (fixes_form(plan) || !answer.recommendation) show_standard(plan);
  by_id("warnings").replaceChildren(...plan.warnings.map((text) =>
    element("p", { class: "alert" }, element("b", {}, "Warning: "), unbroken(text))));
  const least = plan.lower_bound_bits / Number(plan.n);
  by_id("bound").textContent =
    `At this rate no filter of any kind needs less than ${planner.significant(least, 4)} bits per key. ` +
    `With all keys in it, ${planner.significant(100 * plan.expected_fill, 3)} % of a standard filter's bits are set.`;
}

/// The chosen point of each figure.
function chosen_in(figure, plan) {
  const x = { n: plan.n, m: plan.m, k: plan.k }[figure.name.at(-1)];
  const requested = plan.solved_for.includes("p") ? null : plan.p;
  return { x: Number(x), y: plan.rate, requested };
}

function show_plots() {
  const room = by_id("plots").clientWidth;
  const columns_here = room >= 780 ? 3 : room >= 520 ? 2 : 1;
  const width = Math.floor((room - 24 * (columns_here - 1)) / columns_here);
  const frames = () => [...by_id("plots").querySelectorAll(".frame")];
  const focused = frames().indexOf(document.activeElement);
  by_id("plots").replaceChildren(...answer.figures.map((figure) =>
    plot(figure, chosen_in(figure, answer), width)));
  // Whoever reads a figure off keeps the place when it is drawn anew.
  if (focused >= 0) frames()[focused]?.focus({ preventScroll: true });
}

function show_table() {
  by_id("table").replaceChildren(
    filter_table(answer, by_id("order").value, by_id("pareto-only").checked));
}

/// What room for more keys costs.
function growth_line({ factor, n, plain_bits, scalable_bits, layers, scalable_less_up_to }) {
  const less = scalable_less_up_to > 0n && scalable_less_up_to < n
    ? `; it takes less than that one up to ${keys_text(scalable_less_up_to)}` : "";
  return `n × ${factor}: a plain filter made for them takes ` +
    `${planner.memory_text(plain_bits, 4)}, a scalable one started for n and grown to them ` +
    `${planner.memory_text(scalable_bits, 4)} in ${layers} ${layers === 1n ? "layer" : "layers"}${less}.`;
}

function elasticity_text({ elasticity }) {
  const factor = planner.significant(elasticity, 3);
  return [element("b", {}, `Elasticity of the rate: ${factor}. `),
    `A small change of n changes the rate by ${factor} times as many per cent (the slope of ln p against ln n).`];
}

function consequences_of(plan) {
  const { sensitivity } = plan;
  const lines = [`The rate of the standard filter is kept up to ${keys_text(sensitivity.most_keys)}` +
    (sensitivity.most_keys_at_twice_the_rate > 0n
      ? `, twice it up to ${keys_text(sensitivity.most_keys_at_twice_the_rate)}` : "") +
    (sensitivity.most_keys_at_ten_times_the_rate > 0n
      ? `, ten times it up to ${keys_text(sensitivity.most_keys_at_ten_times_the_rate)}` : "") + "."];
  return [...lines, ...sensitivity.growth.map(growth_line)];
}

const shown_parts = {
  sensitivity: () => {
    by_id("shifts").replaceChildren(shift_table(answer.sensitivity.shifts));
    by_id("elasticity").replaceChildren(...elasticity_text(answer.sensitivity));
    by_id("consequences").replaceChildren(
      ...consequences_of(answer).map((text) => element("li", {}, text)));
    by_id("guess").hidden = false;
  },
  comparison: () => {
    show_recommended(answer, answer.recommendation);
    show_result(answer, [], answer.recommendation.filter === null ? undefined : answer.recommendation);
    by_id("recommendation").textContent = unbroken(answer.recommendation.sentence);
    show_table();
    by_id("which").hidden = false;
  },
  systems: () => {
    show_systems(answer);
    by_id("systems").hidden = false;
  },
  judged: () => show_judged(answer, answer.judged),
  figures: () => show_plots(),
};

/// The places of the parts that are still being worked out.
const places_of = { sensitivity: ["guess"], comparison: ["result", "headline", "figures", "recommendation", "which"],
  systems: ["systems-table"], judged: ["judged"], figures: ["plots"] };

function wait_for(name, waits) {
  for (const place of places_of[name]) {
    by_id(place).classList.toggle("pending", waits);
    by_id(place).setAttribute("aria-busy", String(waits));
  }
}

function take_part(name, part) {
  answer = { ...answer, ...part };
  shown_parts[name]();
  wait_for(name, false);
}

/// Everything for a state: as `bloomlab plan --json` says it, or {faults}.
function answer_to(asked) {
  const plan = planner.solve(request_of(asked));
  if (plan.faults) return plan;
  return { ...plan, ...planner.compare(), sensitivity: planner.sensitivity(), calibration: null };
}

function spoken_answer(plan) {
  return `standard filter: m ${whole(plan.m)} bits, ${planner.memory_text(plan.memory_bits, 4)}, k ${plan.k}, ` +
    `rate ${one_in(plan.rate)}` + plan.warnings.map((text) => `. Warning: ${text}`).join("");
}

/// One line that stays in view while a narrow screen shows the fields. It speaks of the filter that
/// the answer recommends; until that is known of a new question, the last line stays as it was.
function show_result(plan, faults, taken) {
  const line = by_id("result");
  line.hidden = false;
  line.classList.toggle("wrong", faults.length > 0);
  const { filter, parameters, memory_bits, rate } = taken ??
    { filter: "standard", parameters: { m: plan.m, k: plan.k }, memory_bits: plan.memory_bits, rate: plan.rate };
  const sizes = ["m", "k"].filter((name) => parameters?.[name] !== undefined)
    .map((name) => element("span", {}, `${name} = ${whole(BigInt(parameters[name]))}`));
  line.replaceChildren(...(faults.length > 0 ? [faults[0].message] : [
    element("b", {}, planner.memory_text(memory_bits, 4)), element("span", {}, filter), ...sizes,
    element("span", {}, `n = ${whole(plan.n)}`), element("span", {}, `p = ${one_in(rate)}`)]));
}

/// For screen readers, once typing rests.
function speak(text) {
  clearTimeout(speaking);
  speaking = setTimeout(() => { by_id("status").textContent = text; }, spoken_ms);
}

/// Solves for the state and shows it; the heavy parts after a rest, or at once.
function show(at_once) {
  const request = { ...request_of(state), ...counted_now(), ...wants_systems() };
  const plan = planner.solve(request);
  const faults = plan.faults ?? [];
  clearTimeout(resting);
  rest.forget();
  for (const name of field_names) {
    const fault = faults.find(({ field }) => field === name);
    show_field(name, plan.faults ? null : plan, fault?.message);
  }
  document.querySelector(`input[value=${state.mode}]`).checked = true;
  show_faults(faults);
  if (faults.length > 0 || fixes_form(plan)) show_result(plan, faults);
  else by_id("result").hidden = by_id("result").hidden || by_id("result").classList.contains("wrong");
  by_id("command").textContent = command_of(state);
  speak(plan.faults ? faults.map(({ message }) => message).join(". ") : spoken_answer(plan));
  if (plan.faults) return;
  by_id("solved").hidden = false;
  show_head(plan);
  show_tested();
  Object.keys(parts).forEach((name) => wait_for(name, true));
  const ask = () => {
    answer = { ...answer, ...plan };
    rest.ask(request);
  };
  if (at_once) ask();
  else resting = setTimeout(ask, quiet_ms);
}

function change(next, at_once) {
  state = next;
  keep_in_url(state);
  show(at_once);
}

/// A link's ?n=... is a #items=... from then on.
function keep_in_url(state) {
  const hash = hash_of(state) + counted_hash();
  try {
    history.replaceState(null, "", location.pathname + hash);
  } catch {
    history.replaceState(null, "", hash);  // a file may change its fragment alone
  }
}

function listen_to_fields() {
  for (const name of field_names) {
    inputs[name].addEventListener("input", () => {
      const text = inputs[name].value.trim();
      change(text === "" ? released(state, name) : given(state, name, text), false);
    });
    inputs[name].addEventListener("blur", () => show(false));
    document.querySelector(`[data-state-of=${name}]`).addEventListener("click", () => {
      if (is_given(state, name)) return change(released(state, name), true);
      const plan = planner.solve(request_of(state));
      if (!plan.faults) change(held(state, name, solved_texts[name](plan)[1]), true);
    });
  }
  for (const radio of document.querySelectorAll("input[name=mode]")) {
    radio.addEventListener("change", () => change({ ...state, mode: radio.value }, true));
  }
  by_id("form").addEventListener("submit", (event) => event.preventDefault());
}

function copy(text, button) {
  const said = button.textContent;
  const tell = (word) => {
    button.textContent = word;
    setTimeout(() => { button.textContent = said; }, 1500);
  };
  navigator.clipboard.writeText(text).then(() => tell("Copied"), () => tell("Not allowed here"));
}

function listen_to_tools() {
  by_id("order").addEventListener("change", show_table);
  by_id("pareto-only").addEventListener("change", show_table);
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () =>
      copy(button.dataset.copy === "link" ? location.href : by_id("command").textContent, button));
  }
  for (const link of document.querySelectorAll("[data-jump]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      by_id("answer").focus();
      by_id("answer").scrollIntoView();
    });
  }
  addEventListener("hashchange", () => {
    state = state_of(location.hash);
    take_counted(location.hash);
    document.activeElement?.blur();
    show(true);
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width || !answer?.figures) return;
    width = innerWidth;
    show_plots();
  });
}

const themes = { system: "auto", light: "light", dark: "dark" };

function remembered_theme() {
  try {
    return localStorage.getItem("bloomlab-theme") ?? "system";
  } catch {
    return "system";  // a browser may keep nothing for a file
  }
}

function show_theme(theme) {
  document.documentElement.dataset.theme = theme;
  by_id("theme").textContent = `Theme: ${themes[theme]}`;
}

function listen_to_theme() {
  show_theme(remembered_theme() in themes ? remembered_theme() : "system");
  by_id("theme").addEventListener("click", () => {
    const names = Object.keys(themes);
    const next = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length];
    show_theme(next);
    try {
      localStorage.setItem("bloomlab-theme", next);
    } catch {
      // it holds until the page is closed
    }
  });
}

listen_to_theme();
bloomlab_planner().then((module) => {
  planner = module;
  rest = background(take_part);
  take_counted(location.hash);
  if (location.hash.length > 1) state = state_of(location.hash);
  else if (location.search.length > 1) {
    state = state_of(location.search);
    keep_in_url(state);
  }
  listen_to_fields();
  listen_to_tools();
  listen_to_counted(() => change(state, false));
  listen_to_systems(() => show(true));
  show(true);
  // For tests and for the curious at the console: bloomlab.answer_to("#items=10M&fpr=1%25").
  globalThis.bloomlab = { answer_to: (hash) => answer_to(state_of(hash)),
    judge: (reported, looked_up) => planner.judge(reported, looked_up), hash: () => hash_of(state) + counted_hash() };
});
