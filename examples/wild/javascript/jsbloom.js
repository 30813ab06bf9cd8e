// The filter of @duckduckgo/jsbloom, made for n keys and a rate. Its add says whether the key is new.
module.exports = (library, n, rate) => {
  const filter = library.filter(n, rate);
  return {
    bits: filter.info.buffer,
    add: (text) => void filter.addEntry(text),
    has: (text) => filter.checkEntry(text),
  };
};
