// A block of zeroed words for big arrays: pages come from the operating system when they are first
// written, and a block of 2 MiB or more asks for huge pages (2-35 % faster random access).
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>

#include "core/bits/filter_memory.hpp"

namespace bloomlab {

/// Thrown when the memory of a filter cannot be had; what() says how much was asked for.
class AllocationError : public std::bad_alloc {
 public:
  explicit AllocationError(std::uint64_t bytes);
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Owns `size` zeroed 64-bit words, aligned to a cache line (64 bytes), or borrows words that
/// somebody else owns, to be read only. A copy owns its words. Views of a temporary's own memory
/// are deleted here and wherever else a type hands them out: a range-for would walk them after the
/// temporary is gone.
class ZeroedMemory {
 public:
  ZeroedMemory() = default;
  /// @param size number of words, >= 0   @param source where they come from; none: from the
  /// operating system. Throws AllocationError, or what the source throws.
  explicit ZeroedMemory(std::size_t size, FilterMemory* source = nullptr);
  ZeroedMemory(ZeroedMemory&& other) noexcept;
  ZeroedMemory& operator=(ZeroedMemory&& other) noexcept;
  ZeroedMemory(const ZeroedMemory& other);
  ZeroedMemory& operator=(const ZeroedMemory& other);
  ~ZeroedMemory();

  /// A view of words that outlive it and every object that it is moved to; nobody may write to them
  /// through it.
  [[nodiscard]] static ZeroedMemory borrow(std::span<const std::uint64_t> words) noexcept;

  [[nodiscard]] std::uint64_t* data() & noexcept { return words_; }
  [[nodiscard]] const std::uint64_t* data() const& noexcept { return words_; }
  void data() const&& = delete;
  /// Number of words.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<std::uint64_t> words() & noexcept { return {words_, size_}; }
  [[nodiscard]] std::span<const std::uint64_t> words() const& noexcept { return {words_, size_}; }
  void words() const&& = delete;

 private:
  void release() noexcept;

  std::uint64_t* words_ = nullptr;
  std::size_t size_ = 0;
  void* block_ = nullptr;         // what was allocated; words_ is an aligned place in it
  std::size_t mapped_bytes_ = 0;  // 0: the block is from the heap, or from the source
  FilterMemory* source_ = nullptr;
};

}  // namespace bloomlab
