// Causes with a closed form, and the list that all causes are collected in.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "audit/causes.hpp"

namespace bloomlab::audit::detail {

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

/// All that fits the layouts and what was seen.
void add_closed_causes(Causes& causes, std::span<const Place> places, const Evidence& evidence,
                       bool layout_is_declared);

}  // namespace bloomlab::audit::detail
