// The hashing scheme of a filter that is judged, and its rates.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "audit/observation.hpp"
#include "audit/schemes.hpp"
#include "cli/arguments.hpp"

namespace bloomlab::cli {

/// The hashing scheme that is said; empty where none is. Throws record::InputError for one that is
/// not known, or whose rate is not.
[[nodiscard]] std::string take_scheme(Assignments& given, const std::string& filter);

/// Rates of a scheme after numbers of keys, each evaluated once.
class SchemeRates {
 public:
  SchemeRates(std::string scheme, std::uint64_t m, std::uint64_t k);

  [[nodiscard]] const audit::SchemeRate& after(std::uint64_t n);

  /// Makes them what is expected of a filter, which must not outlive them. Warns where one is not
  /// known. Throws record::InputError for more numbers of keys than are evaluated.
  void apply(audit::Observed& observed, std::vector<std::string>& warnings);

 private:
  std::string scheme_;
  std::uint64_t m_;
  std::uint64_t k_;
  std::map<std::uint64_t, audit::SchemeRate> known_;
};

}  // namespace bloomlab::cli
