// Filters in memory that the program gives.

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <utility>

#include "core/bits/pmr_memory.hpp"
#include "core/catalogue.hpp"
#include "core/keyed_filter.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::keys;

namespace {

/// Memory full of ones, that counts what is out.
class CountedMemory final : public std::pmr::memory_resource {
 public:
  std::size_t bytes_out = 0;
  std::size_t blocks_given = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    bytes_out += bytes;
    ++blocks_given;
    auto* block = static_cast<unsigned char*>(::operator new(bytes, std::align_val_t(alignment)));
    std::fill_n(block, bytes, std::uint8_t{0xff});
    return block;
  }
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    bytes_out -= bytes;
    ::operator delete(block, std::align_val_t(alignment));
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }
};

template <class Filter>
void check_in_own_memory(const typename Filter::Parameters& parameters) {
  INFO(Filter::name);
  using Keyed = KeyedFilter<XxHash3_64, Filter>;
  CountedMemory resource;
  PmrMemory memory(resource);
  {
    Keyed filter(parameters, memory, 5);
    CHECK(resource.bytes_out == parameters.m / 8);
    CHECK(reinterpret_cast<std::uintptr_t>(filter.filter().bits().words().data()) % 64 == 0);
    CHECK(filter.filter().bits().popcount() == 0);
    filter.insert(keys(0, 500));
    Keyed elsewhere(parameters, 5);
    elsewhere.insert(keys(0, 500));
    CHECK(filter == elsewhere);

    Keyed copy = filter;
    CHECK(resource.blocks_given == 1);
    const std::uint64_t* const words = filter.filter().bits().words().data();
    Keyed moved = std::move(filter);
    CHECK(moved.filter().bits().words().data() == words);
    CHECK(resource.blocks_given == 1);
    elsewhere = std::move(moved);
    CHECK(resource.bytes_out == parameters.m / 8);
    CHECK(elsewhere == copy);
    elsewhere = copy;
    CHECK(resource.bytes_out == 0);
  }
  CHECK(resource.bytes_out == 0);
}

}  // namespace

TEST_CASE("the bits of a filter stand in the memory that it is given", "[core][memory]") {
  check_in_own_memory<Standard>({.m = 12800, .k = 7});
  check_in_own_memory<SplitBlock>({.m = 12800});
  check_in_own_memory<Blocked>({.m = 12800, .k = 7, .block_bits = 512});
  check_in_own_memory<RegisterBlocked>({.m = 12800, .k = 3, .word_bits = 64});
  check_in_own_memory<Multiblock>({.m = 12800, .k = 4});
}

TEST_CASE("no memory is taken for bad parameters, and none is held without", "[core][memory]") {
  CountedMemory resource;
  PmrMemory memory(resource);
  CHECK_THROWS_AS(KeyedFilter<>({.m = 100, .k = 0}, memory), std::invalid_argument);
  CHECK(resource.blocks_given == 0);
  std::array<std::byte, 256> room;
  std::pmr::monotonic_buffer_resource small(room.data(), room.size(),
                                            std::pmr::null_memory_resource());
  PmrMemory little(small);
  CHECK_THROWS_AS(KeyedFilter<>({.m = 100000, .k = 5}, little), std::bad_alloc);
}
