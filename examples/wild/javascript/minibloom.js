// The filter of @mcrowe/minibloom, made for n keys and a rate. It has no seed.
module.exports = ({ optimalFilter }, n, rate) => {
  const filter = optimalFilter(n, rate);
  return { bits: filter.numBits, add: (text) => filter.add(text), has: (text) => filter.test(text) };
};
