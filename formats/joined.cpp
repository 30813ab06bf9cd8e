#include "formats/joined.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

#include "formats/foreign_filter.hpp"

namespace bloomlab::formats {
namespace {

[[noreturn]] void refuse_join() {
  throw FormatError("its filter is of another kind or size; was the file changed meanwhile?");
}

/// Position i of the bits becomes i mod m; of blocks neighbours are joined.
StoredBits fold_to(const StoredBits& bits, std::uint64_t m) {
  if (m == 0 || bits.m % m != 0 || bits.words.empty()) refuse_join();
  StoredBits small{.layout = bits.layout, .m = m, .k = bits.k};
  small.words = StoredWords((m + 63) / 64);
  if (bits.reachable != 0) small.reachable = std::min(bits.reachable, m);
  const auto own = small.words.own();
  const std::uint64_t times = bits.m / m;
  const bool in_words = times == 1 || m % 64 == 0;
  for (std::size_t i = 0; i < bits.words.size(); ++i) {
    if (bits.layout == Layout::split_block) {
      own[i / 4 / times * 4 + i % 4] |= bits.words[i];
    } else if (in_words) {
      own[i % own.size()] |= bits.words[i];
    } else {
      for (std::uint64_t rest = bits.words[i]; rest != 0; rest &= rest - 1) {
        const std::uint64_t position =
            (64 * std::uint64_t{i} + static_cast<std::uint64_t>(std::countr_zero(rest))) % m;
        own[position / 64] |= std::uint64_t{1} << (position % 64);
      }
    }
  }
  return small;
}

class ForeignOpen final : public OpenFilter {
 public:
  explicit ForeignOpen(StoredFilter filter) : filter_(std::move(filter)) {}

  Inspection told(std::optional<double> p) const override { return inspect(filter_, p); }
  std::uint64_t bits() const override { return first().m; }
  std::uint64_t bits_set() const override { return set_bits_of(first()); }
  std::optional<KeyEstimate> keys_of(std::uint64_t set) const override {
    return formats::keys_of(first(), set);
  }
  std::unique_ptr<OpenFilter> folded(std::uint64_t m) const override {
    StoredFilter small{.format = filter_.format, .version = filter_.version, .hash = filter_.hash};
    small.layers.push_back(fold_to(first(), m));
    return std::make_unique<ForeignOpen>(std::move(small));
  }
  void merge(const OpenFilter& other) override {
    join(other, [](std::uint64_t mine, std::uint64_t others) { return mine | others; });
  }
  void intersect(const OpenFilter& other) override {
    join(other, [](std::uint64_t mine, std::uint64_t others) { return mine & others; });
  }
  std::vector<std::byte> bytes() const override {
    if (filter_.format == "guava") return guava_bytes(first());
    return filter_.format == "parquet" ? parquet_filter_bytes(first())
                                       : bits_and_blooms_bytes(first());
  }

 private:
  [[nodiscard]] const StoredBits& first() const { return filter_.layers.front(); }

  template <class Join>
  void join(const OpenFilter& given, const Join& join_words) {
    const auto* const other = dynamic_cast<const ForeignOpen*>(&given);
    const auto kind = [](const ForeignOpen& one) {
      return std::tie(one.filter_.format, one.filter_.version, one.filter_.hash, one.first().layout,
                      one.first().m, one.first().k);
    };
    if (other == nullptr || kind(*other) != kind(*this)) refuse_join();
    const auto own = filter_.layers.front().words.own();
    const StoredWords& others = other->first().words;
    if (own.size() != others.size()) refuse_join();
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = join_words(own[i], others[i]);
  }

  StoredFilter filter_;
};

double square(double value) { return value * value; }

double variance_of(const KeyEstimate& keys) { return square((keys.high - keys.keys) / 1.959964); }

}  // namespace

std::unique_ptr<OpenFilter> open_foreign(StoredFilter filter) {
  return std::make_unique<ForeignOpen>(std::move(filter));
}

bool is_written(std::string_view format) {
  const auto foreign = written_formats();
  return format == "bloomlab" || std::ranges::find(foreign, format) != foreign.end();
}

std::string differences(const Inspection& one, const Inspection& other) {
  std::string text;
  const auto compare = [&](std::string_view what, const auto& first, const auto& second,
                           const auto& shown) {
    if (first == second) return;
    text += (text.empty() ? "" : ", ") + std::string(what) + " (" + shown(first) + ", " +
            shown(second) + ")";
  };
  const auto itself = [](const std::string& value) { return value; };
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  if (one.format != other.format) {  // which differ in all that follows from it
    compare("format", one.format, other.format, itself);
    return text;
  }
  compare("version", one.version, other.version, itself);
  compare("layout", one.layout, other.layout, itself);
  compare("hash", one.hash, other.hash, itself);
  compare("k", one.k, other.k, number);
  return text;
}

void Joined::add(const OpenFilter& filter) {
  std::unique_ptr<OpenFilter> small;
  if (filter.bits() != m_) small = filter.folded(m_);
  const OpenFilter& one = small ? *small : filter;
  if (count_ == 0) {
    merged_ = one.folded(m_);
    common_ = one.folded(m_);
  } else {
    merged_->merge(one);
    common_->intersect(one);
  }
  count_keys(one);
  ++count_;
}

std::optional<KeyEstimate> Joined::keys_of(std::uint64_t set) {
  const auto [entry, is_new] = estimates_.try_emplace(set);
  if (is_new) entry->second = merged_->keys_of(set);
  return entry->second;
}

double Joined::variance_at(double keys) {
  std::uint64_t low = 0;
  for (std::uint64_t high = m_; high - low > 1;) {
    const std::uint64_t middle = low + (high - low) / 2;
    const auto estimate = keys_of(middle);
    (estimate && estimate->keys <= keys ? low : high) = middle;
  }
  const auto estimate = keys_of(low);
  return estimate ? variance_of(*estimate) : 0.0;
}

/// Keys of two filters are estimated with a covariance that is the variance for the keys common to
/// both: of a filter and the union, the variance of the filter's own. So the variance of
/// n1 + n2 + ... - n is that of n, less those of all filters, and twice that of the common keys for
/// every pair. Variances grow faster than keys: those of the pairs of one filter are at most as
/// many times that of the keys which it has in common with all before.
void Joined::count_keys(const OpenFilter& one) {
  const auto own = keys_of(one.bits_set());  // of one kind and size with the union
  const auto now = keys_of(merged_->bits_set());
  if (own && now) {  // the union of a filter whose bits do not tell does not either
    const double before = keys_ ? keys_->keys : 0.0;
    const double again = std::clamp(before + own->keys - now->keys, 0.0, own->keys);
    sum_ += own->keys;
    variance_ -= variance_of(*own);
    if (count_ > 0) {
      variance_ += 2.0 * static_cast<double>(count_) * variance_at(again);
    }
  }
  keys_ = now;
}

std::optional<KeyEstimate> Joined::repeated() const {
  if (!keys_) return std::nullopt;
  const double keys = std::max(0.0, sum_ - keys_->keys);
  return detail::with_interval(keys, std::sqrt(std::max(0.0, variance_ + variance_of(*keys_))));
}

double any_reports(std::span<const double> rates) {
  double log_none = 0.0;
  for (const double rate : rates) log_none += std::log1p(-std::min(1.0, rate));
  return -std::expm1(log_none);
}

double all_report(std::span<const double> rates) {
  double all = 1.0;
  for (const double rate : rates) all *= std::min(1.0, rate);
  return all;
}

}  // namespace bloomlab::formats
