// The mean over a binomial count that closed forms share, against sums of all terms.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "core/theory/detail/binomial_mixture.hpp"

using bloomlab::theory::detail::binomial_mixture;
using bloomlab::theory::detail::BinomialLaw;
using bloomlab::theory::detail::BinomialWindow;

namespace {

double binomial_term(std::uint64_t count, const BinomialLaw& law) {
  const auto i = static_cast<double>(count);
  const double ways =
      std::lgamma(law.trials + 1.0) - std::lgamma(i + 1.0) - std::lgamma(law.trials - i + 1.0);
  return std::exp(ways) * std::pow(law.success, i) * std::pow(law.failure, law.trials - i);
}

}  // namespace

TEST_CASE("a window of a binomial law has its terms around the mode", "[theory][binomial]") {
  for (const double trials : {0.0, 1.0, 2.0, 7.0, 60.0}) {
    for (const double success : {0.0, 1e-3, 0.25, 0.5, 0.9, 1.0}) {
      CAPTURE(trials, success);
      const BinomialLaw law{trials, success, 1.0 - success};
      const BinomialWindow window(law);
      const auto last = window.first() + window.pmf().size() - 1;
      REQUIRE(static_cast<double>(last) <= trials);
      REQUIRE(window.first() <= window.mode());
      REQUIRE(window.mode() <= last);
      double all = 0.0;
      for (std::uint64_t count = window.first(); count <= last; ++count) {
        CAPTURE(count);
        const double term = window.pmf()[count - window.first()];
        CHECK(term == Approx(binomial_term(count, law)).epsilon(1e-10).margin(1e-300));
        CHECK(term <= window.pmf()[window.mode() - window.first()]);
        all += term;
      }
      CHECK(all == Approx(1.0).epsilon(1e-14));
      if (success == 1.0) CHECK(static_cast<double>(window.first()) == trials);
      // The share of successes, and the chance of a success at all.
      const double share = binomial_mixture(law, trials + 1.0, [&](std::uint64_t count) {
        return trials == 0.0 ? 0.0 : static_cast<double>(count) / trials;
      });
      CHECK(share == Approx(trials == 0.0 ? 0.0 : success).epsilon(1e-12));
      const double any =
          binomial_mixture(law, 1.0, [](std::uint64_t count) { return count == 0 ? 0.0 : 1.0; });
      CHECK(any == Approx(1.0 - std::pow(1.0 - success, trials)).epsilon(1e-12));
    }
  }
}
