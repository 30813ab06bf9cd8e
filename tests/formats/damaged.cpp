// Damaged copies of saved filters: bytes altered, cut off, repeated, put in. Nothing may crash, and
// where there is a checksum nothing altered is taken for a filter. BLOOMLAB_DAMAGED_COPIES is the
// number of copies of each file (2000).

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>
#include <string>

#include "core/filters/split_block.hpp"
#include "core/keyed_filter.hpp"
#include "core/saved_filter.hpp"
#include "formats/inspection.hpp"
#include "tests/formats/support.hpp"

using namespace bloomlab;
using bloomlab::tests::fixture;

namespace {

std::string damaged(std::string bytes, std::mt19937_64& random) {
  const auto below = [&](std::size_t end) { return end == 0 ? 0 : random() % end; };
  for (std::uint64_t times = 1 + below(3); times > 0; --times) {
    // Headers are small, and where readers err: half of the damage is there, or in a footer.
    const std::size_t near = below(2) == 0 ? below(bytes.size())
                             : below(2) == 0
                                 ? below(std::min<std::size_t>(bytes.size(), 80))
                                 : bytes.size() - std::min<std::size_t>(bytes.size(), below(400));
    const std::size_t place = std::min(near, bytes.empty() ? 0 : bytes.size() - 1);
    switch (below(6)) {
      case 0:
        bytes.resize(place);
        break;
      case 1:
        bytes.insert(place, std::string(1 + below(16), static_cast<char>(random())));
        break;
      case 2:
        bytes.append(bytes.substr(place));
        break;
      case 3:
        for (std::size_t i = place; i < std::min(bytes.size(), place + 1 + below(64)); ++i) {
          bytes[i] = static_cast<char>(below(2) == 0 ? 0 : 0xff);
        }
        break;
      default:
        if (!bytes.empty()) bytes[place] = static_cast<char>(random());
    }
  }
  return bytes;
}

std::uint64_t copies() {
  const char* text = std::getenv("BLOOMLAB_DAMAGED_COPIES");
  return text == nullptr ? 2000 : std::strtoull(text, nullptr, 10);
}

/// Copies that were still taken for a filter, though a byte differs.
std::uint64_t taken(const std::string& good, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < copies(); ++i) {
    const std::string bytes = damaged(good, random);
    if (bytes == good) continue;
    try {
      const auto all = formats::inspect_bytes(std::as_bytes(std::span(bytes)), 0.01, "");
      ++count;
      for (const formats::Inspection& one : all) {
        if (one.m > 8 * bytes.size() && one.has_bits && one.wrappers.empty())
          FAIL("more bits than bytes hold");
        if (!(one.rate >= 0.0 && one.rate <= 1.0)) FAIL("a rate that is none");
      }
    } catch (const FormatError&) {
    }
  }
  return count;
}

}  // namespace

TEST_CASE("damaged copies of other programs' filters never crash", "[formats][damaged]") {
  std::uint64_t seed = 1;
  for (const char* name :
       {"guava.bloom", "bits_and_blooms.bloom", "duckdb.parquet", "parquetjs.parquet"}) {
    const std::uint64_t count = taken(fixture(name), seed++);
    INFO(name << ": " << count << " of " << copies() << " were still filters");
    // They have no checksum: altered bits are other bits. Cut off or longer they are refused.
    CHECK(count < copies() * 95 / 100);
    CHECK(count > 0);
  }
}

TEST_CASE("damaged copies of our own filters are refused, every one", "[formats][damaged]") {
  KeyedFilter<> standard({.m = 10000, .k = 7}, 5);
  KeyedFilter<XxHash3_64, SplitBlock> blocks({.m = 8192});
  for (std::uint64_t key = 0; key < 1000; ++key) {
    standard.insert(key);
    blocks.insert(key);
  }
  const auto text = [](const std::vector<std::byte>& bytes) {
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  CHECK(taken(text(saved_bytes(standard)), 11) == 0);
  CHECK(taken(text(saved_bytes(blocks)), 12) == 0);
}

TEST_CASE("damaged copies of wrapped filters, of several and of raw bits never crash",
          "[formats][damaged]") {
  using namespace bloomlab::tests;
  const std::string guava = fixture("guava.bloom");
  const std::string go = fixture("bits_and_blooms.bloom");
  const std::string good[] = {gzipped(guava),           deflated(go),       base64(guava),
                              base64_for_urls(go),      hex(guava),         base64(gzipped(go)),
                              gzipped(deflated(guava)), guava + guava + go, guava + guava};
  std::uint64_t seed = 20;
  for (const std::string& bytes : good) CHECK(taken(bytes, seed++) < copies());
  std::mt19937_64 random(seed);
  std::uint64_t read = 0;
  for (std::uint64_t i = 0; i < copies(); ++i) {
    const std::string& from = good[random() % std::size(good)];
    const std::string bytes = random() % 2 == 0 ? damaged(from, random) : from;
    const formats::RawBits raw{
        .m = 1 + (random() >> (1 + random() % 63)),
        .k = 1 + random() % max_probes,
        .offset = random() >> random() % 64,
        .order = random() % 2 == 0 ? formats::BitOrder::lsb : formats::BitOrder::msb};
    try {
      const auto all = formats::inspect_raw(std::as_bytes(std::span(bytes)), 0.01, raw);
      REQUIRE(all.size() == 1);
      ++read;
      if (!(all[0].rate >= 0.0 && all[0].rate <= 1.0 && all[0].fill <= 1.0)) {
        FAIL("a rate or a fill that is none");
      }
    } catch (const FormatError&) {
    }
  }
  CHECK(read > 0);
  CHECK(read < copies());
}
