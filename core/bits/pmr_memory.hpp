// A std::pmr::memory_resource as the memory of filters.
//
//     std::pmr::monotonic_buffer_resource arena;
//     bloomlab::PmrMemory memory(arena);
//     bloomlab::KeyedFilter<> seen({.m = 1 << 20, .k = 7}, memory);
#pragma once

#include <cstddef>
#include <memory_resource>

#include "core/bits/filter_memory.hpp"

namespace bloomlab {

/// The resource, which must outlive this.
class PmrMemory final : public FilterMemory {
 public:
  explicit PmrMemory(std::pmr::memory_resource& resource) noexcept : resource_(&resource) {}

  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) override {
    return resource_->allocate(bytes, alignment);
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
    resource_->deallocate(memory, bytes, alignment);
  }

 private:
  std::pmr::memory_resource* resource_;
};

}  // namespace bloomlab
