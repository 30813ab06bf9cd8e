// A Bloom filter for bloomlab in JavaScript, with Node.js alone: "command": ["node", "my_filter.js"]
const crypto = require("crypto");
const readline = require("readline");

let m, k, seed, bits;

function positions(hex) {
  const digest = crypto.createHash("sha256").update(seed).update(Buffer.from(hex, "hex")).digest();
  let at = digest.readBigUInt64LE(0);
  const step = digest.readBigUInt64LE(8) | 1n;
  return Array.from({ length: k }, () => Number((at = BigInt.asUintN(64, at + step)) % BigInt(m)));
}

function call(name, values, keys) {
  if (name === "create") {
    m = Math.ceil(Number(values[0]) * Number(values[1]));
    k = Math.max(1, Math.round(Math.LN2 * Number(values[1])));
    seed = values[3];
    bits = new Uint8Array(m);
    return "ok";
  }
  if (name === "memory") return String(m);
  if (name === "insert") {
    for (const key of keys) for (const i of positions(key)) bits[i] = 1;
    return "ok";
  }
  if (name === "query") {
    return keys.map((key) => (positions(key).every((i) => bits[i]) ? "1" : "0")).join("");
  }
  return "unsupported";
}

console.log("bloomlab-filter 1 text name=my_filter");
let pending = null; // a call whose keys are still coming
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  if (pending === null) {
    const [name, ...values] = line.split(" ");
    const left = ["insert", "query", "remove"].includes(name) ? Number(values[0]) : 0;
    pending = { name, values, left, keys: [] };
  } else {
    pending.keys.push(line);
  }
  if (pending.keys.length < pending.left) return;
  console.log(call(pending.name, pending.values, pending.keys));
  pending = null;
});
