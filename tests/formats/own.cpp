// Filters that this library saved: what is told of every kind of them, and what is refused.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/built.hpp"
#include "core/filters/health.hpp"
#include "core/keyed_filter.hpp"
#include "core/saved_filter.hpp"
#include "core/serialization/contents.hpp"
#include "core/type_list.hpp"
#include "formats/inspection.hpp"
#include "formats/joined.hpp"

using namespace bloomlab;
using namespace bloomlab::formats;

namespace {

constexpr std::uint64_t own_seed = 5;

template <class Filter>
auto keyed_with(const typename Filter::Parameters& parameters, std::uint64_t n) {
  using Keyed = KeyedFilter<XxHash3_64, Filter>;
  std::vector<std::uint64_t> keys(n);
  for (std::uint64_t i = 0; i < n; ++i) keys[i] = i * i + 7;
  if constexpr (Built<Filter>) {
    return Keyed::build(parameters, keys, own_seed);
  } else {
    Keyed filter(parameters, own_seed);
    for (const std::uint64_t key : keys) static_cast<void>(filter.insert(key));
    return filter;
  }
}

template <class Filter>
void check_told(const typename Filter::Parameters& parameters, std::uint64_t n) {
  const auto filter = keyed_with<Filter>(parameters, n);
  const FilterState state = filter.filter().state();
  const std::vector<std::byte> saved = saved_bytes(filter);
  std::vector<std::byte> shifted(1);
  shifted.insert(shifted.end(), saved.begin(), saved.end());
  for (const auto& bytes : {std::span(saved), std::span<const std::byte>(shifted).subspan(1)}) {
    const auto open = open_own(bytes);
    const Inspection one = open->told(std::nullopt);
    CHECK(one.format == "bloomlab");
    CHECK(one.layout == Filter::name);
    CHECK(one.m == state.bits);
    CHECK(open->bits() == state.bits);
    CHECK(one.bits_set == state.bits_set);
    CHECK(open->bits_set() == state.bits_set);
    CHECK(one.fill ==
          Approx(static_cast<double>(state.bits_set) / static_cast<double>(state.bits)));
    CHECK(one.rate == Approx(state.conditional_rate));
    CHECK(one.recorded_keys == keys_held(filter.filter()));
    CHECK(one.layers == std::max<std::size_t>(state.layers.size(), 1));
    if (!state.layers.empty()) CHECK(one.k == state.layers.front().probes);
    CHECK_FALSE(one.goal);
    CHECK_FALSE(one.capacity);
    CHECK(one.hash.rfind("xxhash3_64 seed 5", 0) == 0);
    CHECK((one.hash == "xxhash3_64 seed 5") == Filter::chooses_positions);
    if constexpr (Mergeable<Filter>) {
      CHECK(one.same_kind == "bloomlab " + one.layout + ", m = " + std::to_string(one.m) +
                                 ", k = " + std::to_string(one.k) + ", " + one.hash);
    } else {
      CHECK(one.same_kind.empty());
    }
    CHECK((open->bytes() == saved));
    const Inspection other = open->told(0.5);
    CHECK(other.goal.has_value() == Described<Filter>);
    if constexpr (Described<Filter>) {
      const FilterHealth health = health_of(filter.filter(), parameters, 0.5);
      CHECK(other.capacity == health.capacity);
      CHECK(other.keys_left == health.keys_left);
    }
  }
}

}  // namespace

TEST_CASE("of every filter that can be saved is told what it is, with keys and without",
          "[formats][own]") {
  for_each_type<Filters>([]<class Filter>(std::type_identity<Filter>) {
    if constexpr (Serializable<Filter> && (Growing<Filter> || Built<Filter>)) {
      for (const std::uint64_t n : {0U, 1U, 2U, 50U}) {
        INFO(Filter::name << " of " << n << " keys");
        check_told<Filter>(Filter::examples().front(), n);
      }
    }
  });
}

namespace {

/// A saved standard filter of which each word is `bits`, and the last one, which counts the keys,
/// `keys`; cut to so many words.
std::vector<std::byte> standard_image(std::uint64_t m, std::uint64_t bits, std::uint64_t keys,
                                      std::size_t cut = 1000) {
  const std::vector<std::byte> saved = saved_bytes(KeyedFilter<>({.m = m, .k = 3}, own_seed));
  MemorySource source(saved);
  ImageHeader header = read_header(source);
  std::vector<std::uint64_t> words((m + 63) / 64, bits);
  words.push_back(keys);
  words.resize(std::min(words.size(), cut));
  const auto contents = std::as_bytes(std::span(words));
  header.contents_bytes = contents.size();
  header.contents_checksum = checksum_of(contents);
  std::vector<std::byte> bytes = header_bytes(header);
  bytes.insert(bytes.end(), contents.begin(), contents.end());
  return bytes;
}

std::string own_refusal(std::span<const std::byte> bytes) {
  try {
    static_cast<void>(open_own(bytes));
  } catch (const FormatError& error) {
    return error.what();
  }
  return "read";
}

/// Where the bytes lie as words, and where they do not.
void check_refusals(const std::vector<std::byte>& bytes, const std::string& text) {
  CHECK(own_refusal(bytes) == text);
  std::vector<std::byte> shifted(3);
  shifted.insert(shifted.end(), bytes.begin(), bytes.end());
  CHECK(own_refusal(std::span(shifted).subspan(3)) == text);
}

}  // namespace

TEST_CASE("contents of a saved filter that are too short, too long or altered are refused",
          "[formats][own]") {
  const std::uint64_t bits = 0x1111111111111111;
  check_refusals(standard_image(192, bits, 7), "read");
  for (const std::size_t words : {0U, 1U, 2U}) {
    check_refusals(standard_image(192, bits, 7, words),
                   "contents: 24 bytes are needed, " + std::to_string(8 * words) + " are there");
  }
  check_refusals(standard_image(192, bits, 7, 3), "contents: 8 bytes are needed, 0 are left");
  std::vector<std::byte> longer = standard_image(192, bits, 7);
  longer.push_back(std::byte{0});
  check_refusals(longer, "contents: 32 bytes are expected, 33 are there");
  std::vector<std::byte> shorter = standard_image(192, bits, 7);
  shorter.pop_back();
  check_refusals(shorter, "contents: 32 bytes are expected, 31 are there");
  std::vector<std::byte> altered = standard_image(192, bits, 7);
  altered.back() ^= std::byte{1};
  check_refusals(altered, "checksum of the contents: it does not fit; they were altered");
  // Words of another kind of filter.
  std::vector<std::byte> more = standard_image(256, bits, 7);
  MemorySource source(more);
  ImageHeader header = read_header(source);
  const std::vector<std::byte> small = standard_image(192, bits, 7);
  MemorySource small_source(small);
  header.parameters = read_header(small_source).parameters;
  std::vector<std::byte> bytes = header_bytes(header);
  bytes.insert(bytes.end(), source.rest().begin(), source.rest().end());
  check_refusals(bytes, "contents: there is more than the filter has");
}

namespace {

template <class Filter>
void check_cuts(const typename Filter::Parameters& parameters) {
  const std::vector<std::byte> saved = saved_bytes(keyed_with<Filter>(parameters, 0));
  MemorySource source(saved);
  const ImageHeader whole = read_header(source);
  const std::uint64_t bits = Filter::memory_bits(parameters, 0);
  const std::size_t words = source.rest().size() / 8;
  for (std::size_t cut = words - std::min<std::size_t>(words, 100); cut < words; ++cut) {
    ImageHeader header = whole;
    const auto contents = source.rest().first(8 * cut);
    header.contents_bytes = contents.size();
    header.contents_checksum = checksum_of(contents);
    std::vector<std::byte> bytes = header_bytes(header);
    bytes.insert(bytes.end(), contents.begin(), contents.end());
    INFO(Filter::name << ", " << cut << " of " << words << " words");
    const std::string refusal = own_refusal(bytes);
    if (cut < bits / 64) {
      CHECK(refusal == "contents: " + std::to_string(bits / 8) + " bytes are needed, " +
                           std::to_string(8 * cut) + " are there");
    } else {
      CHECK(refusal != "read");
      CHECK_FALSE(refusal.ends_with(" are there"));
    }
  }
}

}  // namespace

TEST_CASE(
    "contents that are cut anywhere are refused, at once where bits of the filter are missing",
    "[formats][own]") {
  for_each_type<Filters>([]<class Filter>(std::type_identity<Filter>) {
    if constexpr (Serializable<Filter> && Built<Filter>) {
      for (const auto& parameters : Filter::examples()) check_cuts<Filter>(parameters);
    } else if constexpr (Serializable<Filter> && Growing<Filter>) {
      check_cuts<Filter>(Filter::examples().front());
    }
  });
}

TEST_CASE("names and parameters of a saved filter are those of this release", "[formats][own]") {
  const std::vector<std::byte> saved = standard_image(192, 1, 7);
  const auto with = [&](const auto& change) {
    MemorySource source(saved);
    ImageHeader header = read_header(source);
    change(header);
    std::vector<std::byte> bytes = header_bytes(header);
    bytes.insert(bytes.end(), source.rest().begin(), source.rest().end());
    return own_refusal(bytes);
  };
  CHECK(with([](ImageHeader&) {}) == "read");
  CHECK(with([](ImageHeader& header) { header.filter = "none"; }) ==
        "filter: \"none\" is none of this release");
  CHECK(with([](ImageHeader& header) { header.parameters.push_back(std::byte{0}); }) ==
        "parameters: there are too many");
  CHECK(with([](ImageHeader& header) { header.family = "none"; }) != "read");
  CHECK(with([](ImageHeader& header) { header.reduction = "none"; }) != "read");
  // A block filter chooses its positions: either name alone is one too many.
  const auto blocks = saved_bytes(KeyedFilter<XxHash3_64, SplitBlock>({.m = 2048}));
  for (const bool family : {false, true}) {
    MemorySource source(blocks);
    ImageHeader header = read_header(source);
    (family ? header.family : header.reduction) = "mask";
    std::vector<std::byte> bytes = header_bytes(header);
    bytes.insert(bytes.end(), source.rest().begin(), source.rest().end());
    CHECK(own_refusal(bytes) == std::string("hashing scheme and reduction: found \"") +
                                    (family ? "mask\" and \"\"" : "\" and \"mask\"") +
                                    ", expected none, as \"split_block\" chooses positions itself");
  }
}

TEST_CASE("bits that tell of more keys than were counted are a fault", "[formats][own]") {
  const std::uint64_t m = 64 * 40;
  const auto told = [&](std::uint64_t bits, std::uint64_t keys, std::optional<double> p) {
    return open_own(standard_image(m, bits, keys))->told(p);
  };
  const std::uint64_t bits = 0x1111111111111111;
  const Inspection one = told(bits, 300, std::nullopt);
  REQUIRE(one.keys);
  // More than two keys and three half-widths of the interval.
  const double least = one.keys->keys - 2.0 - 3.0 * (one.keys->high - one.keys->keys);
  REQUIRE(least > 1.0);
  const auto enough = static_cast<std::uint64_t>(std::ceil(least));
  CHECK(told(bits, enough, std::nullopt).faults.empty());
  CHECK(told(bits, 100'000, std::nullopt).faults.empty());  // a key may come twice
  CHECK(told(bits, enough - 1, std::nullopt).faults ==
        std::vector<std::string>{"it counts " + std::to_string(enough - 1) +
                                 " keys, its bits tell of more: a hash that is not as ideal"});
  const Inspection full = told(~std::uint64_t{0}, 3000, std::nullopt);
  CHECK(full.saturated);
  CHECK_FALSE(full.keys);
  CHECK(full.faults == std::vector<std::string>{"every bit is set: it reports every key"});
  CHECK_FALSE(one.saturated);
  // A quarter of the bits and three probes: a rate of 1/64.
  CHECK(one.rate == 1.0 / 64.0);
  CHECK(told(bits, 300, 1.0 / 64.0).faults.empty());
  CHECK(told(bits, 300, 0.0156).faults ==
        std::vector<std::string>{"its rate is above what it shall keep"});
}

TEST_CASE("saved filters are joined only with those of their kind, hash and seed",
          "[formats][own]") {
  const auto saved = [](const auto& filter) { return saved_bytes(filter); };
  const auto first = saved(KeyedFilter<>({.m = 640, .k = 3}, own_seed));
  const std::string other = "filter: it is of another kind, hash or seed than the first";
  const auto refused = [&](const std::vector<std::byte>& bytes) {
    const auto mine = open_own(first)->folded(640);
    std::string texts[2];
    for (const bool merge : {false, true}) {
      try {
        const auto given = open_own(bytes);
        merge ? mine->merge(*given) : mine->intersect(*given);
        texts[merge ? 1 : 0] = "joined";
      } catch (const FormatError& error) {
        texts[merge ? 1 : 0] = error.what();
      }
    }
    CHECK(texts[0] == texts[1]);
    return texts[0];
  };
  CHECK(refused(first) == "joined");
  CHECK(refused(saved(KeyedFilter<>({.m = 640, .k = 3}, own_seed + 1))) == other);
  CHECK(refused(saved(KeyedFilter<XxHash64>({.m = 640, .k = 3}, own_seed))) == other);
  CHECK(refused(saved(KeyedFilter<XxHash3_64, Partitioned>({.m = 640, .k = 4}, own_seed))) ==
        other);
  CHECK(refused(saved(KeyedFilter<>({.m = 640, .k = 4}, own_seed))) != "joined");
  CHECK(refused(saved(KeyedFilter<>({.m = 704, .k = 3}, own_seed))) != "joined");
  CHECK_THROWS_WITH(open_own(first)->folded(320), "filter: \"standard\" is not folded to 320 bits");
  const auto cuckoo =
      saved_bytes(KeyedFilter<XxHash3_64, Cuckoo>(Cuckoo::examples().front(), own_seed));
  const auto mine = open_own(cuckoo);
  CHECK_THROWS_WITH(mine->merge(*mine), "filter: \"cuckoo\" cannot be merged");
}
