#include "audit/fit_causes.hpp"

#include <optional>
#include <utility>

#include "audit/closed_causes.hpp"

namespace bloomlab::audit {

std::vector<Fit> fit_causes(std::span<const Place> places, const Evidence& evidence,
                            bool layout_is_declared) {
  if (places.empty()) return {};
  detail::Causes causes(places);
  causes.add({Class::none, "the expected law", 0,
              [](const Place& at) {
                return std::optional(Predicted{at.expected, 0.001});
              },
              detail::no_loss});
  detail::add_closed_causes(causes, places, evidence, layout_is_declared);
  if (places.front().layout.kind != Layout::Kind::other) {
    detail::for_each_simulated_cause(places, [&](const Cause& cause) { causes.add(cause); });
  }
  return std::move(causes).sorted();
}

}  // namespace bloomlab::audit
