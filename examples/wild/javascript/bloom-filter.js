// The filter of Bitcoin's BIP 37 in bloom-filter: bytes in place of texts, and a "tweak" as seed.
module.exports = (Filter, n, rate, seed) => {
  const filter = Filter.create(n, rate, seed, Filter.BLOOM_UPDATE_NONE);
  const bytes = (text) => Buffer.from(text, "latin1");
  return {
    bits: 8 * filter.vData.length,
    add: (text) => void filter.insert(bytes(text)),
    has: (text) => filter.contains(bytes(text)),
  };
};
