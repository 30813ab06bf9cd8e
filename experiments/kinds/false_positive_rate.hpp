// Kind `false_positive_rate`: fill a filter with n keys, ask every member back, then ask strangers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/parameters.hpp"

namespace bloomlab::experiments {

/// Largest number of queries a trial.
inline constexpr std::uint64_t max_queries = std::uint64_t{1} << 40;

struct FalsePositiveRate {
  static constexpr std::string_view name = "false_positive_rate";
  static constexpr std::string_view summary =
      "insert n keys, ask every one of them back, then ask q strangers";

  struct Parameters {
    std::uint64_t queries = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"queries", "queries", "strangers asked in every trial", 1, max_queries},
          p.queries);
  }

  /// Distinct strangers that a trial asks for [keys].
  static std::uint64_t strangers(const Parameters& p) { return p.queries; }

  /// A fault of the parameters together with n, as a text, or nothing.
  static std::optional<std::string> check(const Parameters& /*p*/, std::uint64_t /*n*/) {
    return std::nullopt;
  }
};

}  // namespace bloomlab::experiments
