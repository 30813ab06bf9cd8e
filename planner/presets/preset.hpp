// How systems in production size their Bloom filters, each by its own rules, and what that gives.
//
// The rules are taken from the systems' published sources; every preset names them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bloomlab::planner {

/// What the owner of such a system sets.
struct PresetRequest {
  std::uint64_t n = 0;                                ///< keys, >= 1
  std::optional<double> p = std::nullopt;             ///< rate asked for, in (0, 1)
  std::optional<double> bits_per_key = std::nullopt;  ///< > 0
  std::optional<std::uint64_t> k = std::nullopt;      ///< probes, where the owner chooses them
};

/// What the system makes of it.
struct PresetFilter {
  std::uint64_t m = 0;  ///< bits
  std::uint64_t k = 0;  ///< probes per key
  std::string layout;   ///< filter of the catalogue that it is: standard, blocked, ...
  double rate = 0.0;    ///< true rate at n keys by that layout's exact form
  std::optional<double> stated_rate = std::nullopt;  ///< what the system says it is
  std::uint64_t hash_bits = 64;                      ///< bits of hash that distinguish keys
  std::string remark = {};                           ///< what else follows from the rules
};

/// A system.
struct Preset {
  std::string_view name;
  std::string_view rule;    ///< how it sizes a filter
  std::string_view source;  ///< where that is published
  std::string_view needs;   ///< "p" or "bits_per_key"
  PresetFilter (*size)(const PresetRequest& request);
  bool takes_probes = false;  ///< whether the owner may choose k
};

/// Every preset, by name.
[[nodiscard]] std::span<const Preset> presets();

/// The preset `name`. Throws record::InputError naming the known ones.
[[nodiscard]] const Preset& preset(std::string_view name);

/// Sizes a filter by the preset's rules. Throws record::InputError where a quantity that it needs
/// is missing, or where its rules have no answer.
[[nodiscard]] PresetFilter size_by(const Preset& preset, const PresetRequest& request);

// The rules, one file each.
[[nodiscard]] PresetFilter size_redis(const PresetRequest& request);
[[nodiscard]] PresetFilter size_guava(const PresetRequest& request);
[[nodiscard]] PresetFilter size_cassandra(const PresetRequest& request);
[[nodiscard]] PresetFilter size_rocksdb(const PresetRequest& request);
[[nodiscard]] PresetFilter size_parquet(const PresetRequest& request);
[[nodiscard]] PresetFilter size_boost(const PresetRequest& request);

}  // namespace bloomlab::planner
