// Judges the parameters that a filter already has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::planner {

/// Widest hash that is judged [bits]; wider ones are as good.
inline constexpr std::uint64_t widest_hash = 512;

/// Bits of the hash called so, at most widest_hash: of one of the catalogue, of one whose width is
/// known (djb2, java_string_hash), or as its name ends in (fnv1a_32, crc32, sha512). Upper case and
/// "-" are as lower case and "_". Throws record::InputError, which begins with `place`, for other
/// names: it names the nearest one and says that hash_bits can be given.
[[nodiscard]] std::uint64_t hash_bits_of(std::string_view place, std::string_view name);

/// A filter as it is, or is to be, configured.
struct Configured {
  std::uint64_t n = 0;  ///< keys, >= 1
  std::uint64_t m = 0;  ///< bits, >= 1
  std::uint64_t k = 0;  ///< probes, 1 .. 256
  std::string filter = "standard";
  /// Bits of all layers, where the filter has layers of m bits or more, and k of the first one;
  /// 0: it has none. A standard filter of so many bits is compared with.
  std::uint64_t layered_bits = 0;
  double rate = 0.0;  ///< by the closed form of the filter or of its scheme
  /// The same after as many keys as have different hashes (theory::different_hashes), where
  /// hash_bits are given; nothing: `rate`.
  std::optional<double> rate_of_different = std::nullopt;
  std::string scheme = {};                                ///< that `rate` is of; empty: not said
  std::optional<double> requested_rate = std::nullopt;    ///< what it is to keep
  std::optional<std::uint64_t> hash_bits = std::nullopt;  ///< bits of the hash that is used
};

struct Judgement {
  double rate = 0.0;             ///< with the floor of the hash, where its bits are known
  double standard_rate = 0.0;    ///< exact, of a standard filter of these n, m and k
  std::uint64_t best_k = 0;      ///< of a standard filter of this m
  double best_rate = 0.0;        ///< exact, there
  double loss = 1.0;             ///< rate over best_rate
  std::uint64_t smallest_m = 0;  ///< of a standard filter with this rate; 0: the rate is 0 or 1
  double fill = 0.0;             ///< expected fill ratio
  /// Of a standard filter whose positions come from double hashing with any stride, where that
  /// is a tenth or more off the independent ones; nothing where it is not, for other layouts, and
  /// where the scheme is said.
  std::optional<double> strided_rate = std::nullopt;
  std::optional<double> hash_floor = std::nullopt;  ///< rate of equal hashes alone
  std::optional<bool> keeps = std::nullopt;         ///< the requested rate
  std::vector<std::string> warnings = {};
};

/// The judgement. Throws theory::DomainError outside the domain.
[[nodiscard]] Judgement judge(const Configured& configured);

}  // namespace bloomlab::planner
