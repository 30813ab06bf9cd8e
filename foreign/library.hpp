// A shared library with the interface of bloomlab_filter.h, loaded into this process. It knows
// nothing of the laboratory: the guard's program (foreign/runner/) is made with it too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/bloomlab_filter.h"

namespace bloomlab::foreign {

/// A library, or a function of it, that does not do what is asked.
struct LibraryRefusal {
  int status = BLOOMLAB_FAILED;  ///< a bloomlab_status
  std::string text;              ///< one line
};

/// A loaded library; it stays until the process ends.
class Library {
 public:
  /// Loads it and looks at its functions. Throws LibraryRefusal.
  explicit Library(const std::string& path);

  [[nodiscard]] const bloomlab_filter_functions& functions() const noexcept { return *functions_; }
  /// What it is, as the greeting of a program that speaks by frames (foreign/greeting.hpp).
  [[nodiscard]] std::string greeting() const;

 private:
  const bloomlab_filter_functions* functions_;
};

/// Keys one after the other, of one length, or where `offsets` says.
struct LibraryKeys {
  std::size_t count = 0;
  const std::uint8_t* bytes = nullptr;     ///< aligned for 8-byte numbers where key_bytes is 8
  const std::uint64_t* offsets = nullptr;  ///< count + 1 of them, or null where key_bytes is not 0
  std::uint64_t key_bytes = 0;             ///< bytes of every key
};

/// A filter of the library. Every call throws LibraryRefusal where a function returns no success.
class LibraryFilter {
 public:
  explicit LibraryFilter(const Library& library) : f_(library.functions()) {}
  ~LibraryFilter() { destroy(filter_); }
  LibraryFilter(const LibraryFilter&) = delete;
  LibraryFilter& operator=(const LibraryFilter&) = delete;

  [[nodiscard]] bool is_created() const noexcept { return filter_ != nullptr; }
  /// Makes it from "N BITS_PER_KEY FPR SEED OPTIONS", in place of the one before.
  void create(std::string text);
  /// @return BLOOMLAB_OK or BLOOMLAB_FULL
  int insert(const LibraryKeys& keys);
  /// @param answers room for a byte a key; what is not written stays 0xFF
  void query(const LibraryKeys& keys, std::uint8_t* answers);
  [[nodiscard]] std::uint64_t memory_bits() const { return f_.memory_bits(filter_); }
  void remove(const LibraryKeys& keys);
  [[nodiscard]] std::vector<std::uint8_t> save() const;
  void load(std::string_view saved) { load_into(filter_, saved); }
  void merge(std::string_view saved);

 private:
  void destroy(void* filter) const;
  [[nodiscard]] void* created(const std::string& text) const;
  void load_into(void* filter, std::string_view saved) const;
  /// The keys with offsets, which are made where they have one length.
  [[nodiscard]] bloomlab_keys with_offsets(const LibraryKeys& keys);
  template <class Use>
  void for_each_key(const LibraryKeys& keys, Use use);

  const bloomlab_filter_functions& f_;
  void* filter_ = nullptr;
  std::string request_;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace bloomlab::foreign
