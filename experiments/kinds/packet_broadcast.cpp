#include "experiments/kinds/packet_broadcast.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "experiments/applications/draws.hpp"

namespace bloomlab::experiments {
namespace {

/// The filter of this window and that of the last one.
class SeenPackets {
 public:
  SeenPackets(const MakeMembership& make, const PacketBroadcast::Point::Parameters& at,
              KeyedDraws& seeds)
      : make_(make), at_(at), seeds_(seeds) {
    turn();
    turn();
  }

  /// Whether the packet was seen; it is from now on.
  bool see(std::uint64_t packet) {
    const bool seen = current_->contains(packet) || former_->contains(packet);
    current_->insert(packet);
    if (++held_ == at_.window) turn();
    return seen;
  }

 private:
  void turn() {
    former_ = std::exchange(current_, make_(at_.m, at_.k, seeds_.number()));
    held_ = 0;
  }

  const MakeMembership& make_;
  const PacketBroadcast::Point::Parameters& at_;
  KeyedDraws& seeds_;
  std::unique_ptr<Membership> current_;
  std::unique_ptr<Membership> former_;
  std::uint64_t held_ = 0;
};

}  // namespace

std::optional<std::string> PacketBroadcast::check(const Parameters& /*p*/,
                                                  const Point::Parameters& at) {
  if (at.window % 2 != 0) {
    return "window is " + std::to_string(at.window) +
           "; it must be even, for new packets and duplicates come in turn";
  }
  if (at.lag % 2 == 0) {
    return "lag is " + std::to_string(at.lag) +
           "; it must be odd, for new packets and duplicates come in turn";
  }
  return std::nullopt;
}

std::uint64_t PacketBroadcast::memory_bytes(const Point::Parameters& at) { return at.m / 4 + 4096; }

double PacketBroadcast::seconds(const Parameters& p, const Point::Parameters& at) {
  const double packets = static_cast<double>(p.packets + 2 * at.window + at.lag);
  return 1e-8 * packets * static_cast<double>(at.k + 6);
}

Measurement PacketBroadcast::measure_with(const MakeMembership& make, const Parameters& p,
                                          const Point::Parameters& at, std::uint64_t seed) {
  const KeyedPermutation packets(seed);
  KeyedDraws seeds(seed);
  SeenPackets seen(make, at, seeds);
  // Counted from the first whole window behind which every lookup finds two windows of packets
  // whose duplicates came too.
  const std::uint64_t start = (2 + (at.lag + at.window - 1) / at.window) * at.window;
  std::uint64_t counts[2][2] = {};  // [whether it is a duplicate][whether it was reported]
  for (std::uint64_t i = 0; i < start + p.packets; ++i) {
    const bool duplicate = i % 2 == 1 && i >= at.lag;
    const bool reported = seen.see(packets(duplicate ? i - at.lag : i));
    if (i >= start) ++counts[duplicate ? 1 : 0][reported ? 1 : 0];
  }
  const std::uint64_t held = at.window / 2 + std::min(at.window / 2, (at.lag - 1) / 2);
  return {std::nullopt,
          {{"true_positives", counts[1][1]},
           {"false_negatives", counts[1][0]},
           {"false_positives", counts[0][1]},
           {"true_negatives", counts[0][0]},
           {"filter_bytes", (at.m + 63) / 64 * 16},
           {"table_bytes", 2 * 16 * held}},
          record::Json::object()};
}

}  // namespace bloomlab::experiments
