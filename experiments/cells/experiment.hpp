// What a config measures: a kind of experiment with the config's own keys, read once. The engine
// speaks to it through these classes, so that it is compiled once, and each kind once.
#pragma once

#include <any>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/simd/batch_tuning.hpp"
#include "experiments/cells/cell.hpp"
#include "experiments/cells/measurement.hpp"
#include "record/json_view.hpp"

namespace bloomlab::experiments {

class FilterExperiment;
class KSliced;
class OwnGridExperiment;

/// A kind with its own keys. It is one of the two below.
class Experiment {
 public:
  Experiment() = default;
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;
  virtual ~Experiment() = default;

  /// The keys that a grid may have.
  [[nodiscard]] virtual std::vector<std::string_view> grid_keys() const = 0;
  /// Reads a point of the grid without any axis, whose relative paths start from the folder;
  /// `number` and seed_text() are left. Throws record::InputError.
  [[nodiscard]] virtual Cell resolve(const record::JsonView& point,
                                     const std::filesystem::path& folder) const = 0;
  /// A fault of the own keys together with the number of trials, as a text, or nothing.
  [[nodiscard]] virtual std::optional<std::string> check_trials(std::uint64_t /*trials*/) const {
    return std::nullopt;
  }
  /// A fault of the own keys together with the cell, as a text, or nothing. That of a filter's
  /// cell lies in its n.
  [[nodiscard]] virtual std::optional<std::string> check(const Cell& /*cell*/) const {
    return std::nullopt;
  }
  /// The files that a trial of the cell reads, without those of filters from outside.
  [[nodiscard]] virtual std::set<std::string> files(const Cell& cell) const = 0;
  /// Observations of every trial of a cell.
  [[nodiscard]] virtual std::uint64_t steps() const { return 1; }

  [[nodiscard]] virtual const FilterExperiment* of_filters() const { return nullptr; }
  [[nodiscard]] virtual const OwnGridExperiment* of_own_grid() const { return nullptr; }
};

/// A kind that fills and asks the filters of a grid of keys, n, filter and hash.
class FilterExperiment : public Experiment {
 public:
  /// All keys that there are, where a kind asks them all.
  struct Universe {
    std::uint64_t keys = 0;
    int key_bytes = 0;  ///< the source must have this width and supply them all
  };

  [[nodiscard]] std::vector<std::string_view> grid_keys() const override;
  [[nodiscard]] Cell resolve(const record::JsonView& point,
                             const std::filesystem::path& folder) const override;
  [[nodiscard]] std::set<std::string> files(const Cell& cell) const override;
  [[nodiscard]] const FilterExperiment* of_filters() const override { return this; }

  [[nodiscard]] virtual std::string_view kind() const = 0;
  /// Distinct absent keys that a trial asks for, at most [keys].
  [[nodiscard]] virtual std::uint64_t absent_keys(std::uint64_t n) const = 0;
  /// The same as far as it is known beforehand.
  [[nodiscard]] virtual std::uint64_t expected_absent_keys(std::uint64_t n) const {
    return absent_keys(n);
  }
  [[nodiscard]] virtual std::optional<Universe> universe() const { return std::nullopt; }
  /// Whether all that it asks comes from the key set, so that digests may stand in for keys.
  [[nodiscard]] virtual bool asks_its_key_set() const { return true; }

  /// Measures one filter in one trial: one measurement a step.
  [[nodiscard]] virtual std::vector<Measurement> measure(Implementation& implementation,
                                                         const KeySet& keys) const = 0;

  /// Whether all trials of a cell stop together, so that they are one piece of work.
  [[nodiscard]] virtual bool joins_trials() const { return false; }
  /// Measures the filters of all trials together: one measurement a trial.
  [[nodiscard]] virtual std::vector<Measurement> measure_together(
      const std::vector<std::unique_ptr<Implementation>>& implementations,
      const std::vector<std::unique_ptr<KeySet>>& keys) const;

  /// Whether cells may be measured in k-sliced passes (k_sliced.hpp), and whether a filter that can
  /// be k-sliced is measured so even alone.
  [[nodiscard]] virtual bool may_be_sliced() const { return false; }
  [[nodiscard]] virtual bool always_sliced() const { return false; }
  /// Measures the filters of a slice in one pass, in the order of its k, with the counts of
  /// measure().
  [[nodiscard]] virtual std::vector<Measurement> measure_slice(KSliced& slice,
                                                               const KeySet& keys) const;
};

/// A kind whose grid has fields of its own: simulations of the statistics, seeded defects,
/// applications, speeds. kinds/own_grid.hpp makes one of each.
class OwnGridExperiment : public Experiment {
 public:
  [[nodiscard]] const OwnGridExperiment* of_own_grid() const override { return this; }

  /// A point of the grid, Point::Parameters, from a resolved cell.
  [[nodiscard]] virtual std::any point_of(const record::Json& cell,
                                          const std::filesystem::path& folder) const = 0;
  /// Of one trial, roughly [bytes].
  [[nodiscard]] virtual std::uint64_t memory_bytes(const Cell& cell) const = 0;
  /// Of one trial, roughly, on one thread [s].
  [[nodiscard]] virtual double seconds(const Cell& cell) const = 0;
  /// Whether every trial is a process, one at a time, with the cells in random turn.
  [[nodiscard]] virtual bool by_process_runs() const { return false; }
  /// One trial at a point: one measurement a step. @param tuning of the filters; changes no count
  [[nodiscard]] virtual std::vector<Measurement> measure(const std::any& point, std::uint64_t seed,
                                                         const BatchTuning& tuning = {}) const = 0;
};

}  // namespace bloomlab::experiments
