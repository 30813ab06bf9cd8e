// Every system: rule, source, comment, settings and the line to paste, as data.
//
// A source names the file, and the version of it that was read: the first digits of its commit.
// What a newer version does may differ.

#include <array>

#include "planner/systems/common.hpp"

namespace bloomlab::planner {
namespace {

constexpr std::array parquet_settings = {
    SystemSetting{"ndv", "given",
                  "given: n is set as the number of distinct values; none: it is not"},
    SystemSetting{"max_bytes", "", "cap of the filter; 134217728, and 1048576 with ndv=none",
                  "bytes"},
    SystemSetting{"writer", "cpp", "cpp (Arrow) or java (parquet-java), which rounds differently"}};
constexpr std::array iceberg_settings = {
    SystemSetting{"max_bytes", "1048576", "write.parquet.bloom-filter-max-bytes", "bytes"}};
constexpr std::array hudi_settings = {
    SystemSetting{"num_entries", "",
                  "hoodie.index.bloom.num_entries; n unless given (60000 there)"},
    SystemSetting{"max_entries", "100000", "hoodie.bloom.index.filter.dynamic.max.entries"},
    SystemSetting{"type", "DYNAMIC_V0", "hoodie.bloom.index.filter.type: DYNAMIC_V0 or SIMPLE"}};
constexpr std::array hbase_settings = {
    SystemSetting{"block_size", "131072", "io.storefile.bloom.block.size [bytes]", "bytes"}};
constexpr std::array rocksdb_settings = {
    SystemSetting{"bits_per_key", "10", "of NewBloomFilterPolicy; 1 to 100, below 0.5 no filter"},
    SystemSetting{"format_version", "5", "of the table: from 5 on the newer filter"}};
constexpr std::array leveldb_settings = {
    SystemSetting{"bits_per_key", "10", "of NewBloomFilterPolicy"}};
constexpr std::array grams_settings = {
    SystemSetting{"size_of_bloom_filter_in_bytes", "", "from n and p by the documented helper",
                  "bytes"},
    SystemSetting{"number_of_hash_functions", "", "from n and the bits by the documented helper"}};
constexpr std::array postgres_settings = {
    SystemSetting{"length", "80", "bits of a signature, 1 to 4096", "bits"},
    SystemSetting{"columns", "6", "columns of the index"},
    SystemSetting{"col", "2", "bits per column (col1, col2, ...)"},
    SystemSetting{"queried", "2", "columns that a query names"}};
constexpr std::array redis_settings = {
    SystemSetting{"capacity", "", "of BF.RESERVE; n unless given (100 in BF.ADD)"},
    SystemSetting{"expansion", "2", "of BF.RESERVE: growth from layer to layer"}};
constexpr std::array nonscaling_settings = {
    SystemSetting{"capacity", "", "of BF.RESERVE; n unless given"}};
constexpr std::array valkey_settings = {
    SystemSetting{"capacity", "", "of BF.RESERVE; n unless given (bloom-capacity, 100)"},
    SystemSetting{"expansion", "2", "bloom-expansion: growth from layer to layer"},
    SystemSetting{"tightening-ratio", "0.5", "bloom-tightening-ratio"},
    SystemSetting{"bloom-memory-usage-limit", "134217728", "bytes that one filter may take",
                  "bytes"}};
constexpr std::array guava_settings = {
    SystemSetting{"k_from", "p", "p: k from the rate (newer releases); m: from the bits (older)"},
    SystemSetting{"strategy", "MURMUR128_MITZ_64",
                  "MURMUR128_MITZ_32: filters of releases before 17.0, or serialized by them"}};
constexpr std::array boost_settings = {
    SystemSetting{"k", "", "K of filter<T, K>: subfilters per key; log2(1/p)/K' unless given"},
    SystemSetting{"subfilter", "block<unsigned char,1>", "such as block<uint64_t,5>"}};
constexpr std::array lucene_settings = {
    SystemSetting{"targetMaxFpp", "0.1023", "of FuzzySet.createOptimalSet"}};

using Values = std::vector<std::string>;

template <class Number>
void add(Values& values, Number value) {
  values.push_back(std::to_string(value));
}

Values bits_per_key_values(const SystemRequest& /*request*/) {
  Values values;
  for (int tenths = 10; tenths <= 1000; tenths += tenths < 300 ? 1 : 10) {
    values.push_back(detail::setting_text(tenths / 10.0));
  }
  return values;
}

template <std::uint64_t first, std::uint64_t last, std::uint64_t step>
Values whole_numbers(const SystemRequest& /*request*/) {
  Values values;
  for (std::uint64_t value = first; value <= last; value += step) add(values, value);
  return values;
}

template <std::uint64_t first, std::uint64_t last>
Values powers_of_two(const SystemRequest& /*request*/) {
  Values values;
  for (std::uint64_t log2 = first; log2 <= last; ++log2) add(values, std::uint64_t{1} << log2);
  return values;
}

/// Bytes from a quarter of the classic size to 64 times it, in steps of a hundredth.
Values byte_sizes(const SystemRequest& request) {
  Values values;
  const double usual = detail::real_k_bits(request.n(), *request.requested()) / 8.0;
  for (double bytes = usual / 4.0; bytes <= 64.0 * usual && bytes < 0x1p30;
       bytes = bytes * 1.01 + 1.0) {
    add(values, static_cast<std::uint64_t>(std::ceil(bytes)));
  }
  return values;
}

/// Rates for a filter that may grow: what is asked for the first layer holds for all of them.
Values rates_up_to(const SystemRequest& request) {
  Values rates = detail::rates_around(request);
  std::erase_if(rates, [&](const std::string& rate) {
    return std::strtod(rate.c_str(), nullptr) > *request.requested();
  });
  rates.insert(rates.begin(), detail::text_up_to(*request.requested()));
  return rates;
}

Values number_of_keys(const SystemRequest& request) { return {std::to_string(request.n())}; }

/// The number of keys, and room for more: few keys need more bits than any rate gives them.
Values room_for_keys(const SystemRequest& request) {
  Values values = number_of_keys(request);
  for (std::uint64_t room = 16; room <= 4096 && request.n() < 10'000; room *= 16) {
    add(values, room * request.n());
  }
  return values;
}
Values known_distinct(const SystemRequest& /*request*/) { return {"given"}; }
Values most_parquet_bytes(const SystemRequest& /*request*/) { return {"134217728"}; }
Values newest_format(const SystemRequest& /*request*/) { return {"5"}; }
Values from_helper(const SystemRequest& /*request*/) { return {""}; }

constexpr std::array rate_lever = {SystemLever{"p", detail::rates_around}};
constexpr std::array parquet_levers = {SystemLever{"p", detail::rates_around},
                                       SystemLever{"ndv", known_distinct},
                                       SystemLever{"max_bytes", most_parquet_bytes}};
constexpr std::array hudi_levers = {SystemLever{"p", detail::rates_around},
                                    SystemLever{"num_entries", number_of_keys}};
constexpr std::array hbase_levers = {SystemLever{"p", detail::rates_around},
                                     SystemLever{"block_size", powers_of_two<12, 24>}};
constexpr std::array iceberg_levers = {SystemLever{"max_bytes", powers_of_two<5, 27>}};
constexpr std::array rocksdb_levers = {SystemLever{"bits_per_key", bits_per_key_values},
                                       SystemLever{"format_version", newest_format}};
constexpr std::array leveldb_levers = {SystemLever{"bits_per_key", whole_numbers<1, 100, 1>}};
constexpr std::array grams_levers = {SystemLever{"size_of_bloom_filter_in_bytes", byte_sizes},
                                     SystemLever{"number_of_hash_functions", from_helper}};
constexpr std::array postgres_levers = {SystemLever{"length", whole_numbers<16, 4096, 16>},
                                        SystemLever{"col", whole_numbers<1, 32, 1>}};
constexpr std::array layer_levers = {SystemLever{"p", rates_up_to},
                                     SystemLever{"capacity", room_for_keys}};
constexpr std::array nonscaling_levers = {SystemLever{"p", detail::rates_around},
                                          SystemLever{"capacity", room_for_keys}};
constexpr std::array valkey_levers = {
    SystemLever{"p", rates_up_to}, SystemLever{"capacity", room_for_keys},
    SystemLever{"bloom-memory-usage-limit", powers_of_two<30, 36>}};
constexpr std::array lucene_levers = {SystemLever{"targetMaxFpp", detail::rates_around}};

constexpr std::string_view split =
    "no setting of it keeps that rate: split the keys over more "
    "filters, or take a system that has the room";

}  // namespace

std::span<const System> systems() {
  static const std::array all = {
      System{.name = "parquet",
             .rule =
                 "blocks of 8 x 32 bits; -8 n / ln(1 - p^(1/8)) bits, up to a power of two, from "
                 "32 bytes to max_bytes; with ndv=none max_bytes, whatever n and p are",
             .source = "parquet-java .../bloomfilter/BlockSplitBloomFilter.java 069cc222; Arrow "
                       "cpp/src/parquet/bloom_filter.h 04448714",
             .comment = "k is always 8: one bit in each of the 8 words of a key's block",
             .default_p = 0.01,
             .settings = parquet_settings,
             .size = size_parquet,
             .levers = parquet_levers,
             .line = "parquet.bloom.filter.enabled#COLUMN=true; "
                     "parquet.bloom.filter.expected.ndv#COLUMN={n}; "
                     "parquet.bloom.filter.fpp#COLUMN={p}; parquet.bloom.filter.max.bytes={bytes}",
             .no_line = "no setting of it keeps that rate in 128 MiB: write smaller row groups"},
      System{.name = "arrow",
             .rule = "8 bits per row, at least 512, up to a power of two; words of 64 bits, one of "
                     "1024 masks of 4 to 5 bits in 57, rotated",
             .source = "Arrow cpp/src/arrow/acero/bloom_filter.h and .cc 2419896f",
             .comment = "a filter of hash joins, without a setting; the masks are windows of one "
                        "string of bits",
             .takes_p = false,
             .size = size_arrow,
             .line = "nothing to set: the join sizes it by its rows",
             .no_line = "nothing to set: the join sizes it by its rows"},
      System{
          .name = "spark_v1",
          .rule = "floor(-n ln p / ln^2 2) bits in words of 64, k = round(m/n ln 2), at least 1; "
                  "positions h1 + i h2 in 32 bits",
          .source = "Spark common/sketch/.../BloomFilter.java 013bfe4f, BloomFilterImpl.java "
                    "0314963e",
          .comment = "positions are non-negative 32-bit integers: 2^31 bits are reachable, however "
                     "many there are",
          .default_p = 0.03,
          .size = size_spark_v1,
          .levers = rate_lever,
          .line = "BloomFilter.create({n}L, {p})",
          .no_line = "BloomFilter.create(BloomFilter.Version.V2, {n}L, {p}, 0): only version 2 "
                     "reaches beyond 2^31 bits"},
      System{.name = "spark_v2",
             .rule = "m and k as spark_v1, with positions in 64 bits",
             .source = "Spark common/sketch/.../BloomFilterImplV2.java 013bfe4f",
             .comment = "newer releases' second version: the same size, every bit reachable",
             .default_p = 0.03,
             .size = size_spark_v2,
             .levers = rate_lever,
             .line = "BloomFilter.create(BloomFilter.Version.V2, {n}L, {p}, 0)",
             .no_line = split},
      System{
          .name = "hudi",
          .rule = "ceil(-num_entries ln p / ln^2 2) bits as an int, k = ceil(ln 2 m/num_entries); "
                  "DYNAMIC_V0: beyond num_entries equal layers up to max_entries, then in turn",
          .source = "Hudi hudi-common/.../BloomFilterUtils.java 9eda1655, HashFunction.java "
                    "177f31d0, InternalDynamicBloomFilter.java 46d59972",
          .comment = "the layers of DYNAMIC_V0 are not tightened: the rate grows with their number",
          .default_p = 1e-9,
          .settings = hudi_settings,
          .size = size_hudi,
          .levers = hudi_levers,
          .line = "hoodie.index.bloom.num_entries={num_entries}; hoodie.index.bloom.fpp={p}; "
                  "hoodie.bloom.index.filter.type={type}; "
                  "hoodie.bloom.index.filter.dynamic.max.entries={max_entries}",
          .no_line = split},
      System{
          .name = "hbase",
          .rule = "chunks of 131072 bytes; k = ceil(ln 2 floor(m/keys)) with keys for a real k; as "
                  "many keys as that k keeps p with; the last one folded while less than half full",
          .source = "HBase hbase-server/.../BloomFilterUtil.java, BloomFilterChunk.java 07739e11",
          .comment = "a lookup goes to the chunk of its range",
          .default_p = 0.01,
          .settings = hbase_settings,
          .size = size_hbase,
          .levers = hbase_levers,
          .line = "io.storefile.bloom.error.rate={p}; io.storefile.bloom.block.size={block_size}",
          .no_line = split},
      System{.name = "iceberg",
             .rule = "parquet-java's filter without a number of distinct values: always max_bytes",
             .source =
                 "parquet-java .../BlockSplitBloomFilter.java 069cc222 with Iceberg's defaults; "
                 "inferred, Iceberg's own text was not read",
             .comment = "p has no effect; newer releases have "
                        "write.parquet.bloom-filter-ndv.column.COLUMN, which sizes as parquet does",
             .default_p = 0.01,
             .settings = iceberg_settings,
             .size = size_iceberg,
             .levers = iceberg_levers,
             .line = "write.parquet.bloom-filter-max-bytes={max_bytes}",
             .no_line = "no setting of it keeps that rate in 128 MiB: write smaller row groups"},
      System{
          .name = "cassandra",
          .rule =
              "whole bits per key, the fewest from 2 to 20 whose printed rate with the best k is "
              "at most p, then the fewest probes; 20 bits more, in words of 64",
          .source = "Cassandra utils/BloomCalculations.java 07cf56f2, FilterFactory.java 02fb2189, "
                    "OffHeapBitSet.java 02c34893",
          .comment = "from 0.393 on two arguments are swapped: 74.8 %; below 6.71e-05 it refuses",
          .default_p = 0.01,
          .size = size_cassandra,
          .levers = rate_lever,
          .line = "ALTER TABLE t WITH bloom_filter_fp_chance = {p};",
          .no_line =
              "bloom_filter_fp_chance = 0.0000671 is its lowest; no setting keeps that rate"},
      System{
          .name = "scylla",
          .rule =
              "as cassandra: whole bits per key by the printed table, 20 bits more, in words of 64",
          .source = "Scylla utils/bloom_calculations.hh 0b2ba53e, bloom_filter.cc 0bcce35a",
          .comment = "the same table and the same swap; the filter is built anew at sealing where "
                     "the number of keys was far off",
          .default_p = 0.01,
          .size = size_scylla,
          .levers = rate_lever,
          .line = "ALTER TABLE t WITH bloom_filter_fp_chance = {p};",
          .no_line =
              "bloom_filter_fp_chance = 0.0000671 is its lowest; no setting keeps that rate"},
      System{
          .name = "rocksdb",
          .rule =
              "lines of 512 bits, n bits_per_key bits in whole lines, k from a table by "
              "bits_per_key; format_version below 5: whole bits, k = floor(.69 c), an odd number "
              "of lines, 32 bits of hash",
          .source = "RocksDB util/bloom_impl.h 0e0b5305, table/block_based/filter_policy.cc "
                    "007cf9a7",
          .comment = "bits_per_key is set, not a rate",
          .takes_p = false,
          .settings = rocksdb_settings,
          .size = size_rocksdb,
          .levers = rocksdb_levers,
          .line = "table_options.format_version = {format_version}; "
                  "table_options.filter_policy.reset(NewBloomFilterPolicy({bits_per_key}));",
          .no_line = split},
      System{.name = "rocksdb_ribbon",
             .rule =
                 "columns for the rate of the Bloom filter that it replaces, slots by a table and "
                 "0.97149 + .0038 log2 slots; the Bloom filter for few keys and beyond 950 million",
             .source =
                 "RocksDB table/block_based/filter_policy.cc, util/ribbon_config.cc 36e2977c, "
                 "util/ribbon_impl.h 02f51b61",
             .comment =
                 "its goal is the Bloom filter's rate by a shortcut, a little below the true one",
             .takes_p = false,
             .settings = rocksdb_settings,
             .size = size_rocksdb_ribbon,
             .levers = rocksdb_levers,
             .line = "table_options.format_version = {format_version}; "
                     "table_options.filter_policy.reset(NewRibbonFilterPolicy({bits_per_key}));",
             .no_line = split},
      System{.name = "leveldb",
             .rule =
                 "max(64, n bits_per_key) bits in bytes, k = floor(.69 bits_per_key) in 1..30, one "
                 "hash of 32 bits with its rotation by 17 as the stride",
             .source = "LevelDB util/bloom.cc 0e88e33b",
             .comment = "a stride that is made from the first position: at 100 000 keys and 15 "
                        "bits per key 3.3 "
                        "times the rate of independent positions, at 10 bits 1.7 times",
             .takes_p = false,
             .settings = leveldb_settings,
             .size = size_leveldb,
             .levers = leveldb_levers,
             .line = "options.filter_policy = leveldb::NewBloomFilterPolicy({bits_per_key});",
             .no_line = split},
      System{.name = "clickhouse_bloom",
             .rule =
                 "from a table of whole bits and probes the fewest bits up to 19, then the fewest "
                 "probes; ceil(n bits / 8) bytes per granule; 2 bits and 2 probes from p = .283 on",
             .source = "ClickHouse src/Interpreters/BloomFilterHash.h 04faa691, "
                       "MergeTreeIndexBloomFilter.cpp 0003892b",
             .comment = "n is the number of distinct values in a granule; no rate below .000109",
             .default_p = 0.025,
             .size = size_clickhouse_bloom,
             .levers = rate_lever,
             .line = "INDEX i COLUMN TYPE bloom_filter({p}) GRANULARITY 1",
             .no_line = "bloom_filter(0.00011) is its lowest: no setting keeps that rate"},
      System{
          .name = "clickhouse_ngram",
          .rule = "bytes and k as given; h1 + i h2 + i^2 modulo the bits",
          .source = "ClickHouse src/Interpreters/BloomFilter.cpp 02730179",
          .comment = "two of the four documented helper functions take bytes where bits are meant",
          .settings = grams_settings,
          .size = size_clickhouse_grams,
          .levers = grams_levers,
          .line = "INDEX i COLUMN TYPE ngrambf_v1(4, {bytes}, {k}, 0) GRANULARITY 1",
          .no_line = split},
      System{
          .name = "clickhouse_token",
          .rule = "bytes and k as given, as clickhouse_ngram",
          .source = "ClickHouse src/Interpreters/BloomFilter.cpp 02730179",
          .comment = "two of the four documented helper functions take bytes where bits are meant",
          .settings = grams_settings,
          .size = size_clickhouse_grams,
          .levers = grams_levers,
          .line = "INDEX i COLUMN TYPE tokenbf_v1({bytes}, {k}, 0) GRANULARITY 1",
          .no_line = split},
      System{
          .name = "postgres_bloom",
          .rule = "a signature of length bits, up to a multiple of 16, for every row; col bits for "
                  "every column; a query tests the bits of its columns",
          .source = "PostgreSQL contrib/bloom/blutils.c 18267e04",
          .comment = "the manual's length = 200 is 208 bits; its one query is not the mean",
          .takes_p = false,
          .default_n = 10'000'000,
          .settings = postgres_settings,
          .size = size_postgres_bloom,
          .levers = postgres_levers,
          .line = "CREATE INDEX ON t USING bloom (c1, c2, ...) WITH (length={length}, col1={col}, "
                  "col2={col}, ...);",
          .no_line =
              "no length and no bits per column keep that rate: name more columns in a query"},
      System{.name = "redis",
             .rule =
                 "layer i takes capacity expansion^i keys at p/2^(i+1): floor(keys bits_per_key) "
                 "bits in words of 64, k = ceil(ln 2 bits_per_key)",
             .source = "RedisBloom deps/bloom/bloom.c 0aeb4b2f, src/sb.c 03077b46",
             .comment = "just after growing the memory is a multiple of an exact filter's",
             .default_p = 0.01,
             .settings = redis_settings,
             .size = size_redis,
             .levers = layer_levers,
             .line = "BF.RESERVE key {p} {capacity} EXPANSION {expansion}",
             .no_line = split},
      System{.name = "redis_nonscaling",
             .rule = "one layer at p itself: floor(capacity bits_per_key) bits in words of 64, k = "
                     "ceil(ln 2 bits_per_key)",
             .source = "RedisBloom deps/bloom/bloom.c 0aeb4b2f, src/sb.c 03077b46",
             .comment = "an error when it is full",
             .default_p = 0.01,
             .settings = nonscaling_settings,
             .size = size_redis_nonscaling,
             .levers = nonscaling_levers,
             .line = "BF.RESERVE key {p} {capacity} NONSCALING",
             .no_line = split},
      System{.name = "valkey",
             .rule =
                 "layer i takes capacity expansion^i keys at p tightening^i: ceil(-keys ln p / (8 "
                 "ln^2 2)) bytes, k = round(ln 2 m/keys), at least 1; positions a, b, then a + i b "
                 "modulo 2^64 - 59",
             .source =
                 "valkey-bloom src/bloom/utils.rs 03edcf73, which sizes by the crate bloomfilter",
             .comment = "the first layer has p itself: up to 2 p in all by its formula",
             .default_p = 0.01,
             .settings = valkey_settings,
             .size = size_valkey,
             .levers = valkey_levers,
             .line =
                 "CONFIG SET bf.bloom-memory-usage-limit {bloom-memory-usage-limit}; BF.RESERVE "
                 "key {p} {capacity} EXPANSION {expansion}",
             .no_line = split},
      System{.name = "guava",
             .rule = "floor(-n ln p / ln^2 2) bits in words of 64, k = round(log2 1/p), at least 1",
             .source = "Guava guava/.../hash/BloomFilter.java 008e78e7, BloomFilterStrategies.java "
                       "0d6dbae8; the strategy by release: google/guava issue 1119, "
                       "dropwizard pull request 619",
             .comment = "128 bits of hash; older releases take k from m/n",
             .default_p = 0.03,
             .settings = guava_settings,
             .size = size_guava,
             .levers = rate_lever,
             .line = "BloomFilter.create(funnel, {n}L, {p})",
             .no_line = split},
      System{.name = "redisson",
             .rule =
                 "floor(-n ln p / ln^2 2) bits, at most 2^32 - 2, k = round(m/n ln 2), at least 1; "
                 "positions a, a + b, 2a + b, 2a + 2b, 3a + 2b, ... in 63 bits",
             .source = "Redisson redisson/.../RedissonBloomFilter.java 017b8306",
             .comment =
                 "128 bits of HighwayHash, added in turn: every second position is a multiple "
                 "of a + b",
             .default_p = 0.03,
             .size = size_redisson,
             .levers = rate_lever,
             .line = "RBloomFilter<T> f = redisson.getBloomFilter(name); f.tryInit({n}L, {p});",
             .no_line = split},
      System{.name = "boost",
             .rule =
                 "the least bits per key whose Poisson formula for filter<T, K, Subfilter> is at "
                 "most p, in whole subfilters",
             .source = "Boost.Bloom include/boost/bloom/detail/core.hpp 021f91bb",
             .comment = "its formula is low for small blocks: 3 to 9 % at 64 bits",
             .settings = boost_settings,
             .size = size_boost,
             .levers = rate_lever,
             .line = "boost::bloom::filter<T, K, {subfilter}> f({n}, {p}); // {k} probes in all",
             .no_line = split},
      System{
          .name = "lucene",
          .rule =
              "for .1023: the largest 2^j - 1 up to twice ceil(-n ln p / ln^2 2) as an int, k = "
              "round(m/n ln 2)",
          .source = "Lucene codecs/.../bloom/FuzzySet.java 057b0e2f",
          .comment = "the rate is fixed in the code; from 226 million documents on the doubled int "
                     "wraps",
          .takes_p = false,
          .settings = lucene_settings,
          .size = size_lucene,
          .levers = lucene_levers,
          .line = "FuzzySet.createOptimalSet(maxDoc, {targetMaxFpp}f) in a BloomFilterFactory of "
                  "your own",
          .no_line = split},
  };
  return all;
}

}  // namespace bloomlab::planner
