// What the bytes of a saved filter tell: how full it is, how many keys are in it, its rate now, how
// many keys it still takes, and whether something is wrong with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/filters/health.hpp"
#include "formats/raw.hpp"
#include "formats/stored_filter.hpp"

namespace bloomlab::formats {

/// A filter as it is after folding it once, by the "or" of its halves (of neighbouring blocks).
struct Fold {
  std::uint64_t m = 0;
  double rate = 0.0;  ///< of the folded bits
};

/// What one filter of a file tells.
struct Inspection {
  std::string format = {}, version = {}, place = {}, hash = {};
  std::string layout = {};     ///< "standard", "split_block", or a filter of the catalogue
  std::uint64_t layers = 1;    ///< of filters that grow
  std::uint64_t m = 0;         ///< bits over all layers
  std::uint64_t k = 0;         ///< probes per key of the first layer; 0 where a filter has none
  bool has_bits = true;        ///< false where the file only describes the filter
  std::uint64_t bits_set = 0;  ///< over all layers
  double fill = 0.0;           ///< of the positions that the hash reaches
  double rate = 0.0;           ///< false-positive rate of these very bits
  std::optional<KeyEstimate> keys = std::nullopt;             ///< distinct keys, from the set bits
  std::optional<std::uint64_t> recorded_keys = std::nullopt;  ///< as the file counts them
  std::optional<double> stated_rate = std::nullopt;           ///< the file's own goal
  std::optional<double> goal = std::nullopt;                  ///< p that keys_left is for
  std::optional<std::uint64_t> capacity = std::nullopt;       ///< distinct keys until p
  std::optional<std::uint64_t> keys_left = std::nullopt;      ///< by the bits, where they tell
  std::vector<std::string> wrappers = {};  ///< what it was in, the outermost first: "gzip", ...
  bool checksum = false;                   ///< whether the file has one (which then fits)
  bool saturated = false;                  ///< every reachable position is set
  std::vector<std::string> faults = {};    ///< what is wrong, a line each
  std::optional<Fold> fold = std::nullopt;
  std::string same_kind =
      {};  ///< two filters with equal texts can be merged; empty: cannot be merged
  /// A filter of a multiple of its m, else of the same kind, folds onto it: bit for bit the filter
  /// of m bits with the same keys.
  bool folds = false;
};

/// What a filter of another program tells. @param p the rate that it shall not exceed; without it
/// the one that its file states, if any
[[nodiscard]] Inspection inspect(const StoredFilter& filter, std::optional<double> p);

/// Set bits of a filter.
[[nodiscard]] std::uint64_t set_bits_of(const StoredBits& bits);

/// The distinct keys that so many set bits of it tell of; nothing where all or more are set.
[[nodiscard]] std::optional<KeyEstimate> keys_of(const StoredBits& bits, std::uint64_t set);

/// Names of the formats that are recognised, for messages: "bloomlab", "parquet", ...
[[nodiscard]] std::vector<std::string_view> format_names();

/// Every filter in the bytes, or in what is wrapped in them (wrapped.hpp). @param format one of
/// format_names(), or empty: it is recognised. Throws FormatError where no format fits: it names
/// the format that the bytes seem to be, or says why the likely ones do not fit; and for a sound
/// file of a format in which files need not have a filter.
[[nodiscard]] std::vector<Inspection> inspect_bytes(std::span<const std::byte> bytes,
                                                    std::optional<double> p,
                                                    std::string_view format);

/// What bits tell that stand where `raw` says, in the bytes or in what is wrapped in them. Throws
/// FormatError.
[[nodiscard]] std::vector<Inspection> inspect_raw(std::span<const std::byte> bytes,
                                                  std::optional<double> p, const RawBits& raw);

}  // namespace bloomlab::formats
