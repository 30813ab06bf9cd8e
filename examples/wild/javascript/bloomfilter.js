// BloomFilter of bloomfilter, made for n keys and a rate. It has no seed.
module.exports = ({ BloomFilter }, n, rate) => {
  const filter = BloomFilter.withTargetError(n, rate);
  return { bits: filter.m, add: (text) => filter.add(text), has: (text) => filter.test(text) };
};
