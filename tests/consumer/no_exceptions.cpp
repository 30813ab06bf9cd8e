// A program that is compiled without exceptions: filters are made by functions that return none
// where the parameters are bad. With an argument it makes a bad filter as others do, which must end
// it with the text of the error.
#include <bloomlab/core/filters/split_block.hpp>
#include <bloomlab/core/keyed_filter.hpp>
#include <cstdint>
#include <vector>

int main(int argc, char** /*argv*/) {
  using Lines = bloomlab::KeyedFilter<bloomlab::MultiplyMix64, bloomlab::SplitBlock>;
  if (argc > 1) return bloomlab::KeyedFilter<>({.m = 100, .k = 0}).contains(1) ? 1 : 0;
  if (Lines::try_make({.m = 100}) || bloomlab::KeyedFilter<>::try_for_items(0, 0.01)) return 1;
  auto one = bloomlab::KeyedFilter<>::try_for_items(1000, 0.01);
  auto lines = Lines::try_make({.m = 25600});
  if (!one || !lines) return 2;
  auto other = *one;
  one->insert("a text");
  other.insert(std::vector<std::uint64_t>{1, 2, 3});
  lines->insert(7);
  lines->parallel_insert(std::vector<std::uint64_t>{8, 9}, 2);
  if (!one->is_compatible(other) || !one->merge(other)) return 3;
  std::vector<bloomlab::Answer> answers(3);
  one->contains(std::vector<std::uint64_t>{1, 2, 3}, answers);
  for (const bloomlab::Answer answer : answers) {
    if (answer == bloomlab::Answer::absent) return 4;
  }
  return one->contains("a text") && lines->contains(7) && lines->contains(9) &&
                 one->health(0.01).keys_left > 0
             ? 0
             : 5;
}
