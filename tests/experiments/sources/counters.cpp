// The sources whose keys are a function of a counter: uniform, sequential, numbered.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/keys/keyed_permutation.hpp"
#include "experiments/sources/numbered.hpp"
#include "experiments/sources/sequential.hpp"
#include "experiments/sources/uniform.hpp"

namespace bloomlab::experiments {
namespace {

std::vector<std::uint64_t> copy_of(const KeyBatch& batch) {
  return {batch.values().begin(), batch.values().end()};
}

std::vector<std::string> texts(const KeyBatch& batch) {
  return {batch.texts().begin(), batch.texts().end()};
}

}  // namespace

TEMPLATE_TEST_CASE(
    "inserted keys and absent keys never meet and no key comes twice, at two million keys",
    "[experiments][sources]", Uniform, Sequential) {
  constexpr std::size_t n = 1'200'000;
  constexpr std::size_t q = 800'000;
  const typename TestType::Keys keys({}, 20211121, n, q);
  KeyBuffer buffer;
  std::vector<std::uint64_t> all = copy_of(keys.inserted_keys(0, n, buffer));
  const std::vector<std::uint64_t> absent_keys = copy_of(keys.absent_keys(0, q, buffer));
  all.insert(all.end(), absent_keys.begin(), absent_keys.end());
  REQUIRE(all.size() == n + q);
  std::ranges::sort(all);
  CHECK(std::ranges::adjacent_find(all) == all.end());
}

TEMPLATE_TEST_CASE("a batch from the middle holds the keys that stand there",
                   "[experiments][sources]", Uniform, Sequential) {
  const typename TestType::Keys keys({}, 7, 1000, 1000);
  KeyBuffer buffer;
  const auto inserted_keys = copy_of(keys.inserted_keys(0, 1000, buffer));
  const auto absent_keys = copy_of(keys.absent_keys(0, 1000, buffer));
  const auto middle = copy_of(keys.inserted_keys(333, 67, buffer));
  CHECK(std::ranges::equal(middle, std::span(inserted_keys).subspan(333, 67)));
  const auto last = copy_of(keys.absent_keys(999, 1, buffer));
  CHECK(last.front() == absent_keys.back());
  CHECK(keys.inserted_keys(0, 3, buffer).integer_bytes() == 8);
}

TEST_CASE("uniform keys are the permutation of the trial's seed at 0, 1, 2, ...",
          "[experiments][sources]") {
  const Uniform::Keys keys({}, 99, 10, 10);
  const KeyedPermutation permutation(99);
  KeyBuffer buffer;
  CHECK(keys.inserted_keys(0, 10, buffer).values()[4] == permutation(4));
  CHECK(keys.absent_keys(0, 10, buffer).values()[4] == permutation(14));
  const Uniform::Keys others({}, 100, 10, 10);
  CHECK(others.inserted_keys(0, 1, buffer).values()[0] != permutation(0));
}

TEST_CASE("sequential keys count from 0, absent keys from n", "[experiments][sources]") {
  const Sequential::Keys keys({}, 99, 10, 10);
  KeyBuffer buffer;
  CHECK(copy_of(keys.inserted_keys(0, 3, buffer)) == std::vector<std::uint64_t>{0, 1, 2});
  CHECK(copy_of(keys.absent_keys(0, 3, buffer)) == std::vector<std::uint64_t>{10, 11, 12});
}

TEST_CASE("numbered keys are texts that count from 0, absent keys from n",
          "[experiments][sources]") {
  const Numbered::Keys keys({"user{}@example.com", {}}, 99, 9, 10);
  KeyBuffer buffer;
  CHECK(texts(keys.inserted_keys(7, 2, buffer)) ==
        std::vector<std::string>{"user7@example.com", "user8@example.com"});
  CHECK(texts(keys.absent_keys(0, 2, buffer)) ==
        std::vector<std::string>{"user9@example.com", "user10@example.com"});
  CHECK(texts(Numbered::Keys({"{}", {}}, 0, 1, 1).inserted_keys(0, 1, buffer)) ==
        std::vector<std::string>{"0"});
}

TEST_CASE("a numbered pattern has one place for the number", "[experiments][sources][errors]") {
  const char* text = GENERATE("user@example.com", "{}{}", "a{}b{}");
  CHECK_THROWS_WITH(Numbered::supply({text, {}}),
                    "the pattern \"" + std::string(text) +
                        "\" must have one {} where the number stands, as in "
                        "\"user{}@example.com\"");
}

TEST_CASE("numbered keys with the largest numbers fit", "[experiments][sources]") {
  const Numbered::Keys keys({"a{}b", {}}, 0, std::uint64_t{1} << 63U, 4);
  KeyBuffer buffer;
  const KeyBatch last = keys.absent_keys(0, 2, buffer);
  CHECK(last.texts()[0] == "a9223372036854775808b");
  CHECK(last.texts()[1] == "a9223372036854775809b");
}

TEST_CASE("numbers of some digits are drawn from one form, each at most once",
          "[experiments][sources]") {
  // All numbers of three digits, so each has to come once.
  const Numbered::Parameters parameters{"/page{}.html", 3};
  CHECK(Numbered::supply(parameters) == 1000);
  const Numbered::Keys keys(parameters, 99, 400, 600);
  KeyBuffer buffer;
  const std::vector<std::string> inserted = texts(keys.inserted_keys(0, 400, buffer));
  const std::vector<std::string> absent = texts(keys.absent_keys(0, 600, buffer));
  CHECK(texts(keys.absent_keys(599, 1, buffer)).front() == absent.back());
  std::vector<std::string> all = inserted;
  all.insert(all.end(), absent.begin(), absent.end());
  CHECK(std::ranges::all_of(all, [](const std::string& key) {
    return key.size() == 13 && key.starts_with("/page") && key.ends_with(".html");
  }));
  CHECK(all != texts(Numbered::Keys(parameters, 100, 1000, 0).inserted_keys(0, 1000, buffer)));
  std::ranges::sort(all);
  CHECK(std::ranges::adjacent_find(all) == all.end());
  CHECK(all.front() == "/page000.html");
  CHECK(all.back() == "/page999.html");
}

TEST_CASE("drawn numbers depend on the seed, counted ones do not", "[experiments][sources]") {
  KeyBuffer buffer;
  const auto first = [&](const Numbered::Parameters& p, std::uint64_t seed) {
    return texts(Numbered::Keys(p, seed, 20, 20).inserted_keys(0, 20, buffer));
  };
  CHECK(first({"{}", 5}, 1) == first({"{}", 5}, 1));
  CHECK(first({"{}", 5}, 1) != first({"{}", 5}, 2));
  CHECK(Numbered::redraws_keys({"{}", 5}));
  CHECK(first({"{}", {}}, 1) == first({"{}", {}}, 2));
  CHECK_FALSE(Numbered::redraws_keys({"{}", {}}));
}

TEST_CASE("every drawn number is as likely to be inserted as the others",
          "[experiments][sources]") {
  // A number is inserted in half of 400 trials: a binomial count with a standard deviation of 10.
  // Ten numbers and six deviations: fails by chance with a probability below 1e-7.
  std::vector<int> counts(10);
  KeyBuffer buffer;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    for (const std::string& key :
         texts(Numbered::Keys({"{}", 1}, seed, 5, 5).inserted_keys(0, 5, buffer))) {
      ++counts[static_cast<std::size_t>(key.front() - '0')];
    }
  }
  CHECK(std::ranges::all_of(counts, [](int count) { return count > 140 && count < 260; }));
}

}  // namespace bloomlab::experiments
