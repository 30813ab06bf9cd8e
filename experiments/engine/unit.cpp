#include "experiments/engine/unit.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/bits/zeroed_memory.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "experiments/cells/cell_parts.hpp"
#include "experiments/cells/experiment.hpp"
#include "experiments/cells/foreign_cell.hpp"
#include "experiments/cells/implementation.hpp"
#include "experiments/cells/implementation_factory.hpp"
#include "experiments/cells/k_sliced.hpp"
#include "experiments/cells/key_set.hpp"
#include "foreign/failure.hpp"
#include "record/hashes.hpp"
#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

std::vector<Slice> one_by_one(const std::vector<const Cell*>& cells) {
  std::vector<Slice> slices;
  for (const Cell* cell : cells) slices.push_back({cell});
  return slices;
}

/// The cells of one group as the kind measures them.
std::vector<Slice> slices_of_group(const FilterExperiment& kind,
                                   const std::vector<const Cell*>& group) {
  return kind.may_be_sliced() ? cut_into_slices(group) : one_by_one(group);
}

/// Whether a slice of the kind is measured in a k-sliced pass.
bool is_sliced(const FilterExperiment& kind, const Slice& slice) {
  return slice.size() > 1 || (kind.always_sliced() && can_be_sliced(*slice.front()));
}

std::string place(const Config& config, const Cell& cell, std::uint64_t trial) {
  return config.path.string() + ": cell " + cell.text() + ", trial " + std::to_string(trial) + ": ";
}

/// Does `work`; what it throws without saying where becomes an error at the cell and the trial. A
/// fault of the system that kept a filter from outside from its turn is left: it may be tried
/// again.
template <class Work>
void with_place(const Config& config, const Cell& cell, const std::uint64_t& trial, Work work) {
  try {
    work();
  } catch (const foreign::SystemFault&) {
    throw;
  } catch (const record::InputError&) {
    throw;
  } catch (const record::RunError&) {
    throw;
  } catch (const AllocationError& fault) {
    throw record::RunError(place(config, cell, trial) + fault.what());
  } catch (const std::bad_alloc&) {
    throw record::RunError(place(config, cell, trial) +
                           "out of memory; run fewer jobs or a smaller config");
  } catch (const std::exception& fault) {
    throw record::RunError(place(config, cell, trial) + fault.what());
  }
}

record::Observation observation_of(const Cell& cell, std::uint64_t trial, std::uint64_t seed,
                                   Measurement measurement) {
  if (cell.asked_bits) measurement.measured["asked_bits"] = *cell.asked_bits;
  return {.cell = cell.json(),
          .group = cell.group(),
          .trial = trial,
          .step = measurement.step,
          .seed = seed,
          .redrawn = cell.redrawn,
          .measured = std::move(measurement.measured),
          .timing = std::move(measurement.timing)};
}

/// A filter that forgets more keys than it turned away is broken, or made to forget: no count of
/// such a run can be trusted.
void require_every_inserted_key(const Config& config, const record::Observation& observation,
                                const Cell& cell) {
  if (has_foreign_part(cell)) return;  // its row says so
  const auto missing = observation.measured.at("false_negatives").get<std::uint64_t>();
  const std::uint64_t refused = observation.measured.value("refused", std::uint64_t{0});
  if (missing <= refused) return;
  throw record::RunError(place(config, cell, observation.trial) + "the filter denies " +
                         std::to_string(missing) + " of " +
                         observation.measured.at("inserted").dump() +
                         " inserted keys, having turned away " + std::to_string(refused) +
                         "; only counters that wrap may deny a key that they were given: choose "
                         "another overflow, else it is a defect of the filter: report this line");
}

/// What is left of a trial whose filter, one from outside, failed: how, in every step.
std::vector<Measurement> failed_measurements(const foreign::Failure& failure, std::uint64_t steps) {
  const record::Json measured = {{"status", word_of(failure.kind())}, {"reason", failure.what()}};
  std::vector<Measurement> measurements;
  for (std::uint64_t step = 1; step <= steps; ++step) {
    measurements.push_back(
        {steps > 1 ? std::optional(step) : std::nullopt, measured, record::Json::object()});
  }
  return measurements;
}

/// What `measure` gives, or for a filter from outside that failed what `failed` makes of it. What
/// this system has not, memory too, is no failure of such a filter.
template <class Measure, class Failed>
std::vector<Measurement> measured_or_failed(const Cell& cell, Measure measure, Failed failed) {
  try {
    return measure();
  } catch (const foreign::SystemFault&) {
    throw;
  } catch (const foreign::Failure& failure) {
    return failed(failure);
  } catch (const std::bad_alloc&) {
    const record::Json json = cell.json();
    const record::Json* const from_outside = foreign_object(json);
    if (from_outside == nullptr) throw;
    throw foreign::SystemFault(foreign_text(*from_outside) +
                               ": out of memory; run fewer jobs or a smaller config");
  }
}

/// Keys whose every batch is told to a meter as it is made, which is never timed.
class MeteredKeys final : public KeySet {
 public:
  MeteredKeys(std::unique_ptr<KeySet> keys, const KeyMeter& meter)
      : KeySet(keys->inserted_keys(), keys->absent_keys()), keys_(std::move(keys)), meter_(meter) {}

  KeyBatch inserted_keys(std::uint64_t first, std::size_t count, KeyBuffer& buffer) const override {
    meter_(count);
    return keys_->inserted_keys(first, count, buffer);
  }
  KeyBatch absent_keys(std::uint64_t first, std::size_t count, KeyBuffer& buffer) const override {
    meter_(count);
    return keys_->absent_keys(first, count, buffer);
  }
  bool made_on_demand() const noexcept override { return keys_->made_on_demand(); }
  void note_other_keys(std::size_t count) const override { meter_(count); }

 private:
  std::unique_ptr<KeySet> keys_;
  const KeyMeter& meter_;
};

class UnitMeasurer {
 public:
  UnitMeasurer(const Config& config, const FilterExperiment& kind, const Unit& unit,
               const ImplementationMaker& make, const KeyMeter& meter)
      : config_(config),
        kind_(kind),
        unit_(unit),
        make_(make),
        meter_(meter),
        seed_(trial_seed(config.seed, *unit.cells.front(), unit.trial)) {}

  std::vector<record::Observation> operator()() {
    const std::vector<Slice> all =
        make_ ? one_by_one(unit_.cells) : slices_of_group(kind_, unit_.cells);
    const auto sliced = [this](const Slice& slice) { return is_sliced(kind_, slice); };
    one_hash_ = kind_.asks_its_key_set() && all.size() > 1 && std::ranges::all_of(all, sliced) &&
                share_digests(all);
    for (const Slice& slice : all) measure_slice_of_cells(slice);
    return std::move(observations_);
  }

 private:
  void measure_slice_of_cells(const Slice& slice) {
    const Cell& first = *slice.front();
    with_place(config_, first, unit_.trial, [&] {
      const KeySet& keys = keys_of(first, slice.size() == unit_.cells.size());
      if (!is_sliced(kind_, slice)) {
        for (Measurement& measurement : measure_alone(first, keys)) {
          add(first, std::move(measurement));
        }
      } else {
        KSliced filters = k_sliced_filters(slice, seed_, takes_);
        auto measurements = kind_.measure_slice(filters, keys);
        for (std::size_t i = 0; i < slice.size(); ++i) add(*slice[i], std::move(measurements[i]));
      }
    });
  }

  std::vector<Measurement> measure_alone(const Cell& cell, const KeySet& keys) {
    const auto measure = [&] {
      const auto implementation = make_ ? make_(cell, seed_) : make_implementation(cell, seed_);
      auto measurements = kind_.measure(*implementation, keys);
      for (Measurement& measurement : measurements) implementation->annotate(measurement.measured);
      return measurements;
    };
    return measured_or_failed(cell, measure, [&](const foreign::Failure& failure) {
      return failed_measurements(failure, kind_.steps());
    });
  }

  void add(const Cell& cell, Measurement measurement) {
    observations_.push_back(observation_of(cell, unit_.trial, seed_, std::move(measurement)));
    require_every_inserted_key(config_, observations_.back(), cell);
  }

  /// The keys of a cell; those of the cell before where they are the same.
  const KeySet& keys_of(const Cell& cell, bool used_once) {
    if (keys_ == nullptr || cell.n != keys_->inserted_keys() ||
        cell.json().at("keys") != keys_json_) {
      keys_ = make_keys(cell, seed_, kind_.absent_keys(cell.n));
      takes_ = ProbeByProbe::Takes::keys;
      if (one_hash_ && worth_holding(*keys_)) {
        keys_ = held_digests(*keys_, record::make_hasher(cell.hash), hash_seed(seed_));
        takes_ = ProbeByProbe::Takes::digests;
      } else if (!used_once || kind_.steps() > 1) {
        keys_ = held(std::move(keys_));
      }
      if (meter_) keys_ = std::make_unique<MeteredKeys>(std::move(keys_), meter_);
      keys_json_ = cell.json().at("keys");
    }
    return *keys_;
  }

  const Config& config_;
  const FilterExperiment& kind_;
  const Unit& unit_;
  const ImplementationMaker& make_;
  const KeyMeter& meter_;
  std::uint64_t seed_;
  bool one_hash_ = false;  // keys need to be hashed once only
  ProbeByProbe::Takes takes_ = ProbeByProbe::Takes::keys;
  std::unique_ptr<KeySet> keys_;
  record::Json keys_json_;
  std::vector<record::Observation> observations_;
};

/// A unit of all trials of its cells, which stop together: cell by cell.
std::vector<record::Observation> measure_joined(const Config& config, const FilterExperiment& kind,
                                                const Unit& unit, const ImplementationMaker& make,
                                                const KeyMeter& meter) {
  std::vector<record::Observation> observations;
  for (const Cell* cell : unit.cells) {
    std::vector<std::unique_ptr<Implementation>> implementations;
    std::vector<std::unique_ptr<KeySet>> keys;
    std::vector<Measurement> measurements;
    std::uint64_t trial = 0;
    const auto measure = [&] {
      for (; trial < unit.trials; ++trial) {
        const std::uint64_t seed = trial_seed(config.seed, *cell, trial);
        implementations.push_back(make ? make(*cell, seed) : make_implementation(*cell, seed));
        keys.push_back(make_keys(*cell, seed, kind.absent_keys(cell->n)));
        if (meter) keys.back() = std::make_unique<MeteredKeys>(std::move(keys.back()), meter);
      }
      trial = 0;
      auto together = kind.measure_together(implementations, keys);
      for (std::size_t i = 0; i < together.size(); ++i) {
        implementations[i]->annotate(together[i].measured);
      }
      return together;
    };
    with_place(config, *cell, trial, [&] {
      measurements = measured_or_failed(*cell, measure, [&](const foreign::Failure& failure) {
        return std::vector(unit.trials, failed_measurements(failure, 1).front());
      });
    });
    for (trial = 0; trial < unit.trials; ++trial) {
      observations.push_back(observation_of(*cell, trial, trial_seed(config.seed, *cell, trial),
                                            std::move(measurements[trial])));
      require_every_inserted_key(config, observations.back(), *cell);
    }
  }
  return observations;
}

/// A unit of a kind with a grid of its own: its cells one after the other.
std::vector<record::Observation> measure_own(const Config& config, const OwnGridExperiment& kind,
                                             const Unit& unit, const ProcessRunner& process_run) {
  const auto measure_cell = [&](const Cell& cell, std::uint64_t seed) {
    if (kind.by_process_runs() && process_run) {
      return process_run({config.kind, config.json, cell.json(), seed, cell.folder});
    }
    return kind.measure(cell.point, seed);
  };
  std::vector<record::Observation> observations;
  for (const Cell* cell : unit.cells) {
    const std::uint64_t seed = trial_seed(config.seed, *cell, unit.trial);
    with_place(config, *cell, unit.trial, [&] {
      auto measurements = measured_or_failed(
          *cell, [&] { return measure_cell(*cell, seed); },
          [&](const foreign::Failure& failure) {
            return failed_measurements(failure, kind.steps());
          });
      for (Measurement& measurement : measurements) {
        observations.push_back(observation_of(*cell, unit.trial, seed, std::move(measurement)));
      }
    });
  }
  return observations;
}

/// Trial after trial, the cells of each in a random order that follows from the seed.
void take_turns(std::vector<Unit>& units, std::uint64_t seed) {
  const KeyedPermutation random(seed);
  std::ranges::sort(units, {}, [&](const Unit& unit) {
    return std::pair(unit.trial, random((unit.trial << 32) + unit.cells.front()->number));
  });
}

/// Probes are what time goes into: all of an inserted key's, about two of an absent key's.
double weight_of(const Cell& cell, std::uint64_t absent_keys, std::uint64_t steps) {
  double probes = 1.0;
  visit_filter(cell, [&]<class Filter>(std::type_identity<Filter>, const auto& parameters) {
    probes = static_cast<double>(Filter::probes(parameters, cell.n));
  });
  const auto rounds = static_cast<double>(steps);
  const auto inserted_keys = static_cast<double>(cell.n);
  return inserted_keys * probes * (1.0 + (rounds + 1.0) / 2.0) +
         static_cast<double>(absent_keys) * rounds * 3.0;
}

double weight_of(const Config& config, const std::vector<const Cell*>& cells) {
  double weight = 0.0;
  if (const auto* const own = config.experiment->of_own_grid()) {
    for (const Cell* cell : cells) weight += own->seconds(*cell);
    return weight;
  }
  const FilterExperiment& kind = *config.experiment->of_filters();
  // A slice costs what its last cell, the one with most probes, costs.
  for (const Slice& slice : slices_of_group(kind, cells)) {
    const Cell& cell = *slice.back();
    weight += weight_of(cell, kind.absent_keys(cell.n), kind.steps());
  }
  return weight;
}

/// Cells that share keys and seeds, in grid order of the first of each.
std::vector<std::vector<const Cell*>> groups_of(const Config& config,
                                                const std::vector<const Cell*>& cells) {
  std::vector<std::vector<const Cell*>> groups;
  std::map<std::string_view, std::size_t> place_of;
  for (const Cell* cell : cells) {
    const auto [place, is_new] = place_of.try_emplace(group_text(config, *cell), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(cell);
  }
  return groups;
}

}  // namespace

const std::string& group_text(const Config& config, const Cell& cell) {
  return config.experiment->of_own_grid() != nullptr ? cell.text() : cell.seed_text();
}

double keys_of(const Config& config, const Unit& unit) {
  const auto* const kind = config.experiment->of_filters();
  if (kind == nullptr) return 0.0;
  double keys = 0.0;
  const auto rounds = static_cast<double>(kind->steps());
  for (const Slice& slice : slices_of_group(*kind, unit.cells)) {
    const std::uint64_t n = slice.back()->n;
    keys += static_cast<double>(n) * (1.0 + (rounds + 1.0) / 2.0) +
            static_cast<double>(kind->absent_keys(n)) * rounds;
  }
  return keys * static_cast<double>(unit.trials);
}

std::vector<Slice> slices_of(const Config& config, const std::vector<const Cell*>& cells) {
  const auto* const kind = config.experiment->of_filters();
  if (kind == nullptr) return one_by_one(cells);
  std::vector<Slice> slices;
  for (const auto& group : groups_of(config, cells)) {
    std::ranges::move(slices_of_group(*kind, group), std::back_inserter(slices));
  }
  return slices;
}

bool is_sliced(const Config& config, const Slice& slice) {
  const auto* const kind = config.experiment->of_filters();
  return kind != nullptr && is_sliced(*kind, slice);
}

std::vector<Unit> units_of(const Config& config, const std::vector<const Cell*>& cells) {
  const bool by_process_runs = config.by_process_runs();
  std::vector<Unit> units;
  for (const auto& group : groups_of(config, cells)) {
    const double weight = weight_of(config, group);
    if (config.joins_trials()) {
      units.push_back({group, 0, config.trials, weight * static_cast<double>(config.trials)});
      continue;
    }
    for (std::uint64_t trial = 0; trial < config.trials; ++trial) {
      units.push_back({group, trial, 1, weight});
    }
  }
  if (by_process_runs) take_turns(units, config.seed);
  return units;
}

std::vector<record::Observation> measure(const Config& config, const Unit& unit,
                                         const ImplementationMaker& make_implementation,
                                         const ProcessRunner& process_run, const KeyMeter& meter) {
  if (const auto* const own = config.experiment->of_own_grid()) {
    return measure_own(config, *own, unit, process_run);
  }
  const FilterExperiment& kind = *config.experiment->of_filters();
  if (kind.joins_trials()) return measure_joined(config, kind, unit, make_implementation, meter);
  return UnitMeasurer(config, kind, unit, make_implementation, meter)();
}

}  // namespace bloomlab::experiments
