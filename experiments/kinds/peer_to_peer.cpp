#include "experiments/kinds/peer_to_peer.hpp"

#include <memory>
#include <utility>

#include "experiments/applications/draws.hpp"

namespace bloomlab::experiments {
namespace {

using OverlayPoint = PeerToPeer::Point::Parameters;

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent > 0; --exponent) result *= base;
  return result;
}

/// The tree: link i of level j = 1 .. levels leads to peer i = 0 .. fanout^j - 1 of that level.
/// Leaf i has the documents with numbers i documents .. (i + 1) documents - 1.
class Overlay {
 public:
  Overlay(const MakeMembership& make, const OverlayPoint& at, const KeyedPermutation& keys,
          KeyedDraws& seeds)
      : at_(at) {
    for (std::uint64_t level = 1; level <= at.levels; ++level) {
      const std::uint64_t behind = at.documents * power(at.fanout, at.levels - level);
      auto& links = levels_.emplace_back();
      for (std::uint64_t link = 0; link < power(at.fanout, level); ++link) {
        links.push_back(make(at.bits_per_document * behind, fitting_probes(at.bits_per_document),
                             seeds.number()));
        bytes_ += (at.bits_per_document * behind + 63) / 64 * 8;
        ++count_;
        for (std::uint64_t i = 0; i < behind; ++i) {
          links.back()->insert(keys(link * behind + i));
        }
      }
    }
  }

  /// What one query costs.
  struct Route {
    std::uint64_t right = 0;  ///< messages towards the leaf that has the document
    std::uint64_t wrong = 0;
    std::uint64_t refused = 0;  ///< links that were looked up and not taken
    bool reached = false;
  };

  /// Sends a query for the document from the root. @param leaf that has it, or none
  Route send(std::uint64_t document, std::optional<std::uint64_t> leaf) const {
    Route route;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> at_peers = {{0, 0}};  // level, peer
    while (!at_peers.empty()) {
      const auto [level, peer] = at_peers.back();
      at_peers.pop_back();
      for (std::uint64_t child = peer * at_.fanout; child < (peer + 1) * at_.fanout; ++child) {
        if (!levels_[static_cast<std::size_t>(level)][static_cast<std::size_t>(child)]->contains(
                document)) {
          ++route.refused;
          continue;
        }
        const std::uint64_t leaves = power(at_.fanout, at_.levels - level - 1);
        const bool is_right = leaf && *leaf / leaves == child;
        ++(is_right ? route.right : route.wrong);
        if (level + 1 < at_.levels) {
          at_peers.emplace_back(level + 1, child);
        } else {
          route.reached |= is_right;
        }
      }
    }
    return route;
  }

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  OverlayPoint at_;
  std::vector<std::vector<std::unique_ptr<Membership>>> levels_;
  std::uint64_t bytes_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace

std::optional<std::string> PeerToPeer::check(const Parameters& /*p*/, const Point::Parameters& at) {
  constexpr std::uint64_t most = 10'000'000;
  std::uint64_t documents = at.documents;
  for (std::uint64_t level = 0; level < at.levels && documents <= most; ++level) {
    documents *= at.fanout;
  }
  if (documents <= most) return std::nullopt;
  return "documents fanout^levels is more than 10^7 documents; fewer levels or documents";
}

std::uint64_t PeerToPeer::memory_bytes(const Point::Parameters& at) {
  const std::uint64_t documents = at.documents * power(at.fanout, at.levels);
  return at.levels * documents * at.bits_per_document / 8 + 400 * 2 * documents / at.documents;
}

double PeerToPeer::seconds(const Parameters& p, const Point::Parameters& at) {
  const auto documents = static_cast<double>(at.documents * power(at.fanout, at.levels));
  const double lookups = static_cast<double>(p.queries * at.fanout * at.levels);
  return 1e-8 * (static_cast<double>(at.levels) * documents + lookups) *
         static_cast<double>(at.bits_per_document + 4);
}

Measurement PeerToPeer::measure_with(const MakeMembership& make, const Parameters& p,
                                     const Point::Parameters& at, std::uint64_t seed) {
  const KeyedPermutation keys(seed);
  KeyedDraws draws(seed);
  const Overlay overlay(make, at, keys, draws);
  const std::uint64_t documents = at.documents * power(at.fanout, at.levels);
  Overlay::Route sums[2];  // for absent documents, for present ones
  std::uint64_t unreached = 0;
  for (std::uint64_t query = 0; query < p.queries; ++query) {
    const bool present = query % 2 == 0;
    const std::uint64_t document = present ? draws.below(documents) : documents + query;
    const auto leaf = present ? std::optional(document / at.documents) : std::nullopt;
    const Overlay::Route route = overlay.send(keys(document), leaf);
    Overlay::Route& sum = sums[present ? 1 : 0];
    sum.right += route.right;
    sum.wrong += route.wrong;
    sum.refused += route.refused;
    unreached += present && !route.reached ? 1 : 0;
  }
  return {std::nullopt,
          {{"present", (p.queries + 1) / 2},
           {"absent", p.queries / 2},
           {"true_positives", sums[1].right},
           {"false_negatives", unreached},
           {"false_positives", sums[0].wrong + sums[1].wrong},
           {"true_negatives", sums[0].refused + sums[1].refused},
           {"extra_present", sums[1].wrong},
           {"extra_absent", sums[0].wrong},
           {"links", overlay.count()},
           {"filter_bytes", overlay.bytes()}},
          record::Json::object()};
}

}  // namespace bloomlab::experiments
