#include "core/refusal.hpp"

#include <stdexcept>

namespace bloomlab::detail {

void refuse(const std::string& text) { throw std::invalid_argument(text); }

void require_same_seed(std::string_view filter, std::uint64_t one, std::uint64_t other) {
  if (one == other) return;
  refuse(std::string(filter) + ": seeds " + std::to_string(one) + " and " + std::to_string(other) +
         "; only filters of one seed can be merged");
}

void give_up(const std::string& text) { throw std::runtime_error(text); }

}  // namespace bloomlab::detail
