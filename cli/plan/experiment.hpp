// The plan as an experiment: a config that measures it, and its verification.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "planner/comparison.hpp"
#include "record/result_file.hpp"
#include "statistics/ensemble.hpp"

namespace bloomlab::cli {

/// A config of kind false_positive_rate for this filter: 10 trials of uniform keys, and as many
/// queries as expect a thousand false positives a trial, from 10^5 to 10^8.
[[nodiscard]] record::Json experiment_config(const planner::Candidate& filter, std::uint64_t n);

/// What is to be verified, and with which keys.
struct VerifyRequest {
  planner::Goal goal = {};            ///< the filter's goal; its n is the planned one
  planner::Candidate filter = {};     ///< the filter for it
  std::string keys_file = {};         ///< lines as inserted keys; generated keys if empty
  std::string absent_keys_file = {};  ///< lines as queries; generated if empty
  std::optional<std::uint64_t> max_memory_bytes = {};  ///< less than the machine gives
};

/// What was built and measured.
struct Verification {
  planner::Candidate filter = {};  ///< as it was built
  std::uint64_t n = 0;             ///< keys inserted, into each filter
  std::uint64_t filters = 1;  ///< filters built: many where they are small and differ by chance
  double fraction = 1.0;      ///< of the planned n; below 1 where memory or the file is short
  std::uint64_t memory_bits = 0;
  std::uint64_t queries = 0;  ///< over all filters
  std::uint64_t false_positives = 0;
  std::uint64_t false_negatives = 0;
  statistics::Estimate estimate = {};  ///< of the rate, with a 99 % interval
  double conditional_rate = 0.0;       ///< what the filters' own bits say, the mean
  double predicted_rate = 0.0;         ///< the closed form
  double promised_rate = 0.0;          ///< the goal's rate; for memory, the predicted one
  double insert_ns = 0.0;              ///< mean per key, making keys not counted
  double absent_ns = 0.0;              ///< mean per key
  bool rate_holds = false;             ///< the interval does not lie above the promise
  bool exact_rate_holds = false;       ///< the planned filter's own form is not above it either
  bool memory_holds = false;           ///< not more than predicted
  bool keys_hold = false;              ///< no key was lost
  [[nodiscard]] bool holds() const {
    return rate_holds && exact_rate_holds && memory_holds && keys_hold;
  }
};

/// Keys that a verification inserts and looks up, about.
[[nodiscard]] double verification_keys(const VerifyRequest& request);

/// Builds the filter, asks for inserted keys and absent keys. Throws record::InputError for key
/// files that cannot be read or share a line.
[[nodiscard]] Verification verify(const VerifyRequest& request);

/// As JSON and as text.
[[nodiscard]] record::Json verification_json(const Verification& result);
[[nodiscard]] std::string verification_text(const Verification& result);

}  // namespace bloomlab::cli
