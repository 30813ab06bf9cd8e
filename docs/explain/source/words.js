// Texts of the page and of `bloomlab explain`, in every language, as data.

const texts = JSON.parse(by_id("data").textContent);
const fixed_tags = {
  zero: "0", one: "1", half: "2³²", whole: "2⁶⁴", cases: "2ʲ", limit: "(1 − 1/m)^m", inverse: "1/e",
  level: "95 %",
};
let language = "en";

const has_text = (key) => key in texts[`explain.${language}.json`];

/// The text `key` of the language, its tags replaced.
function say(key, tags = {}) {
  const text = texts[`page.${language}.json`][key] ?? texts[`explain.${language}.json`][key];
  if (text === undefined) throw new Error(`no text ${key}`);
  return text.replace(/\{\{(\w+)\}\}/g, (_, tag) => {
    const value = tags[tag] ?? fixed_tags[tag];
    if (value === undefined) throw new Error(`no tag ${tag} for ${key}`);
    return tag.endsWith("answer") ? say(`answer.${value}`) : value;
  });
}

const say_list = (items) => items.join(say("list.separator"));
const distinct = (items) => [...new Set(items)];

/// A whole number, from five digits on with narrow spaces between groups of three.
const whole = (value) =>
  (value < 10000 ? String(value) : String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f"));

/// Every element with data-text, data-name (for those who listen) or data-hint says it.
function translate(to) {
  language = to;
  document.documentElement.lang = to === "zh" ? "zh-Hans" : to;
  document.title = say("title");
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = say(node.dataset.text);
  for (const node of document.querySelectorAll("[data-name]")) {
    node.setAttribute("aria-label", say(node.dataset.name));
  }
  for (const node of document.querySelectorAll("[data-hint]")) node.placeholder = say(node.dataset.hint);
  for (const button of document.querySelectorAll("[data-lang]")) {
    button.setAttribute("aria-pressed", String(button.dataset.lang === to));
  }
}
