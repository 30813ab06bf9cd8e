// Do two draws of one study lead to the same verdicts? A study whose every number hangs on the
// seeds of its configs is drawn again with others (`bloomlab run --replicate`), and its verdicts
// are held side by side: claims that rest on results, and deviations from theory, those that a
// config names in advance and the rest.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/claims/claim.hpp"
#include "analysis/data/load.hpp"
#include "record/json.hpp"

namespace bloomlab::analysis::compare {

/// A claim that two draws judge differently.
struct ChangedClaim {
  std::string id;      ///< "S1-28"
  std::string first;   ///< "RIGHT"
  std::string second;  ///< "ROUGH"

  static constexpr const char* field_names = "id, first, second";
  [[nodiscard]] auto fields() const { return std::tie(id, first, second); }
};

/// Deviations of one sort [tests], by the draws that show them.
struct Deviations {
  std::uint64_t both = 0;
  std::uint64_t first_only = 0;
  std::uint64_t second_only = 0;

  static constexpr const char* field_names = "both, first_only, second_only";
  [[nodiscard]] auto fields() const { return std::tie(both, first_only, second_only); }
  [[nodiscard]] std::uint64_t any() const { return both + first_only + second_only; }
};

/// What came out of a study that was drawn twice.
struct Verdicts {
  std::uint64_t seed = 0;         ///< of the second draw
  std::uint64_t configs = 0;      ///< in both draws
  std::uint64_t tests = 0;        ///< against theory, in the first draw's results of these configs
  std::uint64_t rates = 0;        ///< cells whose rates were compared
  std::uint64_t rates_off = 0;    ///< of them, those that differ beyond chance
  std::uint64_t claims = 0;       ///< that rest on results, judged in both draws
  std::uint64_t claims_same = 0;  ///< of them, those with one verdict
  std::vector<ChangedClaim> changed = {};
  Deviations predicted = {};   ///< named in advance, for certain
  Deviations possible = {};    ///< named in advance, as possible
  Deviations unexpected = {};  ///< named by nobody
  /// Configs in which chance alone shows an unexpected deviation, on average over draws: at most
  /// this in each draw (thresholds::family_alpha a config).
  double chance = 0;

  static constexpr const char* field_names =
      "seed, configs, tests, rates, rates_off, claims, claims_same, changed, predicted, possible, "
      "unexpected, chance";
  [[nodiscard]] auto fields() const {
    return std::tie(seed, configs, tests, rates, rates_off, claims, claims_same, changed, predicted,
                    possible, unexpected, chance);
  }
};

/// The seed of a config in the draw `draw`: the first 8 bytes, read as a big-endian number, of
/// SHA-256 over the text
///   bloomlab-replication-1 LF draw in decimal LF config seed in decimal
/// with LF a line feed.
[[nodiscard]] std::uint64_t replicated_seed(std::uint64_t draw, std::uint64_t config_seed);

/// Holds a study and its draw `draw` side by side, over the configs that both have, whose cells are
/// the same. What only one of them has is passed over, and so are claims that either draw lacks the
/// results of.
/// Throws record::InputError, naming the file, where a result of `second` is not that draw of the
/// first's config, and where the two have no config in common.
[[nodiscard]] Verdicts hold_side_by_side(std::vector<ResultSet> first,
                                         std::vector<ResultSet> second,
                                         std::span<const claims::Book> books, std::uint64_t draw);

/// {"format": "bloomlab-replication-1", "seed": ..., ...}, the members of Verdicts.
[[nodiscard]] record::Json verdicts_json(const Verdicts& verdicts);

/// Reads what verdicts_json() gives. Throws record::InputError that names the file and the place.
[[nodiscard]] Verdicts read_verdicts(std::string_view text, const std::string& file);

}  // namespace bloomlab::analysis::compare
