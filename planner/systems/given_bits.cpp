// Systems whose owner gives the bits: LevelDB, ClickHouse's n-gram and token indexes, PostgreSQL.

#include "core/theory/loads.hpp"
#include "core/theory/strides.hpp"
#include "planner/systems/common.hpp"

namespace bloomlab::planner {

SystemFilter size_leveldb(const SystemRequest& request) {
  constexpr std::uint64_t least = 64;
  const std::uint64_t n = request.n();
  const std::uint64_t bits_per_key = request.count("bits_per_key");
  if (bits_per_key > 100) {
    throw detail::no_answer(request,
                            "bits_per_key: found \"" + request.word("bits_per_key") +
                                "\"; with at most 30 probes more than 100 bits per key are "
                                "of no use; give 1 to 100");
  }
  const auto k = std::clamp<std::uint64_t>(
      static_cast<std::uint64_t>(static_cast<double>(bits_per_key) * 0.69), 1, 30);
  const std::uint64_t bits = std::max(
      detail::whole_bits(request, static_cast<double>(n) * static_cast<double>(bits_per_key)),
      least);
  const std::uint64_t m = (bits + 7) / 8 * 8;
  SystemFilter filter{.m = m, .k = k};
  // h + i delta in 32 bits, delta = h turned right by 17.
  constexpr theory::StrideArithmetic turned{.word_bits = 32, .rotation = 15};
  detail::take_strides(filter, turned, n * bits_per_key, n);
  filter.double_hashing = false;
  filter.remark =
      "one hash of 32 bits: equal hashes alone give n/2^32; its rotation is the stride, so that "
      "some bits are set more often than others; a filter stands for the keys of 2 KiB of a table";
  if (n > detail::largest_int) filter.refused = "n is an int";
  return filter;
}

SystemFilter size_clickhouse_grams(const SystemRequest& request) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;
  const std::uint64_t n = request.n();
  const auto keys = static_cast<double>(n);
  const std::string given = request.word("size_of_bloom_filter_in_bytes");
  const std::string probes = request.word("number_of_hash_functions");
  // Its documented helpers: bits for p, probes for those bits.
  const double wanted =
      std::ceil(keys * std::log(request.p()) / std::log(1.0 / std::pow(2.0, detail::ln2)));
  const std::uint64_t bytes =
      given.empty() ? std::max<std::uint64_t>((detail::whole_bits(request, wanted) + 7) / 8, 1)
                    : request.count("size_of_bloom_filter_in_bytes");
  const double for_k = given.empty() ? wanted : 8.0 * static_cast<double>(bytes);
  const std::uint64_t k =
      probes.empty() ? detail::whole_probes(request, detail::java_round(for_k / keys * detail::ln2))
                     : request.count("number_of_hash_functions");
  if (k > theory::max_exact_probes) throw detail::no_answer(request, "more than 256 probes");
  if (bytes >= std::uint64_t{1} << 58U) throw detail::no_answer(request, "more than 2^58 bytes");
  const std::uint64_t m = 8 * bytes;
  const std::uint64_t unrounded =
      given.empty() ? std::max<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1) : m;
  SystemFilter filter{.m = m, .k = k};
  detail::take_strides(filter, {.word_bits = 64, .squares = true}, unrounded, n);
  // The helper for the rate divides bytes, not bits, by the keys.
  const auto hashes = static_cast<double>(k);
  filter.stated_rate =
      std::pow(1.0 - std::exp(-hashes * keys / static_cast<double>(bytes)), hashes);
  filter.remark =
      "stated is what the documented helper says, which takes bytes where bits are meant";
  if (bytes > most_bytes) filter.refused = "more than 2^30 bytes";
  return filter;
}

SystemFilter size_postgres_bloom(const SystemRequest& request) {
  constexpr std::uint64_t word = 16;
  const std::uint64_t length = request.count("length");
  const std::uint64_t columns = request.count("columns");
  const std::uint64_t per_column = request.count("col");
  const std::uint64_t queried = request.count("queried");
  if (length > 4096) throw detail::no_answer(request, "length is above 4096, the most it allows");
  if (columns > 32) throw detail::no_answer(request, "columns is above 32, the most it allows");
  if (queried > columns) {
    throw detail::no_answer(request, "queried is above columns; give at most all of them");
  }
  if (per_column >= length) {
    throw detail::no_answer(request, "col is not below length; give fewer bits per column");
  }
  const std::uint64_t draws = columns * per_column;
  const std::uint64_t query = queried * per_column;
  if (query > theory::max_exact_probes) {
    throw detail::no_answer(request, "a query of more than 256 positions");
  }
  const std::uint64_t m = (length + word - 1) / word * word;
  SystemFilter filter{.m = m, .k = query, .layout = "signature"};
  filter.rate = [=] { return theory::query_fpr(m, draws, query); };
  filter.rate_unrounded = [=] { return theory::query_fpr(length, draws, query); };
  constexpr std::uint64_t header_bytes = 6;
  filter.memory_bits = detail::whole_bits(
      request, static_cast<double>(request.n()) * static_cast<double>(m + 8 * header_bytes));
  const double rows = static_cast<double>(request.n()) * filter.rate();
  filter.remark = "m and k are of one row's signature and of a query of " +
                  std::to_string(queried) + " columns; on average " +
                  std::to_string(static_cast<std::uint64_t>(rows + 0.5)) +
                  " rows are read for nothing, over all queries: a single one has more or fewer";
  return filter;
}

}  // namespace bloomlab::planner
