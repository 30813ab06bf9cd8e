#include <bloomlab/core/keyed_filter.hpp>
#include <iostream>

int main() {
  bloomlab::KeyedFilter<bloomlab::XxHash3_64, bloomlab::Standard> seen({.m = 1 << 20, .k = 7});
  seen.insert("a text");
  seen.insert(42);
  const bool right = seen.contains("a text") == bloomlab::Answer::maybe &&
                     seen.contains(42) == bloomlab::Answer::maybe &&
                     seen.contains("another") == bloomlab::Answer::absent;
  std::cout << (right ? "right\n" : "wrong\n");
  return right ? 0 : 1;
}
