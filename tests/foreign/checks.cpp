#include "tests/foreign/checks.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/foreign/examples.hpp"

namespace bloomlab::tests {

void check_filter(const foreign::Target& target, std::uint64_t least, std::uint64_t most) {
  const auto filter = foreign::start(target);
  CHECK(filter->description().name == "my_filter");
  CHECK(filter->description().deterministic);
  filter->create({.n = 1000, .bits_per_key = 10.0, .seed = 7});
  CHECK(filter->memory_bits() >= 10'000);
  CHECK(filter->memory_bits() <= 10'064);
  const auto inserted = numbers(0, 1000);
  const auto absent = numbers(1000, 20'000);
  CHECK(filter->insert(KeyBatch::integers(inserted, 8)));
  CHECK(filter->count_contained(KeyBatch::integers(inserted, 8)) == 1000);
  const std::uint64_t reported = filter->count_contained(KeyBatch::integers(absent, 8));
  CHECK(reported >= least);
  CHECK(reported <= most);

  // Equal requests and keys give equal answers; another one empties the filter.
  filter->create({.n = 1000, .bits_per_key = 10.0, .seed = 7});
  CHECK(filter->count_contained(KeyBatch::integers(absent, 8)) == 0);
  filter->insert(KeyBatch::integers(inserted, 8));
  CHECK(filter->count_contained(KeyBatch::integers(absent, 8)) == reported);
}

void check_keys(const foreign::Target& target) {
  const auto filter = foreign::start(target);
  filter->create({.n = 1000, .bits_per_key = 20.0});
  const std::string long_key(1 << 20, '\xC3');
  const std::vector<std::string_view> keys = {
      "", std::string_view("\0", 1), "\n", "\xFF\xFE", "a b", long_key, "twice", "twice"};
  filter->insert(KeyBatch::texts(keys));
  std::vector<Answer> answers(keys.size());
  filter->query(KeyBatch::texts(keys), answers);
  CHECK(answers == std::vector<Answer>(keys.size(), Answer::maybe));
  const std::vector<std::string_view> others = {"b", std::string_view("\0\0", 2), "Twice"};
  CHECK(filter->count_contained(KeyBatch::texts(others)) == 0);

  const std::vector<std::uint64_t> integer = {0x0102030405060708};
  filter->insert(KeyBatch::integers(integer, 8));
  const std::vector<std::string_view> same = {"\x08\x07\x06\x05\x04\x03\x02\x01"};
  CHECK(filter->count_contained(KeyBatch::texts(same)) == 1);
  const std::vector<std::string_view> low_half = {"\x08\x07\x06\x05"};
  CHECK(filter->count_contained(KeyBatch::texts(low_half)) == 0);
  filter->insert(KeyBatch::integers(integer, 4));
  CHECK(filter->count_contained(KeyBatch::texts(low_half)) == 1);
  CHECK(filter->count_contained(KeyBatch::texts({})) == 0);
}

}  // namespace bloomlab::tests
