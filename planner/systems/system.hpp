// How systems in production size their Bloom filters, each by its own rule, and what that gives:
// asked -> m and k by the rule -> after its rounding -> the true rate with its own hash and layout.
//
// Every rule is data of the catalogue (catalogue.cpp) with a function of a family: a rule was read
// from the source that it names, in the version that it names. Rates are closed forms of
// core/theory; none is typed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/theory/scalable.hpp"

namespace bloomlab::planner {

/// A quantity beside n and p that a system's owner may set, by the system's own word.
struct SystemSetting {
  std::string_view name;
  std::string_view fallback;  ///< the system's default; empty: it follows from n and p
  std::string_view meaning;
  /// "bytes" or "bits" of a size, which may be written with a unit of memory: 1MiB; else empty.
  std::string_view unit = {};
};

struct System;
class SystemRequest;

/// Something that a system's owner can change to keep a rate.
struct SystemLever {
  std::string_view setting;  ///< "p" or a setting
  /// Values that the system takes, as text; of the first lever in the order of their memory.
  std::vector<std::string> (*values)(const SystemRequest& request);
};

/// What the owner of a system sets: n, p and its settings, as text; defaults are filled in.
class SystemRequest {
 public:
  /// Sizes become numbers of their unit. Throws record::InputError for a setting that the system
  /// does not have, and for a size that is none.
  SystemRequest(const System& system, std::optional<std::uint64_t> n, std::optional<double> p,
                std::map<std::string, std::string, std::less<>> settings);

  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] std::uint64_t n() const { return n_; }
  /// The rate that the rule takes: as asked, or the system's default.
  [[nodiscard]] double p() const { return p_.value_or(usual_p_); }
  /// The rate to be kept, where one was asked for or the system has a default.
  [[nodiscard]] std::optional<double> requested() const { return requested_; }

  /// The setting as text; empty where it follows from n and p.
  [[nodiscard]] std::string word(std::string_view setting) const;
  /// As a number above 0, or a whole number from 1. Throw record::InputError for anything else.
  [[nodiscard]] double number(std::string_view setting) const;
  [[nodiscard]] std::uint64_t count(std::string_view setting) const;

  /// What it sets, as text: "p" where it takes a rate, and every setting that has a value.
  [[nodiscard]] std::map<std::string, std::string, std::less<>> values() const;

  /// The same request with another value of "p" or of a setting; what is to be kept stays.
  [[nodiscard]] SystemRequest with(std::string_view setting, const std::string& value) const;

 private:
  const System* system_;
  std::uint64_t n_ = 0;
  double usual_p_ = 0.0;
  std::optional<double> p_;
  std::optional<double> requested_;
  std::map<std::string, std::string, std::less<>> settings_;
};

/// What a system makes of a request. Rates are computed when they are called for.
struct SystemFilter {
  std::uint64_t m = 0;  ///< bits, in all layers and chunks
  std::uint64_t k = 0;  ///< probes per key; of the first layer
  std::string layout = "standard";
  std::function<double()> rate_unrounded = {};  ///< true rate at the size before its rounding
  std::function<double()> rate = {};            ///< true rate of the filter that it builds
  /// `rate` by so many samples that it has this relative standard error, where it is a mean of
  /// them.
  std::function<double(double error)> rate_within = {};
  /// Whether `rate_within` of this error is above a limit; sooner than by its value.
  std::function<bool(double error, double limit)> rate_above = {};
  std::optional<double> stated_rate = std::nullopt;  ///< what the system's own formula says
  std::uint64_t memory_bits = 0;                     ///< 0: m
  std::uint64_t next_layer_bits = 0;                 ///< what opens with key n + 1; 0: nothing
  std::vector<theory::Layer> layers = {};
  bool double_hashing = false;  ///< positions a + i b, of which theory takes k independent ones
  std::string_view line = {};   ///< the line to paste, where it is not the system's
  std::string refused = {};     ///< why the system would not build it
  std::string remark = {};      ///< what else follows from the rule
};

/// A system.
struct System {
  std::string_view name = {};
  std::string_view rule = {};                      ///< how it sizes a filter
  std::string_view source = {};                    ///< file and version that say so
  std::string_view comment = {};                   ///< what to know about it
  bool takes_p = true;                             ///< whether its rule takes a rate
  std::optional<double> default_p = std::nullopt;  ///< its own default, where it takes one
  std::optional<std::uint64_t> default_n = std::nullopt;
  std::span<const SystemSetting> settings = {};
  SystemFilter (*size)(const SystemRequest& request) = nullptr;
  std::span<const SystemLever> levers = {};  ///< what its owner can change to keep p
  /// The line to paste, with {n}, {p}, {k}, {bytes} and {a setting}.
  std::string_view line = {};
  std::string_view no_line = {};  ///< what to do where no values of the levers keep p
};

/// Every system, in the order of the catalogue.
[[nodiscard]] std::span<const System> systems();

/// The system `name`. Throws record::InputError that begins with `where` and names the nearest.
[[nodiscard]] const System& system_called(std::string_view where, std::string_view name);

/// A system's answer, with what it costs and what to set instead.
struct SystemAnswer {
  SystemFilter filter;
  double rate = 0.0;
  double rate_unrounded = 0.0;
  /// Rate if all strides were taken modulo m: the bound of what double hashing adds in a small
  /// filter; nothing where it was not computed (m above 4096, k above 12, no double hashing),
  /// or where the words' own wraps and signs cost more.
  std::optional<double> rate_equal_strides = std::nullopt;
  std::optional<bool> keeps = std::nullopt;  ///< the requested rate
  std::uint64_t memory_bits = 0;
  std::uint64_t optimal_bits = 0;  ///< of the smallest standard filter with that rate; 0: none
  double lower_bound_bits = 0.0;   ///< of any filter with that rate
  std::string advice;              ///< the line to paste
  bool advice_keeps = false;       ///< whether that keeps the requested rate
  /// The line's values; "p" among them where the rule takes one. As a request of the same n they
  /// give advice_rate and advice_bits.
  std::map<std::string, std::string, std::less<>> advice_values;
  double advice_rate = 0.0;
  std::uint64_t advice_bits = 0;

  /// Bits beyond the smallest standard filter of that rate.
  [[nodiscard]] std::uint64_t wasted_bits() const;
};

/// Throws record::InputError where the rule has no answer.
[[nodiscard]] SystemAnswer answer_of(const SystemRequest& request);

/// What a system builds of n keys in the memory that there is, by the first of its levers.
struct SystemFit {
  std::string line;               ///< the line to paste, with its values
  SystemFilter filter;            ///< the largest that fits; the smallest where none does
  std::uint64_t memory_bits = 0;  ///< of it
  bool fits = false;
  std::string refused = {};  ///< why there is no filter at all; the rest is empty then
};

/// The largest filter of the system that takes at most `memory_bits`, its other settings by
/// default.
/// @param n keys, > 0   @param p a rate that such a filter has about, in (0, 1): rates and sizes
///   from a sixteenth of its size upwards are tried
[[nodiscard]] SystemFit fit_of(const System& system, std::uint64_t n, double p,
                               std::uint64_t memory_bits);

// The rules, one file a family.
using SystemRule = SystemFilter(const SystemRequest& request);
SystemRule size_parquet, size_arrow, size_spark_v1, size_spark_v2, size_hudi, size_hbase,
    size_iceberg, size_cassandra, size_scylla, size_rocksdb, size_rocksdb_ribbon, size_leveldb,
    size_clickhouse_bloom, size_clickhouse_grams, size_postgres_bloom, size_redis,
    size_redis_nonscaling, size_valkey, size_guava, size_redisson, size_boost, size_lucene;

}  // namespace bloomlab::planner
