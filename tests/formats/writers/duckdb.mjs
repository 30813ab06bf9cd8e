// Writes a Parquet file with a bloom filter of the keys key-0 ... key-999 by DuckDB, which has one
// for columns with a dictionary only: node duckdb.mjs FILE
import { DuckDBInstance } from '@duckdb/node-api';

const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run(
  `copy (select 'key-' || (i % 1000) as key from range(20000) t(i)) to '${process.argv[2]}'
   (format parquet, dictionary_size_limit 5000, bloom_filter_false_positive_ratio 0.01)`);
