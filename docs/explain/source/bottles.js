// The puzzle of the poisoned bottle: mice as bits.

const power_text = (exponent) => `2^${exponent} = ${whole(2 ** exponent)}`;

function mouse_button(number, dead, drunk, turn) {
  const worth = 2 ** (number - 1);
  const button = element("button", { type: "button", class: "mouse", "aria-pressed": String(dead),
    "aria-label": say(dead ? "mouse.dead" : "mouse.alive", { mouse: number, worth: whole(worth), count: whole(drunk) }) },
    element("span", { class: "worth" }, whole(worth)), element("span", { class: "bit" }, dead ? "1" : "0"),
    element("span", { class: "who" }, String(number)));
  button.addEventListener("click", () => turn(worth, dead));
  return button;
}

/// The puzzle's page; `turn(bottle)` is called for another poisoned bottle.
function show_bottles(state, turn) {
  const { bottles, poisoned } = state;
  const puzzle = module.puzzle(bottles, poisoned);
  const dead = new Set(puzzle.dead_mice);
  const code_of = (bottle) => (bottle % 2 ** puzzle.mice).toString(2).padStart(puzzle.mice, "0");
  const numbers = { bottles: whole(bottles), mice: puzzle.mice, poisoned: whole(poisoned), last: whole(bottles) };
  const flip = (worth, was_dead) => {
    const next = poisoned % 2 ** puzzle.mice + (was_dead ? -worth : worth);
    const named = next === 0 ? 2 ** puzzle.mice : next;
    if (named <= bottles) turn(named);
    else by_id("bottles-dead").textContent = say("bottles.nowhere", { named: whole(named), bottles: whole(bottles) });
  };
  const focused = [...by_id("mice").children].indexOf(document.activeElement);
  by_id("mice").replaceChildren(...Array.from({ length: puzzle.mice }, (_, i) => puzzle.mice - i)
    .map((number) => mouse_button(number, dead.has(number), puzzle.drunk[number - 1], flip)));
  if (focused >= 0) by_id("mice").children[focused]?.focus();
  const sum = puzzle.dead_mice.map((number) => whole(2 ** (number - 1))).join(" + ");
  by_id("bottles-task").textContent = say("bottles.task", numbers);
  const told = puzzle.dead_mice.length === 0 ? say("bottles.none_dead", numbers)
    : say("bottles.dead", { ...numbers, code: code_of(poisoned), dead: say_list(puzzle.dead_mice) }) + " " +
      say("bottles.sum", { sum: `${sum} = ${whole(puzzle.named)}` });
  by_id("bottles-dead").textContent = told;
  by_id("bottles-more").replaceChildren(...[
    say("bottles.bound", { ...numbers, enough: power_text(puzzle.mice), below: power_text(puzzle.mice - 1) }),
    say("bottles.code", { ...numbers, first: 1, code: code_of(bottles) }),
    say("bottles.all", { ...numbers, right: whole(puzzle.rightly_named) }),
    say("bottles.lesson"),
  ].map((text) => element("p", {}, text)));
  for (const name of ["bottles", "poisoned"]) {
    for (const input of document.querySelectorAll(`[data-of=${name}]`)) {
      if (name === "poisoned") input.max = bottles;
      if (input !== document.activeElement || input.type === "range") input.value = state[name];
    }
  }
  return told;
}
