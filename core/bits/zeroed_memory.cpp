#include "core/bits/zeroed_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#define BLOOMLAB_HAS_MMAP 1
#endif

namespace bloomlab {
namespace {

constexpr std::size_t cache_line_bytes = 64;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
// From here on the last huge page is asked for whole: it spares at most a fifth of the memory.
constexpr std::size_t least_rounded_bytes = 4 * huge_page_bytes;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

void* align_up(void* address, std::size_t alignment) noexcept {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  return static_cast<char*>(address) + ((alignment - value % alignment) % alignment);
}

}  // namespace

AllocationError::AllocationError(std::uint64_t bytes)
    : text_("cannot allocate " + std::to_string(bytes) +
            " bytes for a filter; choose a smaller m or free memory") {}

ZeroedMemory::ZeroedMemory(std::size_t size, FilterMemory* source) : size_(size), source_(source) {
  if (size == 0) return;
  constexpr std::size_t slack = huge_page_bytes;
  if (size > (std::numeric_limits<std::size_t>::max() - 2 * slack) / sizeof(std::uint64_t)) {
    throw AllocationError(std::numeric_limits<std::uint64_t>::max());
  }
  const std::size_t bytes = size * sizeof(std::uint64_t);
  if (source != nullptr) {
    block_ = source->allocate(bytes, cache_line_bytes);
    words_ = static_cast<std::uint64_t*>(block_);
    std::fill_n(words_, size, std::uint64_t{0});
    return;
  }
#if defined(BLOOMLAB_HAS_MMAP)
  if (bytes >= huge_page_bytes) {
    // The slack lets the words start on a huge page, so that all of them can be on huge pages: a
    // last one that the mapping cut off would not be given.
    const std::size_t pages =
        bytes >= least_rounded_bytes ? round_up(bytes, huge_page_bytes) : bytes;
    void* block =
        ::mmap(nullptr, pages + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) throw AllocationError(bytes);
    block_ = block;
    mapped_bytes_ = pages + slack;
    void* start = align_up(block, huge_page_bytes);
    ::madvise(start, pages, MADV_HUGEPAGE);  // a wish: where it is refused, small pages do
    words_ = static_cast<std::uint64_t*>(start);
    return;
  }
#endif
  block_ = std::calloc(bytes + cache_line_bytes, 1);
  if (block_ == nullptr) throw AllocationError(bytes);
  words_ = static_cast<std::uint64_t*>(align_up(block_, cache_line_bytes));
}

ZeroedMemory::ZeroedMemory(ZeroedMemory&& other) noexcept
    : words_(std::exchange(other.words_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      block_(std::exchange(other.block_, nullptr)),
      mapped_bytes_(std::exchange(other.mapped_bytes_, 0)),
      source_(std::exchange(other.source_, nullptr)) {}

ZeroedMemory& ZeroedMemory::operator=(ZeroedMemory&& other) noexcept {
  if (this != &other) {
    release();
    words_ = std::exchange(other.words_, nullptr);
    size_ = std::exchange(other.size_, 0);
    block_ = std::exchange(other.block_, nullptr);
    mapped_bytes_ = std::exchange(other.mapped_bytes_, 0);
    source_ = std::exchange(other.source_, nullptr);
  }
  return *this;
}

ZeroedMemory::ZeroedMemory(const ZeroedMemory& other) : ZeroedMemory(other.size_) {
  std::copy_n(other.words_, other.size_, words_);
}

ZeroedMemory& ZeroedMemory::operator=(const ZeroedMemory& other) {
  if (this != &other) *this = ZeroedMemory(other);
  return *this;
}

ZeroedMemory ZeroedMemory::borrow(std::span<const std::uint64_t> words) noexcept {
  ZeroedMemory memory;
  memory.words_ = const_cast<std::uint64_t*>(words.data());
  memory.size_ = words.size();
  return memory;
}

ZeroedMemory::~ZeroedMemory() { release(); }

void ZeroedMemory::release() noexcept {
  if (source_ != nullptr) {
    if (block_ != nullptr) {
      source_->deallocate(block_, size_ * sizeof(std::uint64_t), cache_line_bytes);
    }
    return;
  }
#if defined(BLOOMLAB_HAS_MMAP)
  if (mapped_bytes_ != 0) {
    ::munmap(block_, mapped_bytes_);
    return;
  }
#endif
  std::free(block_);
}

}  // namespace bloomlab
