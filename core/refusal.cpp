#include "core/refusal.hpp"

#include <stdexcept>

namespace bloomlab::detail {

void refuse(const std::string& text) { throw std::invalid_argument(text); }

void give_up(const std::string& text) { throw std::runtime_error(text); }

}  // namespace bloomlab::detail
