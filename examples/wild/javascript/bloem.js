// SafeBloem of bloem: bytes in place of texts. It turns keys away beyond its capacity.
module.exports = ({ SafeBloem }, n, rate) => {
  const filter = new SafeBloem(n, rate);
  const bytes = (text) => Buffer.from(text, "latin1");
  return {
    bits: filter.filter.size,
    add: (text) => filter.add(bytes(text)),
    has: (text) => filter.has(bytes(text)),
  };
};
