// BloomFilter of bloom-filters, made for n keys and a rate. Its seed is a number.
module.exports = ({ BloomFilter }, n, rate, seed) => {
  const filter = BloomFilter.create(n, rate);
  filter.seed = seed;
  return { bits: filter.size, add: (text) => filter.add(text), has: (text) => filter.has(text) };
};
