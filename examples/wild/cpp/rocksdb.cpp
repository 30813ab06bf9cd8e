// The full filter of RocksDB for bloomlab: an SST file of all keys; RocksDB's own counters say what
// its filter answered. Sized by bits per key.
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/table.h>

#include <memory>
#include <string>

#include "exported.hpp"

namespace {

class Filter {
 public:
  explicit Filter(double bits_per_key) {
    static int number = 0;
    rocksdb::BlockBasedTableOptions table;
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(bits_per_key));
    rocksdb::Options options;
    options.create_if_missing = true;
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    rocksdb::SetPerfLevel(rocksdb::kEnableCount);
    const auto folder = std::string(std::getenv("TMPDIR")) + "/" + std::to_string(++number);
    rocksdb::DB* db = nullptr;
    if (!rocksdb::DB::Open(options, folder, &db).ok()) std::abort();
    db_.reset(db);
  }

  void add(const rocksdb::Slice& key) { db_->Put({}, key, ""); }
  void build() {
    db_->Flush({});
    db_->CompactRange({}, nullptr, nullptr);
  }
  bool has(const rocksdb::Slice& key) const {
    std::string value;
    rocksdb::get_perf_context()->Reset();
    db_->Get({}, key, &value);
    return rocksdb::get_perf_context()->bloom_sst_hit_count > 0;
  }
  uint64_t bits() const {
    rocksdb::TablePropertiesCollection tables;
    db_->GetPropertiesOfAllTables(&tables);
    uint64_t bytes = 0;
    for (const auto& [name, properties] : tables) bytes += properties->filter_size;
    return 8 * bytes;
  }

 private:
  std::unique_ptr<rocksdb::DB> db_;
};

}  // namespace

const bloomlab_filter_functions* bloomlab_filter() {
  static const auto functions = exported<Filter>("cpp/rocksdb");
  return &functions;
}
