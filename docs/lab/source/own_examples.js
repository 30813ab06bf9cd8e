// Filters to begin with: one that is right, and four with a usual fault each.

const right_filter = `// A Bloom filter: m bits, and k positions for every key, which is a text.
class MyFilter {
  constructor(m, k) {
    this.bits = new Uint8Array(m);
    this.k = k;
  }
  insert(key) {
    for (let i = 0; i < this.k; ++i) this.bits[this.position(key, i)] = 1;
  }
  contains(key) {
    for (let i = 0; i < this.k; ++i) if (!this.bits[this.position(key, i)]) return false;
    return true;
  }
  position(key, i) {
    return hash(key, i) % this.bits.length;
  }
}

// A number of 32 bits for a text, another one for every seed.
function hash(text, seed) {
  let h = 0x9747b28c ^ Math.imul(seed + 1, 0x9e3779b1);
  for (let i = 0; i < text.length; ++i) {
    h = Math.imul(h ^ text.charCodeAt(i), 0x5bd1e995);
    h ^= h >>> 15;
  }
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
`;

const own_examples = {
  right: right_filter,
  neighbours: right_filter.replace("hash(key, i) %", "(hash(key, 0) + i) %"),
  bytes: right_filter.replace("Uint8Array(m)", "Uint8Array(m / 8)"),
  short: right_filter.replace("hash(key, i) %", "hash(String(hash(key, 0) & 0xffff), i) %"),
  signed: right_filter.replace("(h ^ (h >>> 16)) >>> 0", "h ^ (h >>> 16)"),
};
