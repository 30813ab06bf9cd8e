#include "cli/judge/scheme_rates.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/hashing.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"
#include "record/suggest.hpp"

namespace bloomlab::cli {

using record::InputError;

std::string take_scheme(Assignments& given, const std::string& filter) {
  const auto scheme = given.take("scheme");
  if (!scheme) return {};
  std::vector<std::string_view> known;
  bool takes_key = false;
  for_each_type<HashingSchemes>([&]<class Scheme>(std::type_identity<Scheme>) {
    known.push_back(Scheme::name);
    takes_key = takes_key || (Scheme::name == *scheme && Scheme::needs_identity);
  });
  if (std::ranges::find(known, *scheme) == known.end()) {
    throw InputError("judge: unknown scheme \"" + *scheme + "\"; " +
                     record::suggestion(*scheme, known));
  }
  if (takes_key) {
    throw InputError("judge: " + *scheme +
                     " takes positions from the bits of a key, not of its hash: its rate depends "
                     "on the keys; measure it");
  }
  if (filter != "standard") {
    throw InputError("judge: found scheme=" + *scheme + " with filter=" + filter +
                     "; the rate of a scheme is known of a standard filter alone");
  }
  return *scheme;
}

SchemeRates::SchemeRates(std::string scheme, std::uint64_t m, std::uint64_t k)
    : scheme_(std::move(scheme)), m_(m), k_(k) {}

const audit::SchemeRate& SchemeRates::after(std::uint64_t n) {
  const auto found = known_.find(n);
  if (found != known_.end()) return found->second;
  return known_.emplace(n, audit::scheme_rate(scheme_, m_, n, k_)).first->second;
}

void SchemeRates::apply(audit::Observed& observed, std::vector<std::string>& warnings) {
  if (after(observed.planned).law == "independent") return;
  constexpr std::size_t most = 32;
  std::set<std::uint64_t> keys = {observed.planned};
  for (const audit::Observation& one : observed.seen) keys.insert(one.n);
  if (keys.size() > most) {
    throw InputError("judge: found " + std::to_string(keys.size()) +
                     " numbers of keys with scheme=" + scheme_ + "; at most " +
                     std::to_string(most) + " are judged, as each takes up to a second");
  }
  const auto unknown =
      std::ranges::find_if(keys, [this](std::uint64_t n) { return after(n).law == "unknown"; });
  if (unknown != keys.end()) {
    warnings.push_back("no rate of " + scheme_ + " is known after " + planner::spaced(*unknown) +
                       " keys: that of independent positions is taken");
  }
  observed.own_rate = [this](std::uint64_t n) { return after(n).predicted; };
  observed.layout.odd_strides = scheme_ == "double_hashing_odd";
}

}  // namespace bloomlab::cli
