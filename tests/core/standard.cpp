// The standard filter: extremes, faults, and inserts that tell what was known.

#include "core/filters/standard.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::keys;
using bloomlab::test::Subject;
using Catch::Matchers::Message;

namespace {
const Probe enhanced = Probe::of<EnhancedDoubleHashing, MultiplyShift>();
}

TEST_CASE("a filter of one bit reports everything after one key", "[core][standard]") {
  for (const Probe& probe : bloomlab::test::probes()) {
    if (probe.only_k()) continue;
    for (const std::uint64_t k : {1U, 2U, 256U}) {
      Subject<Standard> subject({.m = 1, .k = k}, probe, 1);
      subject.insert(keys(0, 1));
      CHECK(subject.count_contained(keys(100, 500)) == 500);
      CHECK(subject.filter().state().conditional_rate == 1.0);
    }
  }
}

TEST_CASE("positions reach beyond 32 bits", "[core][standard]") {
  constexpr std::uint64_t m = (std::uint64_t{1} << 32) + 1;
  Subject<Standard> subject({.m = m, .k = 2}, enhanced, 20);
  subject.insert(keys(0, 20));
  const FilterState state = subject.filter().state();
  CHECK(state.bits == m);
  CHECK(state.memory_bits == m + 63);
  CHECK(state.bits_set == 40);
  CHECK(subject.count_contained(keys(0, 20)) == 20);
  CHECK(subject.count_contained(keys(100, 1000)) == 0);
}

TEST_CASE("an insert that tells what was known gives the sequential answers", "[core][standard]") {
  auto members = keys(0, 1000);
  members.insert(members.end(), members.begin(), members.begin() + 500);
  members.insert(members.begin() + 10, members.front());
  const Hasher hasher = Hasher::of<XxHash3_128>();
  DigestBuffer buffer;
  const DigestBatch digests =
      hasher.digest(KeyBatch::integers(members, 8), 3, enhanced.need(4), buffer);

  Standard batch({.m = 4000, .k = 4}, enhanced);
  std::vector<Answer> before(members.size());
  batch.insert(digests, before);

  Standard sequential({.m = 4000, .k = 4}, enhanced);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const DigestBatch one = digests.slice(i, 1);
    const bool known = sequential.count_contained(one) == 1;
    if ((before[i] == Answer::maybe) != known) FAIL("key " << i);
    sequential.insert(one);
  }
  CHECK(before[10] == Answer::maybe);
  CHECK(batch.state() == sequential.state());
}

TEST_CASE("parameters out of range are refused before anything is allocated", "[core][standard]") {
  CHECK_THROWS_MATCHES(Standard({.m = 0, .k = 1}, enhanced), std::invalid_argument,
                       Message("standard: m is 0; it must be from 1 to 281474976710656"));
  CHECK_THROWS_AS(Standard({.m = max_filter_bits + 1, .k = 1}, enhanced), std::invalid_argument);
  CHECK_THROWS_MATCHES(Standard({.m = 10, .k = 0}, enhanced), std::invalid_argument,
                       Message("standard: k is 0; it must be from 1 to 256"));
  CHECK_THROWS_MATCHES(Standard({.m = 10, .k = 257}, enhanced), std::invalid_argument,
                       Message("standard: k is 257; it must be from 1 to 256"));
}

TEST_CASE("a probe that cannot serve the parameters is refused", "[core][standard]") {
  CHECK_THROWS_MATCHES(
      Standard({.m = 10, .k = 2}, make_probe("double_hashing", "mask")), std::invalid_argument,
      Message("standard: the reduction mask does not take m = 10; choose multiply_shift or modulo, "
              "or a power of two for m"));
  CHECK_THROWS_MATCHES(Standard({.m = 10, .k = 2}, make_probe("lab_shift_xor", "modulo")),
                       std::invalid_argument,
                       Message("standard: the probe lab_shift_xor has k = 5, not 2"));
}

TEST_CASE("too few digest words are refused", "[core][standard]") {
  const Probe independent = make_probe("independent", "modulo");
  const auto some = keys(0, 4);
  DigestBuffer buffer;
  const DigestBatch digests =
      Hasher::of<XxHash3_64>().digest(KeyBatch::integers(some, 8), 1, independent.need(3), buffer);
  Standard filter({.m = 100, .k = 4}, independent);
  CHECK_THROWS_MATCHES(filter.insert(digests), std::invalid_argument,
                       Message("the probe independent needs 4 words a key for k = 4; the digests "
                               "have 3"));
  CHECK_THROWS_AS(filter.count_contained(digests), std::invalid_argument);
  CHECK(filter.state().bits_set == 0);
}
