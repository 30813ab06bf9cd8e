// Writes a Parquet file with a bloom filter of the keys key-0 ... key-(n-1) by @dsnp/parquetjs:
//     node parquet.js n p|bytesB FILE
// With "read" before the file: loads its filter, and counts the keys found and absent keys reported.
const { ParquetReader, ParquetSchema, ParquetWriter } = require('@dsnp/parquetjs');

async function main() {
  const [n, p, ...rest] = process.argv.slice(2);
  if (rest[0] === 'read') {
    const reader = await ParquetReader.openFile(rest[1]);
    const filters = (await reader.getBloomFiltersFor(["key"])).key;
    let found = 0, absent = 0;
    for (let i = 0; i < Number(n); i++) {
      if (await filters[0].sbbf.check(Buffer.from('key-' + i))) found++;
      if (await filters[0].sbbf.check(Buffer.from('absent-' + i))) absent++;
    }
    console.log(found, absent);
    return reader.close();
  }
  const size = p.endsWith('B') ? { numFilterBytes: parseInt(p) }
    : { numDistinct: Number(n), falsePositiveRate: Number(p) };
  // Its writer hashes keys later than it returns: closed at once, some may be missing.
  if (rest[0] === 'load') {  // a filter alone, as bloomlab export writes it: its header has 16 bytes
    const { default: Filter } = require('@dsnp/parquetjs/dist/lib/bloom/sbbf');
    const blocks = new Uint8Array(require('fs').readFileSync(rest[1]).subarray(16));
    const filter = Filter.from(Buffer.from(blocks.buffer));
    let found = 0, absent = 0;
    for (let i = 0; i < Number(n); i++) {
      if (await filter.check('key-' + i)) found++;
      if (await filter.check('absent-' + i)) absent++;
    }
    return console.log(found, absent);
  }
  const schema = new ParquetSchema({ key: { type: 'UTF8' } });
  const writer = await ParquetWriter.openFile(schema, rest[0], {
    bloomFilters: [{ column: 'key', ...size }],
    rowGroupSize: Number(n),
  });
  for (let i = 0; i < Number(n); i++) await writer.appendRow({ key: 'key-' + i });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await writer.close();
}
main();
