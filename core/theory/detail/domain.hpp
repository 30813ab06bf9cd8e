// The checks that closed forms share. Internal to core/theory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/theory/domain_error.hpp"

namespace bloomlab::theory::detail {

/// Throws DomainError, `WHERE: FAULT`, unless the condition holds.
inline void require(bool holds, std::string_view where, std::string_view fault) {
  if (!holds) throw DomainError(std::string(where) + ": " + std::string(fault));
}

/// Throws DomainError unless m >= 1 and k >= 1.
inline void require_filter(std::string_view where, std::uint64_t m, std::uint64_t k) {
  require(m >= 1, where, "m is 0; a filter has at least 1 bit");
  require(k >= 1, where, "k is 0; a key has at least 1 probe");
}

}  // namespace bloomlab::theory::detail
