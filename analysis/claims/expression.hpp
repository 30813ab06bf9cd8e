// Small formulas as text, so that a claim can be written down as data: "-n * ln(p) / ln(2)^2",
// "standard_exact(m=1024, n=102, k=7) / standard_approx(m=1024, n=102, k=7)".
//
//   numbers     12, 0.5, 1e-4           names       n, lab.rate (the claim's own, see Scope)
//   arithmetic  + - * / ^ ( )           comparison  < <= > >= == !=, 1 where it holds, else 0
//   logic       and, or, not(x)         functions   those of claim_functions()
//   closed forms  every model of the theory with named arguments, and a column of it behind a
//   point:
//                 optimal_sizing(n=4000, p=1e-7).hurst_m
//   loops       sum, product, all, any, count, least, argmin: sum(i, 1, 16, i^2)
// pi and e have no name: write exp(1).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bloomlab::analysis::claims {

/// A formula that cannot be read or evaluated. `what()` is one line.
class ExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The values of names; an inner scope hides names of the outer one, which must outlive it.
class Scope {
 public:
  Scope() = default;
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  Scope(Scope&&) = default;

  /// An empty scope within `outer`.
  [[nodiscard]] static Scope within(const Scope& outer);

  /// Gives `name` a value; a value that it had is replaced.
  void set(std::string_view name, double value);
  /// The value of `name`, here or further out.
  [[nodiscard]] std::optional<double> find(std::string_view name) const;
  /// Every name that has a value, the innermost ones first.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  const Scope* outer_ = nullptr;
  std::map<std::string, double, std::less<>> values_;
};

/// A formula, read and ready to be evaluated. Cheap to evaluate often.
class Expression {
 public:
  /// Reads a formula. Throws ExpressionError: `column C: ...`.
  [[nodiscard]] static Expression parse(std::string_view text);

  /// Its value. Throws ExpressionError for a name without a value, an argument out of a closed
  /// form's domain, a result that is no finite number, and for loops beyond most_loop_steps
  /// together.
  [[nodiscard]] double evaluate(const Scope& scope) const;

  /// The text that was read.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// Whether it asks a closed form of the theory.
  [[nodiscard]] bool asks_theory() const noexcept { return asks_theory_; }

  /// Most steps of the loops of one formula, those of inner loops counted each time.
  static constexpr std::uint64_t most_loop_steps = 2'000'000;

 private:
  friend class ExpressionParser;
  /// What is left of the steps is handed through all parts.
  using Part = std::function<double(const Scope&, std::uint64_t& steps)>;

  std::string text_;
  Part part_;
  bool asks_theory_ = false;
};

/// A function of formulas.
struct ClaimFunction {
  std::string_view name;
  std::size_t arguments;
  std::string_view meaning;
  double (*value)(std::span<const double> arguments);
};

/// Every function, in the order of the documentation.
[[nodiscard]] std::span<const ClaimFunction> claim_functions();

}  // namespace bloomlab::analysis::claims
