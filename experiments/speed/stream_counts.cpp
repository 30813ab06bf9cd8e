#include "experiments/speed/stream_counts.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>

namespace bloomlab::experiments {

void StreamCounts::add(std::span<const Answer> known,
                       std::span<const std::uint8_t> is_new) noexcept {
  std::uint64_t reported = 0;
  std::uint64_t reported_new = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto said = static_cast<std::uint64_t>(known[i]);
    reported += said;
    reported_new += said & is_new[i];
  }
  reported_ += reported;
  reported_new_ += reported_new;
}

record::Json StreamCounts::json(std::uint64_t distinct, std::uint64_t repeated) const {
  const std::uint64_t known = reported_ - reported_new_;
  if (known != repeated) {
    throw std::runtime_error("the filter takes " + std::to_string(repeated - known) + " of " +
                             std::to_string(repeated) + " keys that came before for new");
  }
  return {{"true_positives", known},
          {"false_negatives", 0},
          {"false_positives", reported_new_},
          {"true_negatives", distinct - reported_new_}};
}

}  // namespace bloomlab::experiments
