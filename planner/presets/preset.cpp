#include "planner/presets/preset.hpp"

#include <array>
#include <vector>

#include "record/input_error.hpp"
#include "record/suggest.hpp"

namespace bloomlab::planner {

namespace {

/// Refuses a quantity that the preset's rules have no use for.
void require_no_more(const Preset& preset, const PresetRequest& request) {
  const bool bits = request.bits_per_key && preset.needs != "bits_per_key";
  const bool probes = request.k && !preset.takes_probes;
  if (!bits && !probes) return;
  throw record::InputError("--preset " + std::string(preset.name) + ": found " +
                           (bits ? "bits_per_key" : "k") + ", which its rules choose from n and " +
                           std::string(preset.needs) + "; leave it out");
}

}  // namespace

std::span<const Preset> presets() {
  static constexpr std::array all = {
      Preset{"boost",
             "m is the smallest multiple of 8 bits whose approximate rate for the chosen K is at "
             "most p; without k, K is log2(1/p) rounded",
             "Boost.Bloom 1.89 documentation, filter<T, K>::capacity_for and appendix A", "p",
             size_boost, true},
      Preset{"cassandra",
             "whole bits per key, the fewest from 2 to 20 whose rate with the best k is at most p, "
             "then the fewest probes that keep it; 20 bits more, in words of 64",
             "Apache Cassandra, BloomCalculations.java and FilterFactory.java", "p",
             size_cassandra},
      Preset{"guava", "m = floor(-n ln p / ln^2 2) in words of 64, k = round(m/n ln 2), at least 1",
             "Guava, com.google.common.hash.BloomFilter", "p", size_guava},
      Preset{"parquet",
             "blocks of 8 x 32 bits; m = -8 n / ln(1 - p^(1/8)) rounded up to a power of two, "
             "from 32 bytes to 128 MiB",
             "Apache Arrow, parquet/bloom_filter.h, OptimalNumOfBits", "p", size_parquet},
      Preset{"redis",
             "the first layer has half the rate p: -ln(p/2) / ln^2 2 bits per key in words of 64, "
             "k = ceil(bits per key ln 2)",
             "RedisBloom, src/sb.c and deps/bloom/bloom.c; command BF.RESERVE", "p", size_redis},
      Preset{"rocksdb",
             "blocks of 512 bits, m = n times bits_per_key in whole blocks, k from a table by the "
             "bits per key",
             "RocksDB, util/bloom_impl.h, FastLocalBloomImpl::ChooseNumProbes", "bits_per_key",
             size_rocksdb},
  };
  return all;
}

const Preset& preset(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Preset& one : presets()) {
    if (one.name == name) return one;
    known.push_back(one.name);
  }
  throw record::InputError("--preset: unknown system \"" + std::string(name) + "\"; " +
                           record::suggestion(name, known));
}

PresetFilter size_by(const Preset& preset, const PresetRequest& request) {
  const bool known = preset.needs == "p" ? request.p.has_value() : request.bits_per_key.has_value();
  if (request.n == 0 || !known) {
    const std::string name(preset.name);
    const std::string needs(preset.needs);
    throw record::InputError("--preset " + name + ": n and " + needs +
                             " are needed; write them as n=1M " + needs +
                             (needs == "p" ? "=1%" : "=10"));
  }
  require_no_more(preset, request);
  return preset.size(request);
}

}  // namespace bloomlab::planner
