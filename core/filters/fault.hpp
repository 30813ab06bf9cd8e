// The texts of what can be wrong with the parameters of a filter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/digests.hpp"
#include "core/parameters.hpp"
#include "core/probe/probe.hpp"

namespace bloomlab::detail {

/// "standard: m is 0; it must be from 1 to 281474976710656".
[[nodiscard]] std::string out_of_range(std::string_view filter, std::string_view field,
                                       std::uint64_t value, std::uint64_t max);

/// "cuckoo: fingerprint_bits is 1; it must be from 2 to 32", or nothing within the field's bounds.
[[nodiscard]] std::optional<std::string> field_fault(std::string_view filter,
                                                     const IntegerField& field,
                                                     std::uint64_t value);
/// "scalable: target is 1; it must be above 0 and below 1", or nothing within the field's bounds.
[[nodiscard]] std::optional<std::string> field_fault(std::string_view filter,
                                                     const RealField& field, double value);

/// The first of the filter's described numbers that is out of bounds, or nothing; `only` of the
/// field of that name.
template <class Filter>
[[nodiscard]] std::optional<std::string> range_fault(typename Filter::Parameters p,
                                                     std::string_view only = {}) {
  std::optional<std::string> fault;
  auto visit = [&]<class Field, class Value>(const Field& field, const Value& value) {
    if constexpr (!std::is_same_v<Field, ChoiceField>) {
      if (!fault && (only.empty() || only == field.name))
        fault = field_fault(Filter::name, field, value);
    }
  };
  Filter::describe(visit, p);
  return fault;
}

/// "blocked: block_bits is 100; it must be a power of two from 64 to 512", or nothing for one.
[[nodiscard]] std::optional<std::string> power_of_two_fault(std::string_view filter,
                                                            std::string_view field,
                                                            std::uint64_t value, std::uint64_t min,
                                                            std::uint64_t max);

/// "blocked: m is 1000; it must be a multiple of 512, the bits of a block: choose 512 or 1024", or
/// nothing for a multiple from `block_bits` to `max`.
[[nodiscard]] std::optional<std::string> whole_blocks_fault(std::string_view filter,
                                                            std::uint64_t m,
                                                            std::uint64_t block_bits,
                                                            std::uint64_t max);

/// Why the probe cannot give k positions in [0, m), or nothing.
[[nodiscard]] std::optional<std::string> probe_fault(std::string_view filter, const Probe& probe,
                                                     std::uint64_t m, std::uint64_t k);

/// Why the probe cannot give any k positions for any m, as layers of odd sizes need, or nothing.
[[nodiscard]] std::optional<std::string> any_shape_fault(std::string_view filter,
                                                         const Probe& probe);

/// That not even the first layer of a filter that grows is possible.
[[nodiscard]] std::string first_layer_fault(std::string_view filter);

/// Throws std::invalid_argument where the digests have fewer words than the probe needs for k.
void require_words(const DigestBatch& digests, const Probe& probe, std::uint64_t k);

/// The same for a filter that takes `words` words of a key.
void require_words(const DigestBatch& digests, int words);

/// Throws std::invalid_argument where two filters that are to be merged are not of one kind.
void require_mergeable(std::string_view filter, bool same);

/// Throws std::invalid_argument where there is a fault.
void throw_fault(const std::optional<std::string>& fault);

/// `value` where there is no fault, for use in constructors before anything is allocated.
template <class Value>
[[nodiscard]] const Value& require(const Value& value, const std::optional<std::string>& fault) {
  throw_fault(fault);
  return value;
}

}  // namespace bloomlab::detail
