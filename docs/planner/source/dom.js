// Parts of a page; every page in docs/ has this file.

const by_id = (id) => document.getElementById(id);

/// An HTML element with attributes and children; no text is ever read as HTML.
function element(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const svg_space = "http://www.w3.org/2000/svg";

function svg(name, attributes, ...children) {
  const node = document.createElementNS(svg_space, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
