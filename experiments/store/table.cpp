#include "experiments/store/table.hpp"

#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>

#include <stdexcept>

namespace bloomlab::experiments {
namespace {

void require_ok(const rocksdb::Status& status) {
  if (!status.ok()) throw std::runtime_error("RocksDB: " + status.ToString());
}

rocksdb::Options options_of(const TableSettings& settings) {
  rocksdb::BlockBasedTableOptions table;
  table.no_block_cache = settings.cache_bytes == 0;
  if (!table.no_block_cache) {
    table.block_cache = rocksdb::NewLRUCache(static_cast<std::size_t>(settings.cache_bytes));
  }
  if (settings.filter_bits > 0) {
    table.filter_policy.reset(
        rocksdb::NewBloomFilterPolicy(static_cast<double>(settings.filter_bits)));
  }
  rocksdb::Options options;
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.compression = rocksdb::kSnappyCompression;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.statistics = rocksdb::CreateDBStatistics();
  options.statistics->set_stats_level(rocksdb::StatsLevel::kDisableAll);
  return options;
}

}  // namespace

Table::Table(const std::filesystem::path& folder, const TableSettings& settings,
             std::span<const std::uint64_t> keys,
             const std::function<void(std::uint64_t key, std::string& text)>& write_key,
             const std::function<void(std::uint64_t key, std::string& value)>& write_value) {
  std::filesystem::create_directory(folder);
  const rocksdb::Options options = options_of(settings);
  statistics_ = options.statistics;
  const std::string file = (folder / "table").string();
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), options);
  require_ok(writer.Open(file));
  require_ok(writer.Put("!", "before every key"));
  std::string text;
  std::string value;
  for (const std::uint64_t key : keys) {
    write_key(key, text);
    write_value(key, value);
    require_ok(writer.Put(text, value));
  }
  require_ok(writer.Put("~", "behind every key"));
  require_ok(writer.Finish());
  rocksdb::DB* base = nullptr;
  require_ok(rocksdb::DB::Open(options, (folder / "base").string(), &base));
  base_.reset(base);
  rocksdb::IngestExternalFileOptions moved;
  moved.move_files = true;
  require_ok(base_->IngestExternalFile({file}, moved));
}

bool Table::find(std::string_view key) {
  value_.Reset();
  const rocksdb::Status status = base_->Get(rocksdb::ReadOptions(), base_->DefaultColumnFamily(),
                                            {key.data(), key.size()}, &value_);
  if (status.IsNotFound()) return false;
  require_ok(status);
  return true;
}

void Table::start_counting() {
  require_ok(statistics_->Reset());
  statistics_->set_stats_level(rocksdb::StatsLevel::kExceptHistogramOrTimers);
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
  rocksdb::get_perf_context()->Reset();
}

TableCounts Table::stop_counting() {
  const auto count = [this](rocksdb::Tickers what) { return statistics_->getTickerCount(what); };
  const rocksdb::PerfContext& context = *rocksdb::get_perf_context();
  const TableCounts counts = {.lookups = count(rocksdb::NUMBER_KEYS_READ),
                              .found = count(rocksdb::GET_HIT_L0) + count(rocksdb::GET_HIT_L1) +
                                       count(rocksdb::GET_HIT_L2_AND_UP),
                              .filtered = count(rocksdb::BLOOM_FILTER_USEFUL),
                              .let_by = count(rocksdb::BLOOM_FILTER_FULL_POSITIVE),
                              .present_let_by = count(rocksdb::BLOOM_FILTER_FULL_TRUE_POSITIVE),
                              .blocks = context.block_cache_hit_count + context.block_read_count};
  statistics_->set_stats_level(rocksdb::StatsLevel::kDisableAll);
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
  return counts;
}

}  // namespace bloomlab::experiments
