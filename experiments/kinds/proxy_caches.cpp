#include "experiments/kinds/proxy_caches.hpp"

#include <bit>
#include <list>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "core/bits/entropy_coding.hpp"
#include "experiments/applications/draws.hpp"

namespace bloomlab::experiments {
namespace {

using ProxyPoint = ProxyCaches::Point::Parameters;

/// The documents that were used last.
class RecentlyUsed {
 public:
  explicit RecentlyUsed(std::uint64_t size) : size_(size) {}

  [[nodiscard]] bool has(std::uint64_t document) const { return places_.contains(document); }
  [[nodiscard]] const std::list<std::uint64_t>& documents() const { return order_; }

  /// Makes it the last one used; true if it was there already.
  bool use(std::uint64_t document) {
    const auto found = places_.find(document);
    if (found != places_.end()) {
      order_.splice(order_.begin(), order_, found->second);
      return true;
    }
    order_.push_front(document);
    places_[document] = order_.begin();
    if (order_.size() > size_) {
      places_.erase(order_.back());
      order_.pop_back();
    }
    return false;
  }

 private:
  std::uint64_t size_;
  std::list<std::uint64_t> order_;
  std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> places_;
};

struct WireBytes {
  std::uint64_t plain = 0;
  std::uint64_t delta = 0;
  std::uint64_t compressed = 0;
};

std::uint64_t changed_bits(const BitArray& now, const BitArray& before) {
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < now.words().size(); ++i) {
    changed += static_cast<std::uint64_t>(std::popcount(now.words()[i] ^ before.words()[i]));
  }
  return changed;
}

/// A cache and what its proxy last told the others of it.
class Proxy {
 public:
  Proxy(const MakeMembership& make, const ProxyPoint& at, std::uint64_t hash_seed)
      : cache(at.cached), make_(make), at_(at), hash_seed_(hash_seed) {
    publish(KeyedPermutation(0));
    updates = 0;
    sent = {};
  }

  /// Takes in a document; tells the others when it is time.
  void take(std::uint64_t document, const KeyedPermutation& keys) {
    cache.use(document);
    if (++new_documents_ < at_.update_after) return;
    new_documents_ = 0;
    publish(keys);
  }

  RecentlyUsed cache;
  std::unique_ptr<Membership> summary;
  std::unordered_set<std::uint64_t> summarised;
  std::uint64_t updates = 0;
  WireBytes sent;  ///< to one other

 private:
  void publish(const KeyedPermutation& keys) {
    auto next = make_(at_.bits_per_document * at_.cached, fitting_probes(at_.bits_per_document),
                      hash_seed_);
    summarised.clear();
    for (const std::uint64_t document : cache.documents()) {
      next->insert(keys(document));
      summarised.insert(document);
    }
    ++updates;
    if (summary && next->bits() != nullptr) {
      const BitArray& bits = *next->bits();
      sent.plain += (bits.size() + 7) / 8;
      sent.delta += 4 * changed_bits(bits, *summary->bits());
      sent.compressed += encode_bits(bits).size();
    }
    summary = std::move(next);
  }

  const MakeMembership& make_;
  ProxyPoint at_;
  std::uint64_t hash_seed_;
  std::uint64_t new_documents_ = 0;
};

struct ProxyCounts {
  std::uint64_t requests = 0, local_hits = 0, false_hits = 0, missed_hits = 0;
  std::uint64_t there_told = 0, there_untold = 0;
  std::uint64_t by_filter = 0, stale = 0, refused = 0;
};

/// What the summaries of the others say of a document that `self` has not, beside the truth.
void look_around(const std::vector<std::unique_ptr<Proxy>>& proxies, std::size_t self,
                 std::uint64_t document, const KeyedPermutation& keys, ProxyCounts& counts) {
  bool told_right = false, told_wrong = false, there = false;
  for (std::size_t i = 0; i < proxies.size(); ++i) {
    if (i == self) continue;
    const Proxy& other = *proxies[i];
    const bool has = other.cache.has(document);
    const bool told = other.summary->contains(keys(document));
    there |= has;
    if (has) {
      ++(told ? counts.there_told : counts.there_untold);
      told_right |= told;
    } else if (!told) {
      ++counts.refused;
    } else {
      ++(other.summarised.contains(document) ? counts.stale : counts.by_filter);
      told_wrong = true;
    }
  }
  counts.false_hits += told_wrong && !there ? 1 : 0;
  counts.missed_hits += there && !told_right ? 1 : 0;
}

}  // namespace

std::optional<std::string> ProxyCaches::check(const Parameters& /*p*/,
                                              const Point::Parameters& at) {
  if (at.cached < at.documents) return std::nullopt;
  return "cached is " + std::to_string(at.cached) + " of " + std::to_string(at.documents) +
         " documents; it must be less, or nothing ever leaves a cache";
}

std::uint64_t ProxyCaches::memory_bytes(const Point::Parameters& at) {
  return at.proxies * at.cached * (150 + at.bits_per_document / 4) + 8 * at.documents;
}

double ProxyCaches::seconds(const Parameters& p, const Point::Parameters& at) {
  const double requests = static_cast<double>(p.requests + 4 * at.proxies * at.cached);
  const double update =
      2e-7 * static_cast<double>(at.cached) / static_cast<double>(at.update_after);
  return requests * (3e-7 + 1e-7 * static_cast<double>(at.proxies) + update);
}

Measurement ProxyCaches::measure_with(const MakeMembership& make, const Parameters& p,
                                      const Point::Parameters& at, std::uint64_t seed) {
  const KeyedPermutation keys(seed);
  KeyedDraws draws(seed);
  const std::uint64_t hash_seed = draws.number();
  std::vector<std::unique_ptr<Proxy>> proxies;
  for (std::uint64_t i = 0; i < at.proxies; ++i) {
    proxies.push_back(std::make_unique<Proxy>(make, at, hash_seed));
  }
  const ZipfRanks ranks(at.documents);
  ProxyCounts counts;
  // Until every cache is full and has told so, nothing is counted.
  std::uint64_t full = 0;
  while (counts.requests < p.requests) {
    const auto self = static_cast<std::size_t>(draws.below(at.proxies));
    const std::uint64_t document = ranks(draws);
    Proxy& proxy = *proxies[self];
    const bool counted = full == at.proxies;
    counts.requests += counted ? 1 : 0;
    if (proxy.cache.has(document)) {
      proxy.cache.use(document);
      counts.local_hits += counted ? 1 : 0;
      continue;
    }
    if (counted) look_around(proxies, self, document, keys, counts);
    const bool was_full = proxy.summarised.size() == at.cached;
    proxy.take(document, keys);
    full += !was_full && proxy.summarised.size() == at.cached ? 1 : 0;
    if (!counted && full == at.proxies) {
      for (const auto& each : proxies) each->sent = {}, each->updates = 0;
    }
  }
  WireBytes sent;
  std::uint64_t updates = 0;
  for (const auto& proxy : proxies) {
    updates += proxy->updates;
    sent.plain += proxy->sent.plain * (at.proxies - 1);
    sent.delta += proxy->sent.delta * (at.proxies - 1);
    sent.compressed += proxy->sent.compressed * (at.proxies - 1);
  }
  return {std::nullopt,
          {{"requests", counts.requests},
           {"local_hits", counts.local_hits},
           {"true_positives", counts.there_told},
           {"false_negatives", counts.there_untold},
           {"false_positives", counts.by_filter},
           {"stale_positives", counts.stale},
           {"true_negatives", counts.refused},
           {"false_hits", counts.false_hits},
           {"missed_hits", counts.missed_hits},
           {"updates", updates},
           {"plain_bytes", sent.plain},
           {"delta_bytes", sent.delta},
           {"compressed_bytes", sent.compressed}},
          record::Json::object()};
}

}  // namespace bloomlab::experiments
