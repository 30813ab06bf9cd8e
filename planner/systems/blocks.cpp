// Systems whose filter keeps a key in one block: Parquet and what writes it, RocksDB, Boost.Bloom;
// and RocksDB's Ribbon filter, which is asked for by the bits per key of the Bloom filter that it
// replaces.

#include <array>
#include <bit>
#include <cctype>

#include "core/theory/blocked.hpp"
#include "core/theory/double_hashing.hpp"
#include "core/theory/hash_width.hpp"
#include "core/theory/loads.hpp"
#include "planner/systems/common.hpp"

namespace bloomlab::planner {
namespace {

constexpr std::uint64_t lanes = 8;
constexpr std::uint64_t lane_bits = 32;
constexpr std::uint64_t split_block_bits = lanes * lane_bits;

/// The rate with what equal halves of the hash add: all positions in a block come from 32 bits of
/// it, so that a key of the block that has those of the query is enough. @param load keys per block
double with_equal_halves(double rate, double load) {
  const double equal = -std::expm1(-load * 0x1p-32);
  return equal + (1.0 - equal) * rate;
}

SystemFilter split_block_filter(const SystemRequest& request, std::uint64_t m, double unrounded) {
  const std::uint64_t n = request.n();
  const double load = static_cast<double>(split_block_bits) * static_cast<double>(n) / unrounded;
  SystemFilter filter{.m = m, .k = lanes, .layout = "split_block"};
  filter.rate_unrounded = [=] {
    return with_equal_halves(theory::poisson_split_block_fpr(load, lanes, lane_bits), load);
  };
  filter.rate = [=] {
    const std::uint64_t blocks = m / split_block_bits;
    return with_equal_halves(theory::split_block_fpr(blocks, lanes, lane_bits, n),
                             static_cast<double>(n) / static_cast<double>(blocks));
  };
  return filter;
}

/// Both libraries' initial size in bytes, a power of two between 32 bytes and the cap.
std::uint64_t rounded_bytes(std::uint64_t bytes, std::uint64_t most) {
  return std::min(std::bit_ceil(std::max<std::uint64_t>(bytes, 32)), most);
}

std::uint64_t parquet_cap(const SystemRequest& request, std::uint64_t usual) {
  constexpr std::uint64_t most = std::uint64_t{128} << 20;
  const std::uint64_t bytes =
      request.word("max_bytes").empty() ? usual : request.count("max_bytes");
  if (bytes < 32 || bytes > most || bytes % 32 != 0) {
    throw detail::no_answer(request, "max_bytes: found \"" + request.word("max_bytes") +
                                         "\"; a multiple of 32 from 32 to 134217728 is allowed");
  }
  return bytes;
}

/// What parquet-java makes of so many bits: it means to go up to a multiple of 256, but clears the
/// bit of 256 instead of the lower ones. Just below a power of two the size doubles by it.
std::uint64_t java_bits(double wanted) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30;
  const std::uint64_t bits =
      wanted >= static_cast<double>(most) ? most : static_cast<std::uint64_t>(wanted);
  return std::max((bits + split_block_bits - 1) & ~split_block_bits, split_block_bits);
}

/// Thousandths of a bit per key up to which RocksDB takes 1, 2, ... probes.
constexpr std::array<std::uint64_t, 12> probe_limits = {2080,  3580,  5100,  6640,  8300,  10070,
                                                        11720, 14001, 16050, 18300, 22001, 25501};

constexpr std::uint64_t line_bits = 512;

SystemFilter no_filter(const SystemRequest& request) {
  SystemFilter filter{.m = 0, .k = 0, .layout = "none"};
  filter.rate = filter.rate_unrounded = [] { return 1.0; };
  filter.remark = std::string(request.system().name) + " builds no filter below 0.5 bits per key";
  return filter;
}

/// Lines of format_version 5 and later: any number of them, 64 bits of hash.
SystemFilter fast_local(const SystemRequest& request, std::uint64_t millibits) {
  constexpr std::uint64_t most_lines = std::uint64_t{0xffffffc0} / 64;
  const std::uint64_t n = request.n();
  const double wanted = std::ceil(static_cast<double>(n) * static_cast<double>(millibits) /
                                  (1000.0 * static_cast<double>(line_bits)));
  const bool capped = wanted > static_cast<double>(most_lines);
  const std::uint64_t lines = capped ? most_lines : static_cast<std::uint64_t>(wanted);
  const std::uint64_t k = rocksdb_probes(millibits);
  const double load = static_cast<double>(line_bits) * 1000.0 / static_cast<double>(millibits);
  SystemFilter filter{.m = lines * line_bits, .k = k, .layout = "blocked"};
  filter.rate_unrounded = [=] {
    return with_equal_halves(theory::poisson_blocked_fpr(load, line_bits, k), load);
  };
  filter.rate = [=] {
    return with_equal_halves(theory::blocked_fpr(lines, line_bits, n, k),
                             static_cast<double>(n) / static_cast<double>(lines));
  };
  filter.stated_rate = rocksdb_stated_rate(static_cast<double>(millibits) / 1000.0, k);
  filter.remark = "all k positions in one cache line: more false positives than a standard filter";
  constexpr std::uint64_t notable = 50'000;  // thousandths of a bit per key
  if (millibits >= notable) {
    filter.remark +=
        "; they come from 32 bits of the hash: the rate stays above keys per line / 2^32";
  }
  if (capped) filter.remark = "cut at 4 GiB, the most that one of its filters takes";
  return filter;
}

/// Before format_version 5: whole bits per key, an odd number of lines, one hash of 32 bits, of
/// which a rotation is the stride in the line.
SystemFilter legacy_local(const SystemRequest& request, std::uint64_t bits_per_key) {
  const std::uint64_t n = request.n();
  const std::uint64_t bits =
      detail::whole_bits(request, static_cast<double>(n) * static_cast<double>(bits_per_key));
  const std::uint64_t lines = (bits + line_bits - 1) / line_bits | 1U;
  const auto k = std::clamp<std::uint64_t>(
      static_cast<std::uint64_t>(static_cast<double>(bits_per_key) * 0.69), 1, 30);
  const auto rate_of = [=](std::uint64_t blocks, double error) {
    const auto floor = theory::hash_width_rate(32, n, blocks * line_bits, k);
    const std::uint64_t different = theory::different_hashes(32, n);
    const double inner = k <= theory::most_double_hashing_probes
                             ? theory::blocked_double_hashing_fpr(blocks, line_bits, different, k,
                                                                  theory::Stride::any)
                                   .rate
                             : theory::strided_lines_fpr(blocks, different, k, error);
    return floor.collision + (1.0 - floor.collision) * inner;
  };
  SystemFilter filter{.m = lines * line_bits, .k = k, .layout = "blocked"};
  filter.rate_unrounded = [=] {
    return rate_of(std::max<std::uint64_t>(bits / line_bits, 1), detail::fine_error);
  };
  filter.rate = [=] { return rate_of(lines, detail::fine_error); };
  if (k > theory::most_double_hashing_probes) {
    filter.rate_within = [=](double error) { return rate_of(lines, error); };
  }
  filter.remark =
      "one hash of 32 bits: equal hashes alone give n/2^32; one stride in 512 is 0, with one "
      "position instead of k";
  if (bits >> 32U != 0) filter.refused = "its 32-bit number of bits wraps";
  return filter;
}

/// The subfilter of Boost.Bloom as its type says: block<uint64_t,5>, multiblock<uint32_t,8>.
struct Subfilter {
  bool many = false;         ///< multiblock: one bit in each of K' blocks
  std::uint64_t bits = 8;    ///< of the unit that is picked
  std::uint64_t probes = 1;  ///< K'
};

[[noreturn]] void refuse_subfilter(const SystemRequest& request) {
  throw detail::no_answer(request, "subfilter: found \"" + request.word("subfilter") +
                                       "\"; block<T,K> or multiblock<T,K> with T = unsigned char, "
                                       "uint8_t to uint64_t, or such as uint64_t[8], is allowed");
}

std::uint64_t digits_at(const SystemRequest& request, const std::string& text) {
  if (text.empty() || text.size() > 3 ||
      !std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; })) {
    refuse_subfilter(request);
  }
  return std::stoull(text);
}

Subfilter subfilter_of(const SystemRequest& request) {
  std::string text = request.word("subfilter");
  std::erase(text, ' ');
  Subfilter result;
  if (text.starts_with("multi")) {
    result.many = true;
    text.erase(0, 5);
  }
  const std::size_t comma = text.rfind(',');
  if (!text.starts_with("block<") || !text.ends_with(">") || comma == std::string::npos) {
    refuse_subfilter(request);
  }
  result.probes = digits_at(request, text.substr(comma + 1, text.size() - comma - 2));
  std::string type = text.substr(6, comma - 6);
  std::uint64_t elements = 1;
  if (const std::size_t bracket = type.find('['); bracket != std::string::npos) {
    if (!type.ends_with("]")) refuse_subfilter(request);
    elements = digits_at(request, type.substr(bracket + 1, type.size() - bracket - 2));
    type.resize(bracket);
  }
  if (type.starts_with("std::")) type.erase(0, 5);
  const std::array<std::pair<std::string_view, std::uint64_t>, 5> types = {
      {{"unsignedchar", 8}, {"uint8_t", 8}, {"uint16_t", 16}, {"uint32_t", 32}, {"uint64_t", 64}}};
  const auto* const found =
      std::ranges::find(types, std::string_view(type), [](const auto& one) { return one.first; });
  if (found == types.end()) refuse_subfilter(request);
  result.bits = found->second * elements;
  if (result.probes == 0 || result.probes > 64 || elements == 0) refuse_subfilter(request);
  return result;
}

/// Its own formula for c bits per key: a Poisson load, then the classic rate of a full unit.
double boost_formula(double c, std::uint64_t k, const Subfilter& unit) {
  const std::uint64_t picked = unit.many ? unit.bits * unit.probes : unit.bits;
  const auto width = static_cast<double>(picked);
  const auto probes = static_cast<double>(unit.probes);
  const double load = width * static_cast<double>(k) / c;
  const double miss = unit.many ? std::log1p(-probes / width) : probes * std::log1p(-1.0 / width);
  double sum = 0.0;
  double before = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const double term = std::exp(i * std::log(load) - load - std::lgamma(i + 1.0)) *
                        std::pow(-std::expm1(i * miss), probes);
    if (term < before && sum + term == sum) break;
    before = term;
    sum += term;
  }
  const double all = static_cast<double>(k) * probes;
  return std::max(std::pow(sum, static_cast<double>(k)), std::pow(-std::expm1(-all / c), all));
}

/// The least c whose formula is at most p, by its bisection.
double boost_bits_per_key(double p, std::uint64_t k, const Subfilter& unit) {
  const double all = static_cast<double>(k) * static_cast<double>(unit.probes);
  const double least = -std::log(-std::expm1(std::log(p) / all));
  double low = all / least;
  double high = low;
  if (boost_formula(high, k, unit) > p) {
    do {
      low = high;
      high *= 1.5;
    } while (boost_formula(high, k, unit) > p && high < 1e9);
  } else {
    do {
      high = low;
      low /= 1.5;
    } while (boost_formula(low, k, unit) < p && low > 1e-9);
  }
  while (true) {
    const double middle = low + (high - low) / 2.0;
    if (!(middle > low && middle < high)) return middle;
    (boost_formula(middle, k, unit) > p ? low : high) = middle;
  }
}

constexpr std::uint64_t row_bits = 128;  ///< a row of coefficients, and a segment

/// Keys that so many slots (2^8, 2^9, ... 2^17) take with one failure in twenty.
constexpr std::array<double, 10> known_keys = {248.851, 499.532, 1001.26, 2003.97, 4005.59,
                                               8000.39, 15966.6, 31828.1, 63447.3, 126506.0};
constexpr std::uint64_t first_known = 8;
constexpr std::uint64_t last_known = first_known + known_keys.size() - 1;

/// Keys for 2^j slots; 0 below the smallest.
double keys_of_slots(std::uint64_t log2_slots) {
  if (log2_slots < first_known) return 0.0;
  if (log2_slots <= last_known) return known_keys[log2_slots - first_known];
  constexpr double per_doubling = 0.0038;
  const double slots = std::ldexp(1.0, static_cast<int>(log2_slots));
  const double known = std::ldexp(1.0, static_cast<int>(last_known)) / known_keys.back();
  const double more = static_cast<double>(log2_slots - last_known) * per_doubling;
  return slots / (known + more);
}

/// Slots for n keys, in whole rows; at least two of them.
std::uint64_t slots_of(std::uint64_t n) {
  auto log2_slots = static_cast<std::uint64_t>(std::log2(static_cast<double>(n)) + 0.5);
  double lower = keys_of_slots(log2_slots);
  if (log2_slots == 0 || lower == 0.0) return 2 * row_bits;
  double upper = 0.0;
  const auto keys = static_cast<double>(n);
  if (keys < lower) {
    upper = lower;
    lower = keys_of_slots(--log2_slots);
  } else {
    upper = keys_of_slots(log2_slots + 1);
  }
  const double whole = std::ldexp(1.0, static_cast<int>(log2_slots));
  const auto slots =
      static_cast<std::uint64_t>((keys - lower) / (upper - lower) * whole + whole + 0.999999999);
  return std::max((slots + row_bits - 1) / row_bits * row_bits, 2 * row_bits);
}

/// Columns of bits: the lower blocks have one less than the upper ones.
struct Columns {
  std::uint64_t upper = 0;
  std::uint64_t blocks = 0;
  std::uint64_t lower_blocks = 0;

  [[nodiscard]] std::uint64_t bits() const { return (blocks * upper - lower_blocks) * row_bits; }
  [[nodiscard]] double rate() const {
    const double starts = static_cast<double>(blocks * row_bits - row_bits + 1);
    const double lower = std::min(static_cast<double>(lower_blocks * row_bits) / starts, 1.0);
    return std::ldexp(1.0 + lower, -static_cast<int>(upper));
  }
};

/// Its rounding takes a random half; here the middle.
Columns columns_for(std::uint64_t slots, double rate) {
  constexpr std::uint64_t most = 32;
  Columns columns{.upper = most, .blocks = slots / row_bits};
  if (1.0 / rate > 4294967295.0) return columns;
  const double whole = std::floor(1.0 / rate);
  columns.upper = static_cast<std::uint64_t>(std::ilogb(whole)) + 1;
  const double finest = std::ldexp(1.0, -static_cast<int>(columns.upper));
  const double starts = static_cast<double>(slots - row_bits + 1);
  columns.lower_blocks = static_cast<std::uint64_t>(((rate - finest) / finest * starts + 0.5) /
                                                    static_cast<double>(row_bits));
  return columns;
}

}  // namespace

std::uint64_t rocksdb_probes(std::uint64_t millibits_per_key) {
  constexpr std::uint64_t many = 50000;
  const auto* const limit = std::ranges::lower_bound(probe_limits, millibits_per_key);
  if (limit != probe_limits.end()) {
    return static_cast<std::uint64_t>(limit - probe_limits.begin()) + 1;
  }
  return millibits_per_key > many ? 24 : (millibits_per_key - 1) / 2000 - 1;
}

double rocksdb_stated_rate(double bits_per_key, std::uint64_t k) {
  const double load = static_cast<double>(line_bits) / bits_per_key;
  const double spread = std::sqrt(load);
  const auto standard = [k](double bits) {
    const auto probes = static_cast<double>(k);
    return std::pow(1.0 - std::exp(-probes / bits), probes);
  };
  return (standard(static_cast<double>(line_bits) / (load + spread)) +
          standard(static_cast<double>(line_bits) / (load - spread))) /
         2.0;
}

std::uint64_t rocksdb_millibits(const SystemRequest& request) {
  const double given = request.number("bits_per_key");
  if (given < 0.5) return 0;
  if (given > 100.0) {
    throw detail::no_answer(request,
                            "bits_per_key: found \"" + request.word("bits_per_key") +
                                "\"; it takes anything above 100 as 100; give at most 100");
  }
  return static_cast<std::uint64_t>(std::max(given, 1.0) * 1000.0 + 0.500001);
}

SystemFilter size_parquet(const SystemRequest& request) {
  const std::string writer = request.word("writer");
  if (writer != "cpp" && writer != "java") {
    throw detail::no_answer(request, "writer: found \"" + writer + "\"; cpp or java is allowed");
  }
  if (request.word("ndv") == "none") {
    SystemFilter filter = size_iceberg(request);
    filter.line =
        "parquet.bloom.filter.enabled#COLUMN=true; parquet.bloom.filter.max.bytes={bytes}";
    return filter;
  }
  if (request.word("ndv") != "given") {
    throw detail::no_answer(request,
                            "ndv: found \"" + request.word("ndv") + "\"; given or none is allowed");
  }
  const double wanted = -8.0 * static_cast<double>(request.n()) /
                        std::log(1.0 - std::pow(request.p(), 1.0 / static_cast<double>(lanes)));
  constexpr std::uint64_t largest = std::uint64_t{128} << 20;
  const std::uint64_t given = parquet_cap(request, largest);
  const bool ignored = writer == "java" && given == 32;  // a maximum there is above 32
  const std::uint64_t cap = ignored ? largest : given;
  const bool cut = wanted > static_cast<double>(8 * cap);
  const double bits = writer == "java" ? static_cast<double>(java_bits(wanted)) : wanted;
  const std::uint64_t bytes =
      bits >= static_cast<double>(8 * cap)
          ? cap
          : rounded_bytes(writer == "java" ? static_cast<std::uint64_t>(bits) / 8
                                           : (static_cast<std::uint64_t>(bits) + 7) / 8,
                          cap);
  SystemFilter filter = split_block_filter(request, 8 * bytes, wanted);
  filter.stated_rate = theory::approx_fpr(8 * bytes, request.n(), lanes);
  filter.remark =
      "sized as if a standard filter with k = 8; only the rounding up to a power of two can make "
      "up for the blocks";
  if (ignored) {
    filter.remark = "parquet-java takes a maximum only if it is above 32 bytes: 32 has no effect";
  } else if (cut) {
    filter.remark = "cut at " + std::to_string(cap) + " bytes: too small for so many keys";
  } else if (bytes > (std::uint64_t{1} << 20)) {
    filter.remark += "; parquet-java cuts at parquet.bloom.filter.max.bytes, 1048576 unless set";
  }
  return filter;
}

SystemFilter size_iceberg(const SystemRequest& request) {
  const std::uint64_t cap = parquet_cap(request, std::uint64_t{1} << 20);
  const std::uint64_t m = 8 * rounded_bytes(cap, cap);
  SystemFilter filter = split_block_filter(request, m, static_cast<double>(m));
  filter.rate_unrounded = filter.rate;
  filter.remark = "without a number of distinct values p has no effect: always max_bytes";
  return filter;
}

SystemFilter size_rocksdb(const SystemRequest& request) {
  const std::uint64_t millibits = rocksdb_millibits(request);
  if (millibits == 0) return no_filter(request);
  constexpr std::uint64_t new_format = 5;
  if (request.count("format_version") >= new_format) return fast_local(request, millibits);
  return legacy_local(request, std::max<std::uint64_t>((millibits + 500) / 1000, 1));
}

SystemFilter size_boost(const SystemRequest& request) {
  constexpr std::uint64_t byte = 8;
  const std::uint64_t n = request.n();
  const double p = request.p();
  const Subfilter unit = subfilter_of(request);
  const double usual = detail::java_round(-std::log2(p) / static_cast<double>(unit.probes));
  const std::uint64_t k =
      request.word("k").empty() ? detail::whole_probes(request, usual) : request.count("k");
  const std::uint64_t picked = unit.many ? unit.bits * unit.probes : unit.bits;
  if (k * unit.probes > theory::max_exact_probes || picked > theory::most_block_bits) {
    throw detail::no_answer(request, "more than 256 probes; give a smaller k or subfilter");
  }
  const double c = boost_bits_per_key(p, k, unit);
  const std::uint64_t wanted =
      std::max<std::uint64_t>(detail::whole_bits(request, c * static_cast<double>(n)), 1);
  const std::uint64_t blocks = (wanted + picked - 1) / picked;
  SystemFilter filter{.m = blocks * picked, .k = k * unit.probes};
  const auto standard = [=](std::uint64_t m) { return theory::exact_fpr(m, n, k); };
  const auto in_blocks = [=](double load) {
    const double one = unit.many ? theory::poisson_split_block_fpr(load, unit.probes, unit.bits)
                                 : theory::poisson_blocked_fpr(load, unit.bits, unit.probes);
    return std::pow(one, static_cast<double>(k));
  };
  if (unit.probes == 1 && picked == byte) {
    filter.rate_unrounded = [=] { return standard(wanted); };
    filter.rate = [=, m = filter.m] { return standard(m); };
  } else {
    filter.layout = unit.many ? "split_block" : "blocked";
    const double picks = static_cast<double>(k) * static_cast<double>(n);
    filter.rate_unrounded = [=] {
      return in_blocks(picks * static_cast<double>(picked) / (c * static_cast<double>(n)));
    };
    filter.rate = [=] {
      if (k > 1) return in_blocks(picks / static_cast<double>(blocks));
      return unit.many ? theory::split_block_fpr(blocks, unit.probes, unit.bits, n)
                       : theory::blocked_fpr(blocks, unit.bits, n, unit.probes);
    };
  }
  filter.stated_rate =
      boost_formula(static_cast<double>(filter.m) / static_cast<double>(n), k, unit);
  filter.remark = "K is part of the type filter<T, K, Subfilter>: the owner chooses it";
  return filter;
}

SystemFilter size_rocksdb_ribbon(const SystemRequest& request) {
  constexpr std::uint64_t most_keys = 950'000'000;
  constexpr std::uint64_t few_slots = 1024;
  SystemFilter bloom = size_rocksdb(request);
  const std::uint64_t millibits = rocksdb_millibits(request);
  if (millibits == 0) return bloom;
  if (request.n() > most_keys) {
    bloom.remark = "above 950 million keys RocksDB builds its Bloom filter instead";
    return bloom;
  }
  const double wanted =
      rocksdb_stated_rate(static_cast<double>(millibits) / 1000.0, rocksdb_probes(millibits));
  const std::uint64_t slots = slots_of(request.n());
  const Columns columns = columns_for(slots, wanted);
  if (slots < few_slots && bloom.m < columns.bits()) {
    bloom.remark = "for so few keys RocksDB builds its Bloom filter instead: it is smaller";
    return bloom;
  }
  SystemFilter filter{.m = columns.bits(), .k = columns.upper, .layout = "ribbon"};
  filter.rate_unrounded = [wanted] { return wanted; };
  filter.rate = [columns] { return columns.rate(); };
  filter.stated_rate = wanted;
  filter.remark = "k counts the upper blocks' columns of bits; as precise as the Bloom filter of " +
                  request.word("bits_per_key") + " bits per key";
  return filter;
}

}  // namespace bloomlab::planner
