// The filter of LevelDB as a shared library for bloomlab: made of all keys at once, and sized by
// whole bits per key.
#include <leveldb/filter_policy.h>
#include <leveldb/slice.h>

#include <memory>
#include <string>
#include <vector>

#include "exported.hpp"

namespace {

class Filter {
 public:
  explicit Filter(double bits_per_key)
      : policy_(leveldb::NewBloomFilterPolicy(static_cast<int>(std::ceil(bits_per_key)))) {
    build();
  }

  void add(const leveldb::Slice& key) { keys_.push_back(key.ToString()); }
  void build() {
    const std::vector<leveldb::Slice> slices(keys_.begin(), keys_.end());
    built_.clear();
    policy_->CreateFilter(slices.data(), static_cast<int>(slices.size()), &built_);
  }
  bool has(const leveldb::Slice& key) const { return policy_->KeyMayMatch(key, built_); }
  /// The last byte is the number of probes.
  uint64_t bits() const { return 8 * (built_.size() - 1); }

 private:
  std::unique_ptr<const leveldb::FilterPolicy> policy_;
  std::vector<std::string> keys_;
  std::string built_;
};

}  // namespace

const bloomlab_filter_functions* bloomlab_filter() {
  static const auto functions = exported<Filter>("cpp/leveldb");
  return &functions;
}
