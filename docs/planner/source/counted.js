// What was counted of the standard filter in the fields, and a test of its rate.

/// The inputs of this part, by the names that they have in the URL.
const counted_names = ["looked_up", "reported", "queries", "limit", "alpha"];

const number = (value, digits = 3) => unbroken(planner.significant(value, digits));

/// "3.5 times in 10 000" for small probabilities, per cent for others.
function chance_text(probability) {
  return probability >= 0.001 ? `${number(100 * probability)} %` : number(probability, 2);
}

function cause_item({ cause, rate, mend }) {
  return element("li", {}, `${cause}: ${number(rate)}`, ...(mend ? [element("p", {}, mend)] : []));
}

function next_count_text({ causes, count_next }) {
  if (count_next === null) return causes.length > 1 ? ["Rates do not tell 1 from 2."] : [];
  const { n, queries, by_first_cause, by_second_cause } = count_next;
  return [`To tell 1 from 2: after ${keys_text(n)} look up ${whole(queries)} absent ones: ` +
    `${number(by_first_cause)} by 1, ${number(by_second_cause)} by 2.`];
}

function judged_texts(plan, seen) {
  const filter = `a standard filter of m = ${whole(plan.m)} bits with k = ${plan.k} and ${keys_text(plan.n)}`;
  const usual = `Of 100 filters, 95 show ${whole(BigInt(seen.usual_from))} to ${whole(BigInt(seen.usual_to))}: ` +
    `the exact rate of ${filter} is ${number(seen.expected, 4)}.`;
  const share = `${whole(seen.reported)} of ${whole(seen.queries)} is ${number(seen.share)}`;
  if (seen.as_expected) return [`As it should be: ${share} (p = ${number(seen.p_value, 2)}).`, usual];
  return [`Not as it should be: ${share} (p = ${number(seen.p_value, 2)}).`, usual,
    seen.causes.length === 0 ? "No cause that is known fits." : "What fits, the likeliest first:",
    element("ol", {}, ...seen.causes.map(cause_item)), ...next_count_text(seen)];
}

function detected_text({ detected_factor, power }) {
  return detected_factor === null
    ? `It detects nothing: no higher rate fails with probability ${power}. Look up more absent keys.`
    : `It detects ${number(detected_factor)} times that rate with probability ${power}.`;
}

function tested_texts(test) {
  const right = `a right filter, of rate ${number(test.fpr, 4)}, fails with probability ${chance_text(test.false_alarm)}`;
  if (test.limit === undefined) {
    return [`Assert at most ${whole(test.max_false_positives)} false positives in ${whole(test.trials)} absent keys: ${right}.`,
      detected_text(test)];
  }
  return [`With "at most ${whole(test.limit)} in ${whole(test.trials)}", ${right}.`, detected_text(test),
    "Least limits: " + test.least_limits.map(({ alpha, limit }) =>
      `${whole(limit)} for ${Number(alpha.toPrecision(6))}`).join(", ") + "."];
}

function say_in(place, texts) {
  by_id(place).replaceChildren(
    ...texts.map((said) => (typeof said === "string" ? element("p", {}, said) : said)));
}

const faults_in = (answer) => answer.faults.map((text) => element("span", { class: "fault" }, text));

const counted_now = () => Object.fromEntries(counted_names.map((name) => [name, by_id(name).value.trim()]));

/// Shows what was judged of the plan that was solved last; null: nothing was counted.
function show_judged(plan, seen) {
  say_in("judged", seen === null ? [] : seen.faults ? faults_in(seen) : judged_texts(plan, seen));
}

/// Shows what a test of that plan is worth.
function show_tested() {
  const { queries, limit, alpha } = counted_now();
  by_id("counted").hidden = false;
  const test = queries ? planner.test_rate(queries, limit, alpha || "1e-6") : null;
  say_in("tested", !test ? [] : test.faults ? faults_in(test) : tested_texts(test));
}

/// What of it stands in the URL, and back.
function counted_hash() {
  return counted_names.filter((name) => by_id(name).value.trim() !== "")
    .map((name) => `&${name}=${encodeURIComponent(by_id(name).value.trim()).replaceAll("%20", "+")}`).join("");
}

function take_counted(part) {
  const words = new URLSearchParams(part.replace(/^[#?]/, ""));
  for (const name of counted_names) by_id(name).value = words.get(name) ?? "";
}

/// Calls `changed` after every change of one of the inputs.
function listen_to_counted(changed) {
  for (const name of counted_names) by_id(name).addEventListener("input", changed);
  for (const form of ["judge-form", "test-form"]) {
    by_id(form).addEventListener("submit", (event) => event.preventDefault());
  }
}
