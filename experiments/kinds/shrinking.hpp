// Kind `shrinking`: a filter that got fewer keys than it was planned for is made smaller before it
// is sent: built anew for the keys that its fill tells of, folded, or encoded.
#pragma once

#include "experiments/kinds/simulated_application.hpp"

namespace bloomlab::experiments {

struct Shrinking : SimulatedApplication<Shrinking> {
  static constexpr std::string_view name = "shrinking";
  static constexpr std::string_view summary =
      "send a filter that got fewer keys than planned: whole, rebuilt from the hash values, "
      "folded, "
      "encoded; count bytes and false positives";

  /// What is sent.
  enum class Way {
    whole,    ///< the filter as it is
    rebuilt,  ///< one of the size that the fill asks for, built from the keys' hash values
    folded,   ///< the filter folded in two as often as its rate stays within that when full
    encoded   ///< the filter, by an arithmetic coder
  };
  static constexpr std::array<std::string_view, 4> ways = {"whole", "rebuilt", "folded", "encoded"};

  struct Parameters {
    std::uint64_t queries = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"queries", "keys", "absent keys that are looked up in a trial", 1,
                       1'000'000'000},
          p.queries);
  }

  struct Point {
    static constexpr std::string_view name = "shrinking";

    struct Parameters {
      std::uint64_t planned = 0;
      double fpr = 0.0;
      std::uint64_t arrived = 0;
      Way way = Way::whole;
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(IntegerField{"planned", "keys", "keys that the filter is planned for", 1, 100'000'000},
            p.planned);
      visit(RealField{.name = "fpr",
                      .unit = "probability",
                      .meaning = "false-positive rate that it is planned for",
                      .min = 1e-6,
                      .max = 0.5},
            p.fpr);
      visit(IntegerField{"arrived", "keys", "keys that are inserted", 1, 100'000'000}, p.arrived);
      visit(ChoiceField{"way", "what is sent", ways, 0}, p.way);
    }
  };

  /// A filter for so many keys: m by the sizing rule, rounded up to a multiple of 64, so that it
  /// can be folded, and k = log2(1 / fpr), rounded.
  struct Plan {
    std::uint64_t m = 0;
    std::uint64_t k = 0;
  };
  [[nodiscard]] static Plan plan(const Point::Parameters& at);

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// `measured`: the four counts of what is sent; planned_bits and probes; bits_set in the filter
  /// as planned; estimated_keys, rounded; sent_bits, the size of the filter that the receiver has,
  /// and sent_bytes on the way; kept_bytes, 8 a key where hash values have to be kept.
  static Measurement measure_with(const MakeMembership& make, const Parameters& p,
                                  const Point::Parameters& at, std::uint64_t seed);
};

}  // namespace bloomlab::experiments
