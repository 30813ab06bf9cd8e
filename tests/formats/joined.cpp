// Filters taken together: the union is, bit for bit, the filter of all keys.

#include "formats/joined.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "core/catalogue.hpp"
#include "core/keyed_filter.hpp"
#include "core/saved_filter.hpp"
#include "core/serialization/contents.hpp"
#include "core/type_list.hpp"
#include "formats/foreign_filter.hpp"

using namespace bloomlab;
using namespace bloomlab::formats;

namespace {

using Saved = std::vector<std::byte>;

std::string key_of(std::uint64_t number) { return "key-" + std::to_string(number); }

struct Size {
  std::string_view format;
  std::uint64_t m;
  std::uint64_t k;
};

/// A filter of the keys with numbers from `first` to before `end`.
Saved filter_of(const Size& size, std::uint64_t first, std::uint64_t end) {
  const auto filter = make_foreign(size.format, size.m, size.k);
  for (std::uint64_t i = first; i < end; ++i) filter->insert(key_of(i));
  return filter->bytes();
}

Joined joined_of(std::uint64_t m, const std::vector<Saved>& all) {
  Joined joined(m);
  for (const Saved& bytes : all) {
    for_each_filter(bytes, "", [&](const OpenFilter& filter) { joined.add(filter); });
  }
  return joined;
}

Size with_bits(Size size, std::uint64_t m) {
  size.m = m;
  return size;
}

/// A filter of 64 bits, of which 8 are set, that counts what is estimated.
class Counted final : public OpenFilter {
 public:
  explicit Counted(int& estimates) : estimates_(&estimates) {}
  Inspection told(std::optional<double> /*p*/) const override { return {}; }
  std::uint64_t bits() const override { return 64; }
  std::uint64_t bits_set() const override { return 8; }
  std::optional<KeyEstimate> keys_of(std::uint64_t set) const override {
    ++*estimates_;
    const auto keys = static_cast<double>(set);
    return KeyEstimate{keys, keys, keys + 1.0};
  }
  std::unique_ptr<OpenFilter> folded(std::uint64_t /*m*/) const override {
    return std::make_unique<Counted>(*estimates_);
  }
  void merge(const OpenFilter& /*other*/) override {}
  void intersect(const OpenFilter& /*other*/) override {}
  std::vector<std::byte> bytes() const override { return {}; }

 private:
  int* estimates_;
};

double sd_of(const KeyEstimate& keys) { return (keys.high - keys.keys) / 1.959964; }

}  // namespace

TEST_CASE(
    "the union of filters equals the filter of all keys bit for bit, also where the larger "
    "are folded",
    "[formats][joined]") {
  for (const Size small : {Size{"guava", 9600, 7}, Size{"guava", 64, 3},
                           Size{"bits_and_blooms", 9586, 7}, Size{"bits_and_blooms", 1, 1},
                           Size{"bits_and_blooms", 9600, 5}, Size{"parquet", 8192, 8}}) {
    for (const std::uint64_t times : {1U, 2U, 4U}) {
      INFO(small.format << ", m = " << small.m << ", " << times);
      const Saved one = filter_of(small, 0, 1000);
      const Saved other = filter_of(with_bits(small, times * small.m), 1000, 2000);
      const Saved direct = filter_of(small, 0, 2000);
      CHECK((joined_of(small.m, {one, other}).merged().bytes() == direct));
      CHECK((joined_of(small.m, {other, one}).merged().bytes() == direct));
      CHECK((joined_of(small.m, {one, one}).common().bytes() == one));
    }
  }
}

TEST_CASE("a union of Guava's older strategy is written with it", "[formats][joined]") {
  Saved one = filter_of({"guava", 640, 5}, 0, 50);
  one[0] = std::byte{0};
  CHECK((joined_of(640, {one, one}).merged().bytes() == one));
  CHECK(joined_of(640, {one, one}).merged().told(0.01).version == "MURMUR128_MITZ_32");
}

TEST_CASE("the intersection is never smaller than the filter of the common keys",
          "[formats][joined]") {
  for (const Size size : {Size{"guava", 9600, 7}, Size{"parquet", 8192, 8}}) {
    const Joined joined = joined_of(
        size.m, {filter_of(size, 0, 1000), filter_of(with_bits(size, 2 * size.m), 700, 1700)});
    Joined with_common = joined_of(size.m, {joined.common().bytes(), filter_of(size, 700, 1000)});
    CHECK((with_common.merged().bytes() == joined.common().bytes()));
    CHECK(joined.common().bits_set() < joined.merged().bits_set());
    if (size.format != "guava") continue;
    CHECK(joined.common().told(std::nullopt).rate ==
          Approx(std::pow(static_cast<double>(joined.common().bits_set()) / 9600.0, 7)));
  }
}

namespace {

template <class Filter>
void check_own_filters() {
  INFO(Filter::name);
  using Keyed = KeyedFilter<XxHash3_64, Filter>;
  Keyed one(Filter::examples().front(), 5);
  Keyed other(Filter::examples().front(), 5);
  for (std::uint64_t key = 0; key < 60; ++key) static_cast<void>(one.insert(key));
  for (std::uint64_t key = 40; key < 100; ++key) static_cast<void>(other.insert(key));
  const std::uint64_t m = one.filter().state().bits;
  const Joined joined = joined_of(m, {saved_bytes(one), saved_bytes(other)});
  Keyed both = one;
  both.merge(other);
  CHECK((joined.merged().bytes() == saved_bytes(both)));
  Keyed common = one;
  common.intersect(other);
  CHECK((joined.common().bytes() == saved_bytes(common)));
  const Keyed of_seed(Filter::examples().front(), 6);
  CHECK_THROWS_AS(joined_of(m, {saved_bytes(one), saved_bytes(of_seed)}), FormatError);
}

}  // namespace

TEST_CASE("saved filters of this library are joined as they themselves merge",
          "[formats][joined]") {
  int kinds = 0;
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    if constexpr (Serializable<Filter> && Mergeable<Filter>) {
      check_own_filters<Filter>();
      ++kinds;
    }
  });
  CHECK(kinds >= 7);
  const KeyedFilter<XxHash3_64, Cuckoo> cuckoo(Cuckoo::examples().front());
  CHECK_THROWS_WITH(joined_of(cuckoo.filter().state().bits, {saved_bytes(cuckoo)}),
                    Catch::StartsWith("filter: \"cuckoo\" is not folded to "));
}

TEST_CASE("filters of another kind, or of a size that does not fold, are not joined",
          "[formats][joined]") {
  const Saved first = filter_of({"guava", 9600, 7}, 0, 10);
  for (const Size other : {Size{"guava", 9600, 6}, Size{"guava", 12800, 7}, Size{"guava", 4800, 7},
                           Size{"bits_and_blooms", 9600, 7}, Size{"parquet", 16384, 8}}) {
    CHECK_THROWS_AS(joined_of(9600, {first, filter_of(other, 0, 10)}), FormatError);
  }
}

TEST_CASE("the keys that two filters have in common are estimated with their interval",
          "[formats][joined]") {
  // 200 pairs with 600 common keys: the squares of their standardised errors have the mean 1 with a
  // standard deviation of 0.1, so 4.5 of them are exceeded by chance in 1 of 10^5 tests.
  for (const Size size : {Size{"guava", 9600, 7}, Size{"parquet", 8192, 8}}) {
    constexpr int pairs = 200;
    double squares = 0.0;
    for (std::uint64_t i = 0; i < pairs; ++i) {
      const std::uint64_t at = 10'000 * i;
      const auto keys =
          joined_of(size.m, {filter_of(size, at, at + 1000), filter_of(size, at + 400, at + 1400)})
              .repeated();
      REQUIRE(keys);
      const double error = (keys->keys - 600.0) / sd_of(*keys);
      squares += error * error / pairs;
    }
    INFO(size.format << ": " << squares);
    CHECK(squares > 0.55);
    CHECK(squares < 1.45);
  }
}

TEST_CASE("the keys that several filters repeat are estimated with an interval that is wide enough",
          "[formats][joined]") {
  // Of 100 intervals at least 95 % hold the 1000 keys: fewer than 85 in 1 of 10^4 tests.
  const Size size{"guava", 19200, 7};
  int held = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::uint64_t at = 10'000 * i;
    const auto keys =
        joined_of(size.m, {filter_of(size, at, at + 1000), filter_of(size, at + 500, at + 1500),
                           filter_of(size, at + 1000, at + 2000)})
            .repeated();
    REQUIRE(keys);
    held += keys->low <= 1000.0 && keys->high >= 1000.0 ? 1 : 0;
  }
  CHECK(held >= 85);
}

TEST_CASE("what set bits tell of is estimated once, however many filters are joined",
          "[formats][joined]") {
  int estimates = 0;
  Joined joined(64);
  for (int i = 0; i < 1000; ++i) joined.add(Counted(estimates));
  CHECK(joined.count() == 1000);
  CHECK(estimates <= 65);  // numbers of set bits that there are
}

TEST_CASE("nothing is said of repeated keys where every bit is set", "[formats][joined]") {
  const Saved full = filter_of({"guava", 64, 7}, 0, 1000);
  CHECK_FALSE(joined_of(64, {full, full}).repeated());
}

TEST_CASE("what filters report in turn is what is counted of real ones", "[formats][joined]") {
  // Twelve filters of different keys, and two that share 900 of 1000; 40 000 absent keys. A bound
  // is 5 standard deviations, which chance exceeds in 1 of 10^6 tests, and 3 % for the positions of
  // double hashing, which are not quite independent.
  constexpr std::uint64_t queries = 40'000;
  const Size size{"guava", 9600, 7};
  std::vector<Saved> shards;
  for (std::uint64_t i = 0; i < 12; ++i) {
    shards.push_back(filter_of(size, 1000 * i, 1000 * (i + 1)));
  }
  const std::vector<Saved> pair{shards[0], filter_of(size, 100, 1100)};
  const auto bits_of = [](const Saved& bytes) { return read_guava(bytes).layers.front(); };
  const auto counted = [&](const std::vector<Saved>& saved) {
    std::vector<StoredBits> filters;
    for (const Saved& bytes : saved) filters.push_back(bits_of(bytes));
    std::uint64_t any = 0;
    for (std::uint64_t i = 0; i < queries; ++i) {
      const Saved query = filter_of(size, 1'000'000 + i, 1'000'001 + i);
      const StoredBits key = bits_of(query);
      std::vector<std::size_t> words;
      for (std::size_t word = 0; word < key.words.size(); ++word) {
        if (key.words[word] != 0) words.push_back(word);
      }
      any += std::ranges::any_of(filters, [&](const StoredBits& filter) {
        return std::ranges::all_of(
            words, [&](std::size_t word) { return (key.words[word] & ~filter.words[word]) == 0; });
      });
    }
    return static_cast<double>(any) / queries;
  };
  const auto rate_of = [](const OpenFilter& filter) { return filter.told(std::nullopt).rate; };
  const auto rates_of = [&](const std::vector<Saved>& saved) {
    std::vector<double> rates;
    for (const Saved& bytes : saved) {
      for_each_filter(bytes, "", [&](const OpenFilter& one) { rates.push_back(rate_of(one)); });
    }
    return rates;
  };
  const auto near = [](double rate) {
    return Approx(rate).epsilon(0.0).margin(0.03 * rate + 5.0 * std::sqrt(rate / queries));
  };
  CHECK(counted(shards) == near(any_reports(rates_of(shards))));
  const std::vector<double> rates = rates_of(pair);
  const double exact = rates[0] + rates[1] - rate_of(joined_of(size.m, pair).common());
  CHECK(counted(pair) == near(exact));
  CHECK(exact < 0.8 * any_reports(rates));  // which is for filters of different keys
  CHECK(all_report(rates) == Approx(rates[0] * rates[1]));
  CHECK(any_reports(std::vector<double>(12, 0.01)) == Approx(0.1136151));
  CHECK(any_reports(std::vector<double>{1.0, 0.5}) == 1.0);
}

TEST_CASE("a stored filter is folded to the sizes that divide its own, and to no other",
          "[formats][joined]") {
  const std::string refusal =
      "its filter is of another kind or size; was the file changed meanwhile?";
  for (const Layout layout : {Layout::standard, Layout::split_block}) {
    StoredFilter filter{.format = "guava", .version = "a version", .hash = "a hash"};
    filter.layers.push_back({.layout = layout, .m = 1536, .k = 8});
    const auto described = open_foreign(filter);
    CHECK_THROWS_WITH(described->folded(1536), refusal);  // there are no bits
    StoredBits& bits = filter.layers.front();
    bits.words = StoredWords(24);
    for (std::uint64_t i = 0; i < 24; ++i) bits.words.own()[i] = std::uint64_t{1} << (2 * i);
    const auto open = open_foreign(filter);
    for (const std::uint64_t m : {0U, 1024U, 1535U, 1537U, 3072U}) {
      CHECK_THROWS_WITH(open->folded(m), refusal);
    }
    for (const std::uint64_t m : {1536U, 768U, 512U, 256U}) {
      const auto small = open->folded(m);
      CHECK(small->bits() == m);
      CHECK(small->bits_set() == 24);  // no two of them meet
      const Inspection told = small->told(std::nullopt);
      CHECK(told.version == "a version");
      CHECK(told.hash == "a hash");
      CHECK(told.k == 8);
      CHECK(told.layout == (layout == Layout::standard ? "standard" : "split_block"));
    }
  }
  // Every position of a size that is none of words becomes its remainder.
  for (const std::uint64_t m : {1U, 2U, 3U, 60U, 63U, 64U, 65U, 100U, 128U}) {
    for (const std::uint64_t times : {1U, 2U, 3U, 5U}) {
      for (std::uint64_t position = 0; position < m * times; position += 7) {
        StoredFilter filter{.format = "bits_and_blooms"};
        filter.layers.push_back(
            {.m = m * times, .k = 1, .words = StoredWords((m * times + 63) / 64)});
        filter.layers[0].words.own()[position / 64] = std::uint64_t{1} << (position % 64);
        StoredBits expected{.m = m, .k = 1, .words = StoredWords((m + 63) / 64)};
        expected.words.own()[position % m / 64] = std::uint64_t{1} << (position % m % 64);
        const auto small = open_foreign(filter)->folded(m);
        if (small->bytes() != bits_and_blooms_bytes(expected)) FAIL(m << ' ' << position);
      }
    }
  }
}

TEST_CASE("stored filters are joined where all but their bits is the same", "[formats][joined]") {
  const auto filter_with = [](const auto& change) {
    StoredFilter filter{.format = "guava", .version = "a version", .hash = "a hash"};
    filter.layers.push_back({.m = 256, .k = 8, .words = StoredWords(4)});
    filter.layers[0].words.own()[1] = 0b0110;
    change(filter);
    return filter;
  };
  const auto joins = [&](const auto& change) {
    const auto mine = open_foreign(filter_with([](StoredFilter&) {}));
    const auto other = open_foreign(filter_with(change));
    try {
      mine->merge(*other);
      return true;
    } catch (const FormatError&) {
      return false;
    }
  };
  CHECK(joins([](StoredFilter&) {}));
  CHECK(joins([](StoredFilter& filter) { filter.place = "elsewhere"; }));
  CHECK_FALSE(joins([](StoredFilter& filter) { filter.format = "spark"; }));
  CHECK_FALSE(joins([](StoredFilter& filter) { filter.version = "another"; }));
  CHECK_FALSE(joins([](StoredFilter& filter) { filter.hash = "another"; }));
  CHECK_FALSE(joins([](StoredFilter& filter) { filter.layers[0].layout = Layout::split_block; }));
  CHECK_FALSE(joins([](StoredFilter& filter) { filter.layers[0].m = 255; }));
  CHECK_FALSE(joins([](StoredFilter& filter) { filter.layers[0].k = 7; }));
  CHECK_FALSE(joins([](StoredFilter& filter) { filter.layers[0].words = StoredWords(3); }));
  int estimates = 0;
  const auto mine = open_foreign(filter_with([](StoredFilter&) {}));
  CHECK_THROWS_AS(mine->merge(Counted(estimates)), FormatError);
  const auto other = open_foreign(
      filter_with([](StoredFilter& filter) { filter.layers[0].words.own()[1] = 0b0011; }));
  mine->intersect(*other);
  CHECK(mine->bits_set() == 1);
  mine->merge(*other);
  CHECK(mine->bits_set() == 2);
}

TEST_CASE("what keeps two filters apart is said of each property in turn", "[formats][joined]") {
  const Inspection one{
      .format = "spark", .version = "V1", .hash = "a hash", .layout = "standard", .m = 64, .k = 7};
  const auto differs = [&](const auto& change) {
    Inspection other = one;
    change(other);
    return differences(one, other);
  };
  CHECK(differs([](Inspection&) {}).empty());
  CHECK(differs([](Inspection& other) { other.m = 128; }).empty());
  CHECK(differs([](Inspection& other) { other.version = "V2"; }) == "version (V1, V2)");
  CHECK(differs([](Inspection& other) { other.layout = "split_block"; }) ==
        "layout (standard, split_block)");
  CHECK(differs([](Inspection& other) { other.hash = "another"; }) == "hash (a hash, another)");
  CHECK(differs([](Inspection& other) { other.k = 5; }) == "k (7, 5)");
  CHECK(differs([](Inspection& other) {
          other.version = "V2";
          other.hash = "another";
          other.k = 5;
        }) == "version (V1, V2), hash (a hash, another), k (7, 5)");
  CHECK(differs([](Inspection& other) {
          other.format = "guava";
          other.k = 5;
        }) == "format (spark, guava)");
  for (const std::string_view format : format_names()) {
    CHECK(is_written(format) == (format == "bloomlab" || format == "guava" ||
                                 format == "bits_and_blooms" || format == "parquet"));
  }
  CHECK_FALSE(is_written(""));
}

TEST_CASE("rates of filters asked together are those of independent ones", "[formats][joined]") {
  const std::vector<double> rates{0.5, 0.25, 0.125};
  CHECK(any_reports(rates) == Approx(1.0 - 0.5 * 0.75 * 0.875));
  CHECK(all_report(rates) == 0.5 * 0.25 * 0.125);
  CHECK(any_reports({}) == 0.0);
  CHECK(all_report({}) == 1.0);
  CHECK(any_reports(std::vector<double>{1e-18, 1e-18}) == Approx(2e-18));
  // A rate that is computed as a little more than 1 is 1.
  CHECK(any_reports(std::vector<double>{1.0 + 1e-12}) == 1.0);
  CHECK(all_report(std::vector<double>{1.0 + 1e-12, 0.5}) == 0.5);
}

TEST_CASE("repeated keys are those of all filters less those of the union", "[formats][joined]") {
  const Size size{"guava", 9600, 7};
  const std::vector<Saved> all{filter_of(size, 0, 600), filter_of(size, 300, 900),
                               filter_of(size, 500, 1000)};
  const auto keys_in = [](const OpenFilter& filter) {
    const auto keys = filter.keys_of(filter.bits_set());
    REQUIRE(keys);
    return keys->keys;
  };
  double sum = 0.0;
  for (std::size_t count = 1; count <= all.size(); ++count) {
    const std::vector<Saved> some(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    const Joined joined = joined_of(size.m, some);
    CHECK(joined.count() == count);
    sum += keys_in(*open_foreign(read_guava(all[count - 1])));
    const auto repeated = joined.repeated();
    REQUIRE(repeated);
    CHECK(repeated->keys == Approx(std::max(0.0, sum - keys_in(joined.merged()))).margin(1e-9));
    if (count == 1) {  // nothing is repeated, and that is certain
      CHECK(repeated->high == Approx(0.0).margin(1e-6));
    } else {
      CHECK(repeated->high > repeated->keys);
      CHECK(repeated->low < repeated->keys);
    }
  }
  // Of twice the same filter all keys are common; the interval is that of its own keys.
  const Joined twice = joined_of(size.m, {all[0], all[0]});
  const auto own = open_foreign(read_guava(all[0]))->keys_of(twice.merged().bits_set());
  REQUIRE(own);
  CHECK(twice.repeated()->keys == Approx(own->keys));
  CHECK(sd_of(*twice.repeated()) == Approx(sd_of(*own)).epsilon(0.01));
  // Of two filters without a common key the interval begins at none.
  const auto apart =
      joined_of(size.m, {filter_of(size, 0, 300), filter_of(size, 5000, 5300)}).repeated();
  REQUIRE(apart);
  CHECK(apart->low == 0.0);
}
