#include "experiments/kinds/flow_counts.hpp"

#include <algorithm>

#include "core/filters/counting.hpp"
#include "experiments/kinds/uniform_digests.hpp"

namespace bloomlab::experiments {
namespace {

/// A counting filter with independent probes whose counters stay at their largest value.
class CountingFlows final : public FlowCounts::Counter {
 public:
  CountingFlows(const FlowCounts::Point::Parameters& at, std::uint64_t seed)
      : filter_({at.m, at.k, at.counter_bits, OverflowPolicy::saturate}, ideal_probe()),
        hash_(Hasher::of<XxHash3_64>(), ideal_probe().need(static_cast<int>(at.k)),
              hash_seed(seed)),
        memory_(static_cast<std::size_t>(hash_.need().words)) {}

  void add(std::uint64_t flow, std::uint64_t packets) override {
    // Beyond its largest value no packet changes a counter.
    const std::uint64_t most = std::uint64_t{1} << filter_.parameters().counter_bits;
    with_digest(flow, [&](const DigestBatch& digest) {
      for (std::uint64_t i = 0; i < std::min(packets, most); ++i) filter_.insert(digest);
    });
  }
  [[nodiscard]] std::uint64_t count(std::uint64_t flow) const override {
    std::uint64_t times = 0;
    with_digest(flow, [&](const DigestBatch& digest) {
      filter_.multiplicity(digest, {&times, 1});
    });
    return times;
  }

 private:
  template <class Use>
  void with_digest(std::uint64_t key, Use&& use) const {
    hash_.for_each_part(KeyBatch::integers({&key, 1}, 8), memory_,
                        [&](std::size_t, const DigestBatch& digest) { use(digest); });
  }

  Counting filter_;
  HashStage hash_;
  mutable std::vector<std::uint64_t> memory_;
};

std::uint64_t packets_of(const FlowCounts::Point::Parameters& at, std::uint64_t rank) {
  return std::max<std::uint64_t>(1, at.largest / rank);
}

}  // namespace

std::optional<std::string> FlowCounts::check(const Parameters& /*p*/, const Point::Parameters& at) {
  const std::uint64_t most = (std::uint64_t{1} << at.counter_bits) - 1;
  if (at.threshold <= most) return std::nullopt;
  return "threshold is " + std::to_string(at.threshold) + "; counters of " +
         std::to_string(at.counter_bits) + " bits count to " + std::to_string(most);
}

std::uint64_t FlowCounts::memory_bytes(const Point::Parameters& at) {
  return at.m * at.counter_bits / 8 + 4096;
}

double FlowCounts::seconds(const Parameters& /*p*/, const Point::Parameters& at) {
  const double packets = static_cast<double>(at.flows) + 12.0 * static_cast<double>(at.largest);
  return 1e-8 * packets * static_cast<double>(at.k + 4);
}

Measurement FlowCounts::measure_with(Counter& counter, const Point::Parameters& at,
                                     const KeyedPermutation& keys) {
  std::uint64_t packets = 0;
  for (std::uint64_t rank = 1; rank <= at.flows; ++rank) {
    counter.add(keys(rank), packets_of(at, rank));
    packets += packets_of(at, rank);
  }
  std::uint64_t over = 0, under = 0, excess = 0, shortfall = 0;
  std::uint64_t admitted[2][2] = {};  // [whether the flow is large][whether it is admitted]
  for (std::uint64_t rank = 1; rank <= at.flows; ++rank) {
    const std::uint64_t truth = packets_of(at, rank);
    const std::uint64_t count = counter.count(keys(rank));
    over += count > truth ? 1 : 0;
    under += count < truth ? 1 : 0;
    excess += count > truth ? count - truth : 0;
    shortfall += count < truth ? truth - count : 0;
    ++admitted[truth >= at.threshold ? 1 : 0][count >= at.threshold ? 1 : 0];
  }
  return {std::nullopt,
          {{"packets", packets},
           {"over", over},
           {"under", under},
           {"excess", excess},
           {"shortfall", shortfall},
           {"true_positives", admitted[1][1]},
           {"false_negatives", admitted[1][0]},
           {"false_positives", admitted[0][1]},
           {"true_negatives", admitted[0][0]},
           {"filter_bytes", (at.m * at.counter_bits + 63) / 64 * 8},
           {"table_bytes", 17 * at.flows}},
          record::Json::object()};
}

std::vector<Measurement> FlowCounts::measure(const Parameters& /*p*/, const Point::Parameters& at,
                                             std::uint64_t seed) {
  CountingFlows counter(at, seed);
  return {measure_with(counter, at, KeyedPermutation(seed))};
}

}  // namespace bloomlab::experiments
