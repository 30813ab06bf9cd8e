// A Bloom filter for bloomlab as a shared library in C++: whole batches of integers, for speed.
//     c++ -std=c++17 -O2 -fPIC -shared -I <folder of bloomlab_filter.h> my_filter.cpp -o
//     libmy_filter.so
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <vector>

#include "bloomlab_filter.h"

namespace {

/// All bits of a key stand in one word of 64 bits: one access to memory a key.
class MyFilter {
 public:
  MyFilter(std::uint64_t n, double bits_per_key, std::uint64_t seed)
      : words_(static_cast<std::size_t>(static_cast<double>(n) * bits_per_key / 64.0) + 1),
        seed_(mixed(seed)) {}

  [[nodiscard]] std::uint64_t bits() const { return words_.size() * 64; }
  void insert(std::uint64_t key) {
    const std::uint64_t digest = mixed(key ^ seed_);
    words_[place(digest)] |= mask(digest);
  }
  [[nodiscard]] bool contains(std::uint64_t key) const {
    const std::uint64_t digest = mixed(key ^ seed_);
    return (mask(digest) & ~words_[place(digest)]) == 0;
  }

  /// The mixer of SplitMix64 (Steele, Lea and Flood 2014).
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }

 private:
  [[nodiscard]] std::size_t place(std::uint64_t digest) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::size_t>(static_cast<Wide>(digest) * words_.size() >> 64);
  }
  /// Four bits, from the low end of the digest; the place comes from the high end.
  static std::uint64_t mask(std::uint64_t digest) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 4; ++i) bits |= std::uint64_t{1} << (digest >> 6 * i & 63);
    return bits;
  }

  std::vector<std::uint64_t> words_;
  std::uint64_t seed_;
};

/// A key of any bytes as an integer; one of 8 bytes is the integer that it is.
std::uint64_t integer_of(const std::uint8_t* key, std::size_t length) {
  if (length == 8) {
    std::uint64_t value = 0;
    for (int i = 7; i >= 0; --i) value = value << 8 | key[i];
    return value;
  }
  std::uint64_t value = length + 1;
  for (std::size_t i = 0; i < length; ++i) value = MyFilter::mixed(value ^ key[i]) + i;
  return value;
}

MyFilter& mine(void* filter) { return *static_cast<MyFilter*>(filter); }
const MyFilter& mine(const void* filter) { return *static_cast<const MyFilter*>(filter); }

int create(const bloomlab_request* request, void** filter) {
  if (!(request->bits_per_key > 0)) {
    std::snprintf(request->message, request->message_size, "my_filter is sized by bits_per_key");
    return BLOOMLAB_BAD_ARGUMENT;
  }
  try {
    *filter = new MyFilter(request->n, request->bits_per_key, request->seed);
    return BLOOMLAB_OK;
  } catch (const std::bad_alloc&) {
    return BLOOMLAB_NO_MEMORY;
  }
}

void destroy(void* filter) { delete static_cast<MyFilter*>(filter); }
std::uint64_t memory_bits(const void* filter) { return mine(filter).bits(); }

int insert_one(void* filter, const std::uint8_t* key, std::size_t length) {
  mine(filter).insert(integer_of(key, length));
  return BLOOMLAB_OK;
}
int query_one(const void* filter, const std::uint8_t* key, std::size_t length) {
  return mine(filter).contains(integer_of(key, length)) ? 1 : 0;
}
int insert_integers(void* filter, const std::uint64_t* keys, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) mine(filter).insert(keys[i]);
  return BLOOMLAB_OK;
}
int query_integers(const void* filter, const std::uint64_t* keys, std::size_t count,
                   std::uint8_t* answers) {
  const MyFilter& asked = mine(filter);
  for (std::size_t i = 0; i < count; ++i) answers[i] = asked.contains(keys[i]) ? 1 : 0;
  return BLOOMLAB_OK;
}

}  // namespace

const bloomlab_filter_functions* bloomlab_filter() {
  static const bloomlab_filter_functions functions = [] {
    bloomlab_filter_functions f{};
    f.abi = BLOOMLAB_FILTER_ABI;
    f.size = sizeof f;
    f.name = "my_filter";
    f.version = "1.0";
    f.help = "no options; sized by bits_per_key";
    f.flags = BLOOMLAB_PARALLEL_QUERIES;
    f.create = create;
    f.destroy = destroy;
    f.memory_bits = memory_bits;
    f.insert_one = insert_one;
    f.query_one = query_one;
    f.insert_integers = insert_integers;
    f.query_integers = query_integers;
    return f;
  }();
  return &functions;
}
