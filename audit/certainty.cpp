#include "audit/certainty.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace bloomlab::audit {
namespace {

constexpr std::array all_needs = {
    std::pair{Class::fewer_bits, Needed::counted_bits},
    std::pair{Class::layers, Needed::counted_bits},
    std::pair{Class::sign, Needed::denied_keys},
    std::pair{Class::probe_count, Needed::denied_keys},
    std::pair{Class::inverted, Needed::denied_keys},
    std::pair{Class::lost_keys, Needed::denied_keys},
    std::pair{Class::capacity, Needed::denied_keys},
    std::pair{Class::stale_memory, Needed::sight},
    std::pair{Class::weak_hash, Needed::sight},
    std::pair{Class::seed_ignored, Needed::sight},
    std::pair{Class::nondeterminism, Needed::sight},
    std::pair{Class::refused_keys, Needed::sight},
    std::pair{Class::size_formula, Needed::sight},
};

bool is_shown(const Fit& fit) {
  constexpr std::size_t several = 3;
  switch (needed_for(fit.kind)) {
    case Needed::denied_keys:
      return fit.denied_cells >= several;
    case Needed::counted_bits:
      return fit.counted;
    case Needed::sight:
    case Needed::more:
      break;
  }
  return false;
}

/// Classes, beside the best, that may as well be what happened: in words.
std::string rivals_of(const std::vector<Fit>& fits) {
  constexpr double much_worse = 30.0;
  std::string names;
  for (std::size_t i = 1; i < fits.size(); ++i) {
    if (fits[i].fails() && fits[i].score > fits.front().score + much_worse) continue;
    names += (names.empty() ? "" : ", ") + std::string(name(fits[i].kind));
  }
  return names;
}

}  // namespace

Needed needed_for(Class kind) noexcept {
  const auto* const found = std::ranges::find(all_needs, kind, &std::pair<Class, Needed>::first);
  return found == all_needs.end() ? Needed::more : found->second;
}

std::vector<Fit> best_of_classes(const std::vector<Fit>& sorted) {
  std::vector<Fit> best;
  std::set<Class> listed;
  for (const Fit& fit : sorted) {
    if (listed.insert(fit.kind).second) best.push_back(fit);
  }
  return best;
}

void name_best(Finding& finding) {
  constexpr double fits_above = 1e-4;
  const Fit& best = finding.fits.front();
  finding.rivals = rivals_of(finding.fits);
  finding.kind = best.kind;
  finding.cause = best.text;
  finding.certainty = Certainty::possible;
  if (best.fails()) {
    finding.cause = "nearest, and it does not fit: " + best.text;
  } else if (finding.rivals.empty() && !best.per_size) {
    finding.certainty =
        best.p_value > fits_above && is_shown(best) ? Certainty::certain : Certainty::likely;
  }
}

}  // namespace bloomlab::audit
