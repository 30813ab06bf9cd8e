// Kinds of experiment whose grid holds fields of their own instead of keys, n, filter and hash:
// simulations of the statistics, seeded defects, applications.
#pragma once

#include <any>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/parameters.hpp"
#include "experiments/cells/experiment.hpp"
#include "experiments/cells/measurement.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::experiments {

/// Such a kind has a type `Point` with `Parameters` and `describe`, the fields of a point of its
/// grid, and with p of its own keys, at of a point:
/// * check(p, at): a fault of the point as a text, or nothing;
/// * files(at): the files that a trial reads;
/// * redrawn: what a trial draws anew (empty: one trial is all there can be);
/// * memory_bytes(at) of one trial, and seconds(p, at), a rough estimate of it on one thread;
/// * steps(p): observations of a trial;
/// * by_process_runs: whether a trial is a process of its own;
/// * measure(p, at, seed): a trial, one measurement a step; it may take a BatchTuning too.
template <class Kind>
concept OwnGrid = requires(const typename Kind::Parameters& p,
                           const typename Kind::Point::Parameters& at, std::uint64_t seed) {
  { Kind::check(p, at) } -> std::same_as<std::optional<std::string>>;
  { Kind::files(at) } -> std::same_as<std::set<std::string>>;
  { Kind::redrawn() } -> std::same_as<std::span<const std::string_view>>;
  { Kind::memory_bytes(at) } -> std::same_as<std::uint64_t>;
  { Kind::seconds(p, at) } -> std::same_as<double>;
  { Kind::steps(p) } -> std::same_as<std::uint64_t>;
  { Kind::by_process_runs } -> std::convertible_to<bool>;
  { Kind::measure(p, at, seed) } -> std::same_as<std::vector<Measurement>>;
};

/// What most such kinds have in common, to be hidden where one differs: no keys of its own beside
/// the grid, every point is sound, no file is read, a trial draws the keys and the seed of the hash
/// anew and is one observation.
template <class Kind>
struct OwnGridKind {
  struct Parameters {};

  template <class Visitor>
  static void describe(Visitor& /*visit*/, Parameters& /*p*/) {}

  static constexpr bool by_process_runs = false;

  template <class K = Kind>
  static std::optional<std::string> check(const typename K::Parameters& /*p*/,
                                          const typename K::Point::Parameters& /*at*/) {
    return std::nullopt;
  }
  template <class K = Kind>
  static std::set<std::string> files(const typename K::Point::Parameters& /*at*/) {
    return {};
  }
  static std::span<const std::string_view> redrawn() {
    static constexpr std::array<std::string_view, 2> what = {"keys", "hash_seed"};
    return what;
  }
  template <class K = Kind>
  static std::uint64_t steps(const typename K::Parameters& /*p*/) {
    return 1;
  }
};

/// The kind behind the interface of the engine.
template <OwnGrid Kind>
class OwnGridExperimentOf final : public OwnGridExperiment {
  using PointAt = typename Kind::Point::Parameters;

 public:
  explicit OwnGridExperimentOf(typename Kind::Parameters parameters)
      : parameters_(std::move(parameters)) {}

  std::vector<std::string_view> grid_keys() const override {
    return record::field_names<typename Kind::Point>();
  }
  Cell resolve(const record::JsonView& point, const std::filesystem::path& folder) const override {
    const auto at = record::read_parameters<typename Kind::Point>(
        record::ObjectReader(point, "the grid", grid_keys()));
    Cell cell;
    record::Json json = record::Json::object();
    record::write_parameters<typename Kind::Point>(at, json);
    cell.set_json(json);
    cell.folder = folder.string();
    cell.point = point_of(json, folder);
    cell.redrawn.assign(Kind::redrawn().begin(), Kind::redrawn().end());
    return cell;
  }
  std::any point_of(const record::Json& cell, const std::filesystem::path& folder) const override {
    auto at = record::own_parameters_of<typename Kind::Point>(cell);
    if constexpr (requires { at.folder = folder; }) at.folder = folder;
    return at;
  }
  std::optional<std::string> check(const Cell& cell) const override {
    return Kind::check(parameters_, typed(cell.point));
  }
  std::set<std::string> files(const Cell& cell) const override {
    return Kind::files(typed(cell.point));
  }
  std::uint64_t steps() const override { return Kind::steps(parameters_); }
  std::uint64_t memory_bytes(const Cell& cell) const override {
    return Kind::memory_bytes(typed(cell.point));
  }
  double seconds(const Cell& cell) const override {
    return Kind::seconds(parameters_, typed(cell.point));
  }
  bool by_process_runs() const override { return Kind::by_process_runs; }
  std::vector<Measurement> measure(const std::any& point, std::uint64_t seed,
                                   [[maybe_unused]] const BatchTuning& tuning) const override {
    if constexpr (requires(const PointAt& at) { Kind::measure(parameters_, at, seed, tuning); }) {
      return Kind::measure(parameters_, typed(point), seed, tuning);
    } else {
      return Kind::measure(parameters_, typed(point), seed);
    }
  }

 private:
  static const PointAt& typed(const std::any& point) {
    return std::any_cast<const PointAt&>(point);
  }

  typename Kind::Parameters parameters_;
};

}  // namespace bloomlab::experiments
