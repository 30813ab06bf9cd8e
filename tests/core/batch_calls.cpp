// What the calls of many keys refuse, for every filter: answers that do not fit the keys, and
// digests of fewer words than positions need. Nothing is changed by a refused call.

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/concepts.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;

namespace {

constexpr std::size_t batch_keys = 20;

template <class Call>
void check_refused(const std::string& what, const std::string& said, const Call& call) {
  INFO(what);
  try {
    call();
    CHECK(what == "refused");
  } catch (const std::invalid_argument& refusal) {
    CHECK_THAT(refusal.what(), Catch::Contains(said));
  }
}

/// Every call that answers each key, with `places` answers.
template <class Filter>
void check_places(Filter& filter, const DigestBatch& digests, std::size_t places) {
  const std::string said =
      std::to_string(places) + " places was given for " + std::to_string(digests.size) + " keys";
  std::vector<Answer> answers(places);
  std::vector<std::uint64_t> times(places);
  const FilterState before = filter.state();
  check_refused("contains", said, [&] { filter.contains(digests, answers); });
  if constexpr (ReportsNew<Filter>) {
    check_refused("insert that tells", said, [&] { filter.insert(digests, answers); });
  }
  if constexpr (Counts<Filter>) {
    check_refused("multiplicity", said, [&] { filter.multiplicity(digests, times); });
  }
  CHECK(filter.state() == before);
}

/// Every call, with no key at all.
template <class Filter>
void check_empty(Filter& filter) {
  const FilterState before = filter.state();
  filter.insert(DigestBatch{});
  filter.contains(DigestBatch{}, {});
  CHECK(filter.count_contained(DigestBatch{}) == 0);
  if constexpr (ReportsNew<Filter>) filter.insert(DigestBatch{}, {});
  if constexpr (Forgets<Filter>) CHECK(filter.remove(DigestBatch{}) == 0);
  if constexpr (Counts<Filter>) filter.multiplicity(DigestBatch{}, {});
  CHECK(filter.state() == before);
}

/// Every call, with one word a key less than the positions need.
template <class Filter>
void check_words(Filter& filter, DigestBatch digests) {
  --digests.width;
  const std::string said = "; the digests have " + std::to_string(digests.width);
  std::vector<Answer> answers(digests.size);
  std::vector<std::uint64_t> times(digests.size);
  const FilterState before = filter.state();
  check_refused("insert", said, [&] { filter.insert(digests); });
  check_refused("contains", said, [&] { filter.contains(digests, answers); });
  check_refused("count_contained", said, [&] { (void)filter.count_contained(digests); });
  if constexpr (ReportsNew<Filter>) {
    check_refused("insert that tells", said, [&] { filter.insert(digests, answers); });
  }
  if constexpr (Forgets<Filter>) {
    check_refused("remove", said, [&] { (void)filter.remove(digests); });
  }
  if constexpr (Counts<Filter>) {
    check_refused("multiplicity", said, [&] { filter.multiplicity(digests, times); });
  }
  CHECK(filter.state() == before);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a filter refuses answers that do not fit the keys", "[core][batch]",
                        bloomlab::test::GrowingFilters) {
  bloomlab::test::for_each_setting<TestType>([&](const auto& parameters, const Probe& probe) {
    bloomlab::test::Implementation<TestType> made(parameters, probe, batch_keys);
    check_empty(made.filter());
    made.insert(bloomlab::test::keys(0, batch_keys));
    check_empty(made.filter());
    made.with_digests(bloomlab::test::keys(5, batch_keys), [&](const DigestBatch& digests) {
      check_places(made.filter(), digests, batch_keys - 1);
      check_places(made.filter(), digests, batch_keys + 1);
      check_places(made.filter(), digests.slice(0, 1), 2);
    });
  });
}

TEMPLATE_LIST_TEST_CASE("a filter refuses digests of too few words", "[core][batch]",
                        bloomlab::test::GrowingFilters) {
  bloomlab::test::for_each_setting<TestType>([&](const auto& parameters, const Probe& probe) {
    bloomlab::test::Implementation<TestType> made(parameters, probe, batch_keys);
    made.insert(bloomlab::test::keys(0, batch_keys));
    made.with_digests(bloomlab::test::keys(5, batch_keys), [&](const DigestBatch& digests) {
      if (digests.width == 1) {
        SUCCEED("one word a key is enough");
        return;
      }
      check_words(made.filter(), digests);
    });
  });
}
