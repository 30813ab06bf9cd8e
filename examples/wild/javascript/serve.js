// Serves a package of npm to bloomlab: node serve.js PACKAGE, in a folder with node_modules.
// The file PACKAGE.js beside this one makes a filter: {add(text), has(text), bits}.
const fs = require("fs");
const path = require("path");
const readline = require("readline");

const name = process.argv[2];
const modules = path.join(process.cwd(), "node_modules");
const home = path.join(modules, name);
const about = JSON.parse(fs.readFileSync(path.join(home, "package.json")));
const make = require("./" + name.split("/").pop() + ".js");

let library, filter;

function call(line, keys) {
  const [name, ...values] = line.split(" ");
  if (name === "create") {
    const [n, bits, p, seed] = values.map(Number);
    // A size in bits becomes the rate that the usual formula gives for it.
    const rate = p > 0 ? p : Math.exp(-bits * Math.LN2 ** 2);
    filter = make(library, n, rate, seed % 2 ** 31);
    return "ok";
  }
  if (name === "memory") return String(filter.bits);
  const texts = keys.map((key) => Buffer.from(key, "hex").toString("latin1"));
  if (name === "insert") return texts.map((text) => filter.add(text)).includes(false) ? "full" : "ok";
  if (name === "query") return texts.map((text) => (filter.has(text) ? "1" : "0")).join("");
  return "unsupported";
}

async function serve() {
  library = await import("file://" + require.resolve(home));
  library = library.default ?? library;
  console.log(`bloomlab-filter 1 text name=npm/${name} version=${about.version}`);
  let first = null, keys = [];
  for await (const line of readline.createInterface({ input: process.stdin })) {
    if (first === null) first = line; else keys.push(line);
    if (keys.length < (/^(insert|query) (\d+)/.exec(first)?.[2] ?? 0)) continue;
    try {
      console.log(call(first, keys));
    } catch (error) {
      console.log("error " + error.message.replace(/\n/g, " "));
    }
    first = null;
    keys = [];
  }
}
serve();
