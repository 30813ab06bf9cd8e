// Why a filter's rates are not what they should be: each cause is a prediction of the rates (and of
// the lost keys) over sizes and loads, and what fits is said with how well it fits.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/evidence.hpp"
#include "audit/layout.hpp"

namespace bloomlab::audit {

/// The classes of causes; docs/audit.md says what belongs to each.
enum class Class {
  none,
  hash_width,
  reduction,
  fewer_bits,
  sign,
  strides,
  derived_stride,
  shared_bits,
  probe_count,
  layers,
  size_formula,
  inverted,
  stale_memory,
  capacity,
  lost_keys,
  refused_keys,
  weak_hash,
  seed_ignored,
  nondeterminism,
  layout,
  more_keys,
  fewer_keys,
  several_filters,
  unknown,
};

/// "hash_width", as JSON has it; and in words.
[[nodiscard]] std::string_view name(Class cause) noexcept;
[[nodiscard]] std::string_view words(Class cause) noexcept;

/// A measured cell, and what is expected there.
struct Place {
  RateCell cell;
  Layout layout;
  double expected = 0.0;  ///< rate by the layout's law
  double spread = 0.0;    ///< relative variance of a filter's own rate between filters
};

/// A cell's rate with its standard error relative to it: that of a simulation, or of a formula.
struct Predicted {
  double rate = 0.0;
  double error = 0.0;
  /// Relative variance between filters of their own rate; nothing: that of the layout.
  std::optional<double> spread = std::nullopt;
};

/// A cause with its parameters settled.
struct Cause {
  Class kind = Class::unknown;
  std::string text;    ///< "positions from 24 bits"
  int parameters = 0;  ///< that were fitted
  /// Nothing where the cause says nothing of the cell.
  std::function<std::optional<Predicted>(const Place&)> rate;
  /// Share of the inserted keys that is denied; nothing where it is not said.
  std::function<std::optional<double>(const Place&)> loss;
  bool per_size = false;  ///< has a parameter for each size, and so fits much
  bool counted = false;   ///< what it says of bits that are reached, or of memory, was counted
};

/// How well a cause fits.
struct Fit {
  Class kind = Class::unknown;
  std::string text;
  double deviance = 0.0;
  int degrees = 0;       ///< cells less parameters
  double p_value = 0.0;  ///< of a deviance as large, were the cause right
  double score = 0.0;    ///< deviance and a price of parameters: the least is the best
  std::size_t cells = 0;
  std::size_t denied_cells = 0;  ///< where it predicts denied keys, and keys were denied
  bool per_size = false;         ///< of the cause, ...
  bool counted = false;          ///< ... as is this

  /// Whether the cause cannot be what happened.
  [[nodiscard]] bool fails() const noexcept { return p_value < 1e-7; }
};

/// Relative variance between filters of their own rate, by the layout's law.
[[nodiscard]] double spread_of(const Layout& layout, double n);

/// Every cause, each at its best parameters, best first.
[[nodiscard]] std::vector<Fit> fit_causes(std::span<const Place> places, const Evidence& evidence,
                                          bool layout_is_declared);

namespace detail {

/// Deviance of a gamma-Poisson count of that mean and dispersion: the square of a standard normal,
/// nearly.
[[nodiscard]] double deviance(double count, double mean, double dispersion);

[[nodiscard]] Fit fit(const Cause& cause, std::span<const Place> places);

inline std::optional<double> no_loss(const Place& /*at*/) { return 0.0; }

/// Collects causes, and of those of a family the best.
class Causes {
 public:
  explicit Causes(std::span<const Place> places) : places_(places) {}

  /// A cause that says nothing of what was measured explains nothing.
  void add(const Cause& cause);

  /// A cause with one real parameter, sought between the logarithms of two numbers.
  void add_best(double low, double high, const std::function<Cause(double)>& make);

  /// Best first.
  [[nodiscard]] std::vector<Fit> sorted() &&;

 private:
  std::span<const Place> places_;
  std::vector<Fit> fits_;
};

/// The parameter in [low, high] with the least deviance, by a coarse grid and then a finer one.
[[nodiscard]] double best_parameter(double low, double high,
                                    const std::function<double(double)>& deviance);

/// Causes with a closed form: all that fits the layouts and what was seen.
void add_closed_causes(Causes& causes, std::span<const Place> places, const Evidence& evidence,
                       bool layout_is_declared);

/// Layers of a scalable filter: a filter that was taken for one array of bits adds another whenever
/// the last one is full (Almeida et al. 2007). Its parameters are sought in short lists (first
/// capacity, growth, tightening), its rate between. Where the memory is seen to grow, layers that
/// take as much as was counted are preferred, and their fit is `counted`.
void add_layers(Causes& causes, std::span<const Place> places, bool layout_is_declared);

/// Causes that follow from simulated filters, those first that were simulated roughly and do not
/// fit at all.
void for_each_simulated_cause(std::span<const Place> places,
                              const std::function<void(const Cause&)>& use);

}  // namespace detail

}  // namespace bloomlab::audit
