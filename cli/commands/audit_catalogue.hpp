// Filters of our catalogue as filters from outside: audited by name, or timed beside one of
// somebody else's.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "audit/measure.hpp"
#include "foreign/foreign_filter.hpp"
#include "record/json.hpp"

namespace bloomlab::cli {

/// "limit": no filter; hashes every key and touches one cache line.
inline constexpr std::string_view limit_name = "limit";

/// A filter of the catalogue, or the limit.
struct CatalogueFilter {
  std::string name;
  /// {"hash", "probe", "reduction"}, as a config has the hash, and parameters of the filter, which
  /// replace those that it is sized with.
  record::Json options = record::Json::object();
};

[[nodiscard]] bool is_in_catalogue(std::string_view name);

/// The filter within this process, best for each request by its own closed form. Its create()
/// throws foreign::Failure for what it cannot have.
[[nodiscard]] std::unique_ptr<foreign::ForeignFilter> start_here(const CatalogueFilter& filter);

/// The layout that it has when it is made for the request: that of its closed form under an ideal
/// hash. Throws record::InputError where it cannot be made so.
[[nodiscard]] audit::Layout layout_of(const CatalogueFilter& filter,
                                      const foreign::Request& request);

/// Is the filter for another process: speaks a protocol of filters from outside, "text" or
/// "binary", on standard input and output until the input ends.
void serve(const CatalogueFilter& filter, std::string_view protocol);

}  // namespace bloomlab::cli
