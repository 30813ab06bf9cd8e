// The cuckoo filter: its rate against the closed form, and what happens when it is full.

#include "core/filters/cuckoo.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <list>
#include <stdexcept>
#include <type_traits>

#include "core/filters/capacity.hpp"
#include "core/keyed_filter.hpp"
#include "core/saved_filter.hpp"
#include "core/theory/models.hpp"
#include "tests/core/built_support.hpp"

using namespace bloomlab;
using bloomlab::test::Digests;
using bloomlab::test::keys;
using Catch::Matchers::Message;

namespace {

Cuckoo filled(const Cuckoo::Parameters& p, std::size_t n) {
  Cuckoo filter(p);
  filter.insert(Digests<Cuckoo>(p, keys(0, n)));
  return filter;
}

/// Slots at which the published load is reached: 0.50, 0.84, 0.95, 0.98 for b = 1, 2, 4, 8.
struct Loaded {
  Cuckoo::Parameters parameters;
  double load;
};

}  // namespace

TEST_CASE("a cuckoo filter takes keys up to the published load", "[core][cuckoo]") {
  for (const auto& [p, load] : {Loaded{{12, 1, 65536}, 0.48}, Loaded{{12, 2, 32768}, 0.84},
                                Loaded{{12, 4, 16384}, 0.95}, Loaded{{16, 8, 8192}, 0.98}}) {
    const auto n = static_cast<std::size_t>(load * 65536);
    const Cuckoo filter = filled(p, n);
    INFO("bucket size " << p.bucket_size);
    CHECK(filter.refused() == 0);
    CHECK(filter.stored() == n);
    CHECK(filter.count_contained(Digests<Cuckoo>(p, keys(0, n))) == n);
  }
}

TEST_CASE("a cuckoo filter of the narrowest fingerprints takes the keys it was sized for",
          "[core][cuckoo]") {
  for (const std::uint64_t n : {3U, 50U, 900U, 15'000U, 200'000U, 990'000U}) {
    for (const double rate : {0.9, 0.3, 0.12}) {
      const auto p = parameters_for<Cuckoo>(n, rate);
      INFO(n << " keys, rate " << rate << ", fingerprints of " << p.fingerprint_bits << " bits");
      CHECK(Cuckoo::most_keys(p) >= n);
      CHECK(filled(p, Cuckoo::most_keys(p)).refused() == 0);
    }
  }
}

TEST_CASE("a cuckoo filter takes most of its slots, and no more than it has", "[core][cuckoo]") {
  for (const Cuckoo::Parameters& p : Cuckoo::examples()) {
    const std::uint64_t slots = p.buckets * p.bucket_size;
    const std::uint64_t most = Cuckoo::most_keys(p);
    INFO("buckets of " << p.bucket_size << ", slots " << slots);
    CHECK(most < slots);
    CHECK(most > (p.bucket_size == 1 ? slots / 3 : slots * 7 / 10));
    CHECK(filled(p, most).refused() == 0);
  }
}

TEST_CASE("a full cuckoo filter is saved and loaded with the key that has no slot",
          "[core][cuckoo][saved]") {
  using Table = KeyedFilter<XxHash3_64, Cuckoo>;
  for (const Cuckoo::Parameters& p : Cuckoo::examples()) {
    Table full(p);
    while (full.insert(full.filter().stored()) != Insertion::refused) {
    }
    const auto loaded = load_bytes<Table>(saved_bytes(full));
    CHECK(loaded == full);
    CHECK(saved_bytes(loaded) == saved_bytes(full));
  }
}

TEST_CASE("a full cuckoo filter counts what it refuses and keeps what it took", "[core][cuckoo]") {
  for (const Cuckoo::Parameters& p : Cuckoo::examples()) {
    const std::uint64_t slots = p.buckets * p.bucket_size;
    const auto inserted_keys = keys(0, slots + slots / 2);
    Cuckoo filter(p);
    std::vector<std::uint64_t> taken;
    for (std::size_t i = 0; i < inserted_keys.size(); ++i) {
      const std::uint64_t before = filter.refused();
      filter.insert(Digests<Cuckoo>(p, std::span(inserted_keys).subspan(i, 1)));
      if (filter.refused() == before) taken.push_back(inserted_keys[i]);
    }
    CHECK(filter.refused() > 0);
    CHECK(filter.state().refused == filter.refused());
    CHECK(filter.stored() <= slots + 1);
    CHECK(filter.count_contained(Digests<Cuckoo>(p, taken)) == taken.size());
    CHECK(filled(p, inserted_keys.size()).state() == filter.state());
    // A key that is reported takes a slot like any other, so that it can be deleted like any other.
    CHECK(filter.stored() == taken.size());
    filter.clear();
    CHECK(filter.state() == Cuckoo(p).state());
    CHECK(same_contents(filter, Cuckoo(p)));
  }
}

// Given the table hits are binomial with its conditional rate, and the conditional rate itself
// spreads little round the closed form: five standard deviations fail by chance with probability
// 6e-7, the seed is fixed.
TEST_CASE("absent keys meet a cuckoo filter at the rate of the closed form", "[core][cuckoo]") {
  constexpr std::size_t q = 400000;
  const auto absent_keys = keys(1'000'000, q);
  for (const auto& [p, load] : {Loaded{{8, 1, 65536}, 0.45}, Loaded{{8, 2, 32768}, 0.8},
                                Loaded{{8, 4, 16384}, 0.95}, Loaded{{6, 8, 8192}, 0.5}}) {
    const auto n = static_cast<std::size_t>(load * 65536);
    const Cuckoo filter = filled(p, n);
    const double hits =
        static_cast<double>(filter.count_contained(Digests<Cuckoo>(p, absent_keys)));
    const double conditional = filter.state().conditional_rate;
    const double predicted = theory::evaluate(Cuckoo::prediction(p, n)).number();
    INFO("bucket size " << p.bucket_size << ": conditional " << conditional << ", predicted "
                        << predicted);
    const double expected = conditional * static_cast<double>(q);
    CHECK(std::abs(hits - expected) <= 5.0 * std::sqrt(expected));
    // The closed form's hash is ideal. By this one's constants a fingerprint of few bits may have
    // one bucket for two, as one of the 63 of 6 bits has in 8192 buckets: half of its share is
    // missing.
    CHECK(conditional ==
          Approx(predicted).epsilon(p.fingerprint_bits < 8 ? 0.5 / 63 + 0.002 : 0.005));
  }
}

TEST_CASE("the conditional rate of a cuckoo filter counts every pair once", "[core][cuckoo]") {
  // All pairs of a bucket and a fingerprint, asked one by one: 16 buckets, 15 fingerprints.
  const Cuckoo::Parameters p{.fingerprint_bits = 4, .bucket_size = 2, .buckets = 16};
  for (const std::size_t n : {1U, 5U, 20U, 31U, 60U}) {
    const Cuckoo filter = filled(p, n);
    std::uint64_t reported = 0;
    for (std::uint64_t fingerprint = 1; fingerprint <= 15; ++fingerprint) {
      for (std::uint64_t bucket = 0; bucket < 16; ++bucket) {
        // The smallest high half that gives the fingerprint: ceil((fingerprint - 1) 2^32 / 15).
        const std::uint64_t high = (((fingerprint - 1) << 32) + 14) / 15;
        const std::uint64_t word = high << 32 | bucket;
        reported += filter.count_contained({&word, 1, 1, 1});
      }
    }
    CHECK(filter.state().conditional_rate == static_cast<double>(reported) / 240.0);
  }
}

TEST_CASE("a cuckoo filter refuses parameters out of range", "[core][cuckoo]") {
  CHECK_THROWS_MATCHES(Cuckoo({.fingerprint_bits = 33, .bucket_size = 4, .buckets = 8}),
                       std::invalid_argument,
                       Message("cuckoo: fingerprint_bits is 33; it must be from 2 to 32"));
  CHECK_THROWS_MATCHES(Cuckoo({.fingerprint_bits = 8, .bucket_size = 3, .buckets = 8}),
                       std::invalid_argument,
                       Message("cuckoo: bucket_size is 3; it must be 1, 2, 4 or 8"));
  CHECK_THROWS_MATCHES(
      Cuckoo({.fingerprint_bits = 8, .bucket_size = 4, .buckets = 12}), std::invalid_argument,
      Message("cuckoo: buckets is 12; it must be a power of two from 1 to 4294967296"));
}

namespace {

/// Gives the keys one by one: none that was taken may be denied, and what was refused is counted.
template <class Keyed>
std::uint64_t check_refusals(const typename Keyed::Parameters& parameters, std::uint64_t n) {
  Keyed filter(parameters);
  Keyed many(parameters);
  Keyed range(parameters);
  std::vector<std::uint64_t> taken;
  std::uint64_t refused = 0;
  const std::vector<std::uint64_t> given = keys(0, n);
  for (const std::uint64_t key : given) {
    const bool was_reported = static_cast<bool>(filter.contains(key));
    const Insertion said = filter.insert(key);
    CHECK((said != Insertion::known || was_reported));
    CHECK((said != Insertion::added || !was_reported));
    CHECK(static_cast<bool>(filter.contains(key)) == (was_reported || said == Insertion::added));
    if (said == Insertion::refused) {
      ++refused;
    } else {
      taken.push_back(key);
    }
  }
  CHECK(filter.count_contained(taken) == taken.size());
  CHECK(filter.filter().refused() == refused);
  const RefusedKeys few = many.insert(std::span(given).first(std::min<std::size_t>(5, n)));
  const RefusedKeys rest = many.insert(std::span(given).subspan(std::min<std::size_t>(5, n)));
  CHECK(few.count + rest.count == refused);
  CHECK(range.insert_range(std::list<std::uint64_t>(given.begin(), given.end())).count == refused);
  CHECK(many == filter);
  CHECK(range == filter);
  const RefusedKeys later = many.insert(keys(2 * n, 9));
  CHECK(many.filter().refused() == refused + later.count);
  return refused;
}

}  // namespace

TEST_CASE("a keyed filter says which keys it refused, one by one and of many", "[core][cuckoo]") {
  using Table = KeyedFilter<XxHash3_64, Cuckoo>;
  CHECK(check_refusals<Table>({.fingerprint_bits = 16, .bucket_size = 4, .buckets = 4}, 100) > 70);
  CHECK(check_refusals<Table>({.fingerprint_bits = 16, .bucket_size = 4, .buckets = 64}, 100) == 0);
  using Layers = KeyedFilter<XxHash3_64, ScalablePartitioned>;
  for (const auto& parameters : ScalablePartitioned::examples()) {
    INFO(test::setting<ScalablePartitioned>(parameters));
    const std::uint64_t refused = check_refusals<Layers>(parameters, 1500);
    if (parameters.capacity_policy == CapacityPolicy::reject) {
      CHECK((refused > 0) == (parameters.first_capacity < 1400));
    } else {
      CHECK(refused == 0);
    }
  }
}

TEST_CASE("a filter refuses keys where its type says so, and nowhere else", "[core][cuckoo]") {
  for_each_type<test::GrowingFilters>([]<class Filter>(std::type_identity<Filter>) {
    for (const auto& parameters : Filter::examples()) {
      INFO(test::setting<Filter>(parameters));
      const Probe probe = Probe::of<Independent, MultiplyShift>();
      if constexpr (Probed<Filter>) {
        if (Filter::check(parameters, probe)) continue;
      }
      test::Implementation<Filter> filter(parameters, probe, test::property_keys * 4);
      filter.insert(keys(0, test::property_keys * 4));
      if (filter.filter().state().refused != 0) CHECK(RefusesKeys<Filter>);
    }
  });
  STATIC_REQUIRE(std::is_same_v<KeyedFilter<>::Inserted, bool>);
  STATIC_REQUIRE(std::is_void_v<KeyedFilter<>::InsertedMany>);
  STATIC_REQUIRE(std::is_same_v<KeyedFilter<XxHash3_64, Scalable>::Inserted, bool>);
}

TEST_CASE("one key is new to a cuckoo filter where it was not reported before", "[core][cuckoo]") {
  Cuckoo filter(Cuckoo::Parameters{16, 4, 1024});
  std::uint64_t reported = 0;
  for (const std::uint64_t key : keys(0, 1000)) {
    const std::uint64_t word = key * 0x9e3779b97f4a7c15U;
    const bool known = filter.contains_one(word);
    reported += known ? 1 : 0;
    CHECK(filter.insert_one(word) == !known);
    CHECK_FALSE(filter.insert_one(word));
  }
  CHECK(reported < 20);
}

TEST_CASE("a cuckoo filter forgets what is deleted and nothing else", "[core][cuckoo]") {
  // Against a multiset of the keys taken, through fillings beyond the room: some of the shapes are
  // full of their victim most of the time, and in those of few bits many keys share fingerprints.
  for (const Cuckoo::Parameters& p :
       {Cuckoo::Parameters{3, 1, 64}, {4, 2, 32}, {8, 4, 16}, {12, 4, 64}, {16, 8, 8}}) {
    INFO(test::setting<Cuckoo>(p));
    const std::uint64_t slots = p.buckets * p.bucket_size;
    Cuckoo filter(p);
    std::vector<std::uint64_t> held;  // a key as often as it was taken
    std::uint64_t state = 7;
    bool was_full = false;
    for (int step = 0; step < 4000; ++step) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      const std::uint64_t draw = state >> 33;
      // Waves: more inserts than deletions, then the other way round.
      const bool inserts = held.empty() || draw % 8 < (step / 800 % 2 == 0 ? 6 : 2);
      if (inserts) {
        const std::uint64_t key = (draw >> 3) % (2 * slots);
        const std::uint64_t before = filter.refused();
        filter.insert(Digests<Cuckoo>(p, std::vector{key}));
        if (filter.refused() == before) held.push_back(key);
        was_full = was_full || filter.refused() != before;
      } else {
        const std::size_t at = (draw >> 3) % held.size();
        REQUIRE(filter.remove(Digests<Cuckoo>(p, std::vector{held[at]})) == 1);
        held[at] = held.back();
        held.pop_back();
      }
      REQUIRE(filter.stored() == held.size());
      if (step % 16 == 0) REQUIRE(filter.count_contained(Digests<Cuckoo>(p, held)) == held.size());
    }
    CHECK(was_full);
    CHECK(filter.remove(Digests<Cuckoo>(p, held)) == held.size());
    CHECK(filter.stored() == 0);
    CHECK(filter.state().bits_set == 0);
    CHECK(filter.count_contained(Digests<Cuckoo>(p, keys(0, 1000))) == 0);
    CHECK(filter.remove(Digests<Cuckoo>(p, keys(0, 10))) == 0);
  }
}

TEST_CASE("a keyed cuckoo filter deletes what it took", "[core][cuckoo]") {
  using Table = KeyedFilter<XxHash3_64, Cuckoo>;
  auto filter = Table::for_items(1000, 0.001);
  for (std::uint64_t key = 0; key < 1000; ++key) CHECK(filter.insert(key) != Insertion::refused);
  for (std::uint64_t key = 0; key < 1000; key += 2) CHECK(filter.erase(key));
  std::uint64_t kept = 0;
  std::uint64_t left = 0;
  for (std::uint64_t key = 0; key < 1000; ++key) {
    (key % 2 == 0 ? left : kept) += filter.contains(key) ? 1 : 0;
  }
  CHECK(kept == 500);
  CHECK(left <= 5);
  CHECK(filter.size() == 500);
  CHECK_FALSE(filter.erase(std::string_view("never inserted, and not reported")));
}

TEST_CASE("a cuckoo filter compares the slots of a bucket together, whatever their width",
          "[cuckoo]") {
  for (const std::uint64_t bucket_size : {1U, 2U, 4U, 8U}) {
    for (std::uint64_t width = 2; width <= Cuckoo::max_fingerprint_bits; ++width) {
      const Cuckoo::Parameters p{
          .fingerprint_bits = width, .bucket_size = bucket_size, .buckets = 32};
      INFO(bucket_size << " slots of " << width << " bits");
      const std::size_t n = 32 * bucket_size / 3;
      KeyedFilter<MultiplyMix64, Cuckoo> filter(p);
      std::size_t taken = 0;
      for (std::uint64_t key = 0; key < n; ++key) {
        const std::uint64_t before = filter.filter().refused();
        static_cast<void>(filter.insert(key));
        if (filter.filter().refused() != before) continue;
        ++taken;
        CHECK(filter.contains(key));
      }
      CHECK(filter.filter().stored() == taken);
      // The rate is that of the pairs that are counted slot by slot.
      std::size_t hits = 0;
      constexpr std::uint64_t asked = 40'000;
      for (std::uint64_t key = n; key < n + asked; ++key) hits += filter.contains(key) ? 1 : 0;
      const double rate = filter.filter().state().conditional_rate;
      const double expected = rate * asked;
      CHECK(std::abs(static_cast<double>(hits) - expected) <= 6 * std::sqrt(expected + 1) + 1);
    }
  }
}
