#include "experiments/kinds/crawler.hpp"

#include <algorithm>

#include "experiments/applications/draws.hpp"

namespace bloomlab::experiments {

std::optional<std::string> Crawler::check(const Parameters& /*p*/, const Point::Parameters& at) {
  constexpr std::uint64_t most = 100'000'000;
  if (at.pages * at.links <= most) return std::nullopt;
  return "pages links = " + std::to_string(at.pages * at.links) +
         " links are more than 10^8; fewer pages or links";
}

std::uint64_t Crawler::memory_bytes(const Point::Parameters& at) {
  return at.pages * (4 * (at.links + 1) + 5 + at.bits_per_page / 8);
}

double Crawler::seconds(const Parameters& /*p*/, const Point::Parameters& at) {
  const double probes = static_cast<double>(at.bits_per_page);
  return 1e-8 * static_cast<double>(at.pages * at.links) * (8.0 + probes);
}

Measurement Crawler::measure_with(const MakeMembership& make, const Parameters& /*p*/,
                                  const Point::Parameters& at, std::uint64_t seed) {
  const KeyedPermutation keys(seed);
  KeyedDraws draws(seed);
  const auto seen =
      make(at.bits_per_page * at.pages, fitting_probes(at.bits_per_page), draws.number());
  // Every page once and once more for each link that it gives: an even draw from the list is one in
  // proportion to 1 + links.
  std::vector<std::uint32_t> givers = {0};
  givers.reserve(static_cast<std::size_t>(at.pages * (at.links + 1)));
  std::vector<std::uint32_t> given(static_cast<std::size_t>(at.pages), 0);
  std::vector<bool> is_fetched(static_cast<std::size_t>(at.pages), false);
  is_fetched[0] = true;
  seen->insert(keys(0));
  std::uint64_t fetched = 1;
  std::uint64_t skipped = 0;
  std::uint64_t again = 0;
  std::uint64_t forgotten = 0;
  for (std::uint64_t page = 1; page < at.pages; ++page) {
    std::uint64_t met = 0;
    const std::uint64_t older = givers.size();
    for (std::uint64_t link = 0; link < at.links; ++link) {
      const std::uint32_t giver = givers[static_cast<std::size_t>(draws.below(older))];
      met += is_fetched[giver] ? 1 : 0;
      givers.push_back(giver);
      ++given[giver];
    }
    givers.push_back(static_cast<std::uint32_t>(page));
    if (met == 0) continue;
    if (seen->contains(keys(page))) {
      ++skipped;
      continue;
    }
    seen->insert(keys(page));
    is_fetched[static_cast<std::size_t>(page)] = true;
    ++fetched;
    for (std::uint64_t link = 1; link < met; ++link) {
      ++(seen->contains(keys(page)) ? again : forgotten);
    }
  }
  return {std::nullopt,
          {{"fetched", fetched},
           {"unreached", at.pages - fetched - skipped},
           {"true_positives", again},
           {"false_negatives", forgotten},
           {"false_positives", skipped},
           {"true_negatives", fetched - 1},
           {"most_links", *std::max_element(given.begin(), given.end())},
           {"filter_bytes", (at.bits_per_page * at.pages + 63) / 64 * 8},
           {"table_bytes", 8 * fetched}},
          record::Json::object()};
}

}  // namespace bloomlab::experiments
