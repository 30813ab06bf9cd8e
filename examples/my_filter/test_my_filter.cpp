// What only you can promise of your filter is tested here; the laboratory measures the rest.
#include <cstdio>
#include <string>

#include "my_filter.hpp"

int main() {
  MyFilter filter(10'000);
  for (int i = 0; i < 1000; ++i) filter.insert("key " + std::to_string(i));
  int denied = 0;
  for (int i = 0; i < 1000; ++i) denied += filter.contains("key " + std::to_string(i)) ? 0 : 1;
  if (denied == 0) return 0;
  std::printf("my_filter denies %d of 1000 inserted keys\n", denied);
  return 1;
}
