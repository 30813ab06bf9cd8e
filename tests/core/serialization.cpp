// Filters as bytes and back, for every filter that can be serialized; damaged and hostile bytes.

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "core/serialization/image.hpp"
#include "core/serialization/serialize.hpp"
#include "tests/core/serialization_support.hpp"

using namespace bloomlab;
using bloomlab::test::digests_of;
using bloomlab::test::enhanced;
using bloomlab::test::filled;
using bloomlab::test::keys;
using Catch::Matchers::Message;

namespace {

template <class T>
using IsSerializable = std::bool_constant<Serializable<T>>;
using SerializableFilters = bloomlab::test::Only<Filters, IsSerializable>;
template <class T>
using IsSerializableGrowing = std::bool_constant<Serializable<T> && Growing<T>>;
using SerializableGrowingFilters = bloomlab::test::Only<Filters, IsSerializableGrowing>;

/// Small parameters, for tests that alter every byte.
template <class Filter>
typename Filter::Parameters smallest() {
  const auto all = Filter::examples();
  return *std::ranges::min_element(all, {},
                                   [](const auto& p) { return Filter::memory_bits(p, 3); });
}

template <class Filter>
std::vector<Answer> answers(const Filter& filter, std::span<const std::uint64_t> asked) {
  DigestBuffer buffer;
  std::vector<Answer> out(asked.size());
  filter.contains(digests_of<Filter>(filter.parameters(), asked, buffer), out);
  return out;
}

}  // namespace

TEST_CASE("every filter but the exact sets can be serialized", "[core][serialization]") {
  for_each_type<Filters>([]<class Filter>(std::type_identity<Filter>) {
    INFO(Filter::name);
    CHECK(Serializable<Filter> != ExactSet<Filter>);
  });
}

TEMPLATE_LIST_TEST_CASE("a filter that was serialized comes back as it was",
                        "[core][serialization]", SerializableFilters) {
  const auto asked = keys(1000, 3000);
  for (const auto& p : TestType::examples()) {
    for (const std::size_t n : {0, 1, 1500}) {
      if constexpr (Probed<TestType>) {
        if (TestType::check(p, enhanced)) continue;
      }
      const TestType filter = filled<TestType>(p, n);
      const auto bytes = serialize(filter, "xxhash3_64", 77);
      const auto back = deserialize<TestType>(bytes);
      CHECK(back.hash == "xxhash3_64");
      CHECK(back.seed == 77);
      CHECK(back.filter.parameters() == p);
      CHECK(back.filter.state() == filter.state());
      CHECK(answers(back.filter, asked) == answers(filter, asked));
      CHECK(serialize(back.filter, "xxhash3_64", 77) == bytes);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a filter that grows goes on growing after it came back",
                        "[core][serialization]", SerializableGrowingFilters) {
  const auto p = TestType::examples().front();
  auto filter = filled<TestType>(p, 400);
  auto back = deserialize<TestType>(serialize(filter, "md5", 0));
  DigestBuffer buffer;
  const auto more = keys(400, 1100);
  const DigestBatch digests = digests_of<TestType>(p, more, buffer);
  filter.insert(digests);
  back.filter.insert(digests);
  CHECK(back.filter.state() == filter.state());
  CHECK(back.filter.state() == filled<TestType>(p, 1500).state());
}

TEMPLATE_LIST_TEST_CASE("every altered byte and every truncation is refused",
                        "[core][serialization]", SerializableFilters) {
  const auto bytes = serialize(filled<TestType>(smallest<TestType>(), 3), "xxhash3_64", 5);
  const std::size_t step = bytes.size() / 4000 + 1;
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    auto altered = bytes;
    altered[i] ^= std::byte{0x10};
    CHECK_THROWS_AS(deserialize<TestType>(altered), FormatError);
    CHECK_THROWS_AS(deserialize<TestType>(std::span(bytes).first(i)), FormatError);
  }
  auto longer = bytes;
  longer.push_back(std::byte{0});
  CHECK_THROWS_AS(deserialize<TestType>(longer), FormatError);
}

// The checksum is made anew: only the reader itself stands between these bytes and the filter.
TEMPLATE_LIST_TEST_CASE("bytes made to do harm are refused or give a filter that answers",
                        "[core][serialization]", SerializableFilters) {
  const auto p = smallest<TestType>();
  const auto bytes = serialize(filled<TestType>(p, 3), "xxhash3_64", 5);
  const auto asked = keys(0, 100);
  for (const bool in_parameters : {true, false}) {
    const Envelope honest = opened(bytes);
    const auto part = in_parameters ? honest.parameters : honest.contents;
    const std::size_t step = part.size() / 200 + 1;
    for (std::size_t i = 0; i < part.size(); i += step) {
      for (const std::byte value : {std::byte{0x00}, std::byte{0xff}, std::byte{0x80}}) {
        std::vector<std::byte> altered(part.begin(), part.end());
        altered[i] = value;
        Envelope hostile = honest;
        (in_parameters ? hostile.parameters : hostile.contents) = altered;
        try {
          const auto back = deserialize<TestType>(sealed(hostile));
          CHECK(answers(back.filter, asked).size() == asked.size());
        } catch (const FormatError&) {
        }
      }
    }
  }
}

TEST_CASE("a size that the bytes do not have is refused before it is allocated",
          "[core][serialization]") {
  const auto bytes = serialize(filled<Standard>({.m = 64, .k = 1}, 3), "xxhash3_64", 5);
  Envelope hostile = opened(bytes);
  ByteWriter parameters;
  ParameterWriter visit(parameters);
  Standard::Parameters huge{.m = max_filter_bits, .k = 1};
  Standard::describe(visit, huge);
  hostile.parameters = parameters.bytes();
  CHECK_THROWS_MATCHES(deserialize<Standard>(sealed(hostile)), FormatError,
                       Message("contents: 35184372088832 bytes are needed, 16 are there"));
}

TEST_CASE("bytes under a checksum that fits are checked place by place", "[core][serialization]") {
  const auto bytes = serialize(filled<Standard>({.m = 100, .k = 1}, 3), "xxhash3_64", 5);
  const Envelope honest = opened(bytes);
  const std::vector<std::byte> contents(honest.contents.begin(), honest.contents.end());
  Envelope hostile = honest;
  std::vector<std::byte> altered = contents;
  altered[12] |= std::byte{1} << 4;  // bit 100
  hostile.contents = altered;
  CHECK_THROWS_MATCHES(deserialize<Standard>(sealed(hostile)), FormatError,
                       Message("contents: a bit behind the last one is set"));
  altered = contents;
  altered.resize(altered.size() + 8);
  hostile.contents = altered;
  CHECK_THROWS_MATCHES(deserialize<Standard>(sealed(hostile)), FormatError,
                       Message("contents: there is more than the filter has"));
  hostile = honest;
  altered.assign(honest.parameters.begin(), honest.parameters.end());
  altered.resize(altered.size() + 8);
  hostile.parameters = altered;
  CHECK_THROWS_MATCHES(deserialize<Standard>(sealed(hostile)), FormatError,
                       Message("parameters: there are too many"));
  const auto counters =
      serialize(filled<Counting>({.m = 33, .k = 1, .counter_bits = 3}, 0), "xxhash3_64", 5);
  hostile = opened(counters);
  altered.assign(hostile.contents.begin(), hostile.contents.end());
  altered[12] |= std::byte{1} << 3;  // bit 99
  hostile.contents = altered;
  CHECK_THROWS_MATCHES(deserialize<Counting>(sealed(hostile)), FormatError,
                       Message("contents: a bit behind the last value is set"));
  std::vector<std::byte> longer(bytes.begin(), bytes.end() - 8);
  longer.resize(longer.size() + 8);
  ByteWriter checksum;
  checksum.number(checksum_of(longer), 8);
  longer.insert(longer.end(), checksum.bytes().begin(), checksum.bytes().end());
  CHECK_THROWS_MATCHES(deserialize<Standard>(longer), FormatError,
                       Message("end: 16 bytes follow the contents; 8 are expected"));
}

TEST_CASE("names that a filter would ignore are refused", "[core][serialization]") {
  const auto bytes = serialize(filled<SplitBlock>({.m = 2048}, 3), "xxhash3_64", 5);
  CHECK_NOTHROW(deserialize<SplitBlock>(bytes));
  for (const auto& [family, reduction] :
       {std::pair{"independent", ""}, std::pair{"", "modulo"}, std::pair{"nonsense", "mask"}}) {
    Envelope altered = opened(bytes);
    altered.family = family;
    altered.reduction = reduction;
    CHECK_THROWS_MATCHES(
        deserialize<SplitBlock>(sealed(altered)), FormatError,
        Message("hashing scheme and reduction: found \"" + std::string(family) + "\" and \"" +
                reduction + "\", expected none, as \"split_block\" chooses positions itself"));
  }
}

TEST_CASE("what is wrong with serialized bytes is said in one line", "[core][serialization]") {
  const auto bytes = serialize(filled<Standard>({.m = 64, .k = 1}, 3), "xxhash3_64", 5);
  CHECK_THROWS_MATCHES(deserialize<Standard>({}), FormatError,
                       Message("start of a serialized filter: 8 bytes are needed, 0 are left"));
  CHECK_THROWS_MATCHES(deserialize<Folded>(bytes), FormatError,
                       Message("filter: found \"standard\", expected \"folded\""));
  auto altered = bytes;
  altered[0] = std::byte{'X'};
  CHECK_THROWS_MATCHES(deserialize<Standard>(altered), FormatError,
                       Message("start: these bytes are no serialized filter; they must begin with "
                               "BLOOMLAB"));
  altered = bytes;
  altered[8] = std::byte{2};
  CHECK_THROWS_MATCHES(deserialize<Standard>(altered), FormatError,
                       Message("version: found 2; this release reads 1"));
  altered = bytes;
  altered[40] ^= std::byte{1};
  CHECK_THROWS_MATCHES(
      deserialize<Standard>(altered), FormatError,
      Message("checksum: it does not fit the bytes; they were truncated or altered"));
  Envelope other = opened(bytes);
  other.hash = "sha3";
  CHECK_THROWS_WITH(deserialize<Standard>(sealed(other)),
                    Catch::Matchers::StartsWith("unknown hash \"sha3\"; known: "));
  CHECK_THROWS_AS(serialize(filled<Standard>({.m = 64, .k = 1}, 3), "sha3", 5),
                  std::invalid_argument);
}
