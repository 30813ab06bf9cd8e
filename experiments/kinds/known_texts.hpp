// Kind `known_texts`: a list of texts, listed words, addresses or names, is kept in a Bloom filter.
// Who is not on the list and is reported all the same is a false alarm; a whitelist repairs those
// that are known.
// Source: Bloom 1970, "Space/time trade-offs in hash coding with allowable errors" (hyphenation);
// McIlroy 1982, "Development of a spelling list" (words).
#pragma once

#include <filesystem>

#include "experiments/applications/membership.hpp"
#include "experiments/applications/texts.hpp"
#include "experiments/kinds/own_grid.hpp"

namespace bloomlab::experiments {

struct KnownTexts : OwnGridKind<KnownTexts> {
  static constexpr std::string_view name = "known_texts";
  static constexpr std::string_view summary =
      "keep listed words, addresses or names in a filter; count false alarms and bytes, beside the "
      "list and a hash set";

  struct Parameters {
    std::uint64_t unlisted = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(IntegerField{"unlisted", "texts", "texts that are not on the list, looked up", 1,
                       100'000'000},
          p.unlisted);
  }

  /// Which list, and in what it is kept.
  struct Point {
    static constexpr std::string_view name = "list";
    static constexpr std::array<std::string_view, 4> ways = {"fresh", "distance_1", "distance_2",
                                                             "lines"};

    struct Parameters {
      std::string list;
      std::uint64_t n = 0;
      Unlisted unlisted_are = Unlisted::fresh;
      std::uint64_t bits_per_text = 0;
      std::optional<std::string> unlisted_path = std::nullopt;
      std::filesystem::path folder = {};  ///< where relative paths start
    };

    template <class Visitor>
    static void describe(Visitor& visit, Parameters& p) {
      visit(TextField{"list",
                      "addresses or names, which are generated, hyphenation_exceptions, or the "
                      "path of a file with one text a line, relative to the config"},
            p.list);
      visit(IntegerField{"n", "texts", "texts on the list; 0: all of the file or exceptions", 0,
                         100'000'000},
            p.n);
      visit(ChoiceField{"unlisted_are",
                        "texts that are not on the list: further ones of the generator, or listed "
                        "ones after one edit or two, or the lines of a second file",
                        ways},
            p.unlisted_are);
      visit(IntegerField{"bits_per_text", "bits",
                         "size of the filter over n, with ln 2 times as many probes; 0: no filter, "
                         "the list is kept in a hash set",
                         0, 64},
            p.bits_per_text);
      visit(TextField{"unlisted_path",
                      "text file for unlisted_are lines, relative to the config; its lines that "
                      "are listed are left out",
                      true},
            p.unlisted_path);
    }
  };

  static std::optional<std::string> check(const Parameters& p, const Point::Parameters& at);
  static std::set<std::string> files(const Point::Parameters& at);
  static std::uint64_t memory_bytes(const Point::Parameters& at);
  static double seconds(const Parameters& p, const Point::Parameters& at);

  /// Looks up all texts of the list, then those that are not on it. `measured`: listed; the four
  /// counts; m and k (0 without a filter); filter_bytes; list_bytes, the texts with a line end
  /// each; set_bytes, what a std::unordered_set<std::string> allocated (0 with a filter);
  /// alarm_bytes, the texts of the false alarms with a line end each.
  static std::vector<Measurement> measure(const Parameters& p, const Point::Parameters& at,
                                          std::uint64_t seed);
  /// The same with another set in the place of the filter.
  static Measurement measure_with(const MakeMembership& make, const Parameters& p,
                                  const Point::Parameters& at, std::uint64_t seed);
};

}  // namespace bloomlab::experiments
