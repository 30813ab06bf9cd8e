// A table of keys and values in a RocksDB: one file that no lookup of a key misses.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/statistics.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bloomlab::experiments {

/// How RocksDB keeps it.
struct TableSettings {
  std::uint64_t filter_bits = 0;  ///< per key, of RocksDB's own full filter; 0: none
  std::uint64_t cache_bytes = 0;  ///< of the block cache; 0: none
};

/// What RocksDB's statistics say of the lookups since the counts before.
struct TableCounts {
  std::uint64_t lookups = 0;         ///< its calls
  std::uint64_t found = 0;           ///< keys that were there
  std::uint64_t filtered = 0;        ///< lookups that its own filter ended
  std::uint64_t let_by = 0;          ///< those that it let by
  std::uint64_t present_let_by = 0;  ///< those of keys that were there
  std::uint64_t blocks = 0;          ///< data blocks searched, by all tables of the thread
};

/// Not for use by several threads. What RocksDB refuses is thrown as std::runtime_error.
class Table {
 public:
  /// Two keys more stand at both ends, so that every key of digits and small letters lies within
  /// the file and its filter is asked.
  /// @param folder a new one is made here   @param keys numbers in the order of their texts
  /// @param write_key, write_value give the text and the value of a number
  Table(const std::filesystem::path& folder, const TableSettings& settings,
        std::span<const std::uint64_t> keys,
        const std::function<void(std::uint64_t key, std::string& text)>& write_key,
        const std::function<void(std::uint64_t key, std::string& value)>& write_value);

  /// Whether the key is there; its value is then value().
  [[nodiscard]] bool find(std::string_view key);
  [[nodiscard]] std::string_view value() const { return {value_.data(), value_.size()}; }

  /// Counts from now on; counting takes time.
  void start_counting();
  /// What was counted; counts no more.
  [[nodiscard]] TableCounts stop_counting();

 private:
  std::shared_ptr<rocksdb::Statistics> statistics_;
  std::unique_ptr<rocksdb::DB> base_;
  rocksdb::PinnableSlice value_;
};

}  // namespace bloomlab::experiments
