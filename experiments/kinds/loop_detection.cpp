#include "experiments/kinds/loop_detection.hpp"

#include "experiments/applications/draws.hpp"

namespace bloomlab::experiments {

std::optional<std::string> LoopDetection::check(const Parameters& /*p*/,
                                                const Point::Parameters& at) {
  constexpr std::uint64_t most = 65536;
  if (at.k * at.hops <= most) return std::nullopt;
  return "k hops = " + std::to_string(at.k * at.hops) + " is more than 65536; fewer hops";
}

std::uint64_t LoopDetection::memory_bytes(const Point::Parameters& at) {
  return at.header_bits / 8 + 8 * at.hops + 4096;
}

double LoopDetection::seconds(const Parameters& p, const Point::Parameters& at) {
  return 1e-8 * static_cast<double>(p.packets * (at.hops + 1) * (at.k + 4));
}

Measurement LoopDetection::measure_with(const MakeMembership& make, const Parameters& p,
                                        const Point::Parameters& at, std::uint64_t seed) {
  KeyedDraws draws(seed);
  const auto header = make(at.header_bits, at.k, draws.number());
  std::uint64_t passed = 0;
  std::uint64_t false_loops = 0;
  std::uint64_t recognised = 0;
  std::uint64_t missed = 0;
  for (std::uint64_t packet = 0; packet < p.packets; ++packet) {
    header->clear();
    const std::uint64_t first = draws.number();
    std::uint64_t router = first;
    bool looping = false;
    for (std::uint64_t hop = 0; hop < at.hops; ++hop) {
      looping = header->contains(router);
      if (looping) break;
      header->insert(router);
      ++passed;
      router = draws.number();
    }
    if (looping) {
      ++false_loops;
    } else {
      ++(header->contains(first) ? recognised : missed);
    }
  }
  return {std::nullopt,
          {{"packets", p.packets},
           {"true_positives", recognised},
           {"false_negatives", missed},
           {"false_positives", false_loops},
           {"true_negatives", passed},
           {"header_bytes", (at.header_bits + 7) / 8},
           {"route_bytes", 4 * at.hops}},
          record::Json::object()};
}

}  // namespace bloomlab::experiments
