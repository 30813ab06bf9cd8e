// The keys of a config that every kind of experiment has: read, and published, by one description.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/parameters.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// The plain ones among them.
struct CommonKeys {
  static constexpr std::string_view name = "config";
  struct Parameters {
    std::string title;
    std::string question;
    std::uint64_t seed = 0;
    std::uint64_t trials = 0;
  };

  template <class Visitor>
  static void describe(Visitor& visit, Parameters& p) {
    visit(TextField{"title", "what is measured, for headings", false, record::most_title_letters},
          p.title);
    visit(TextField{"question", "the one question that the config answers", false,
                    record::most_question_letters},
          p.question);
    visit(IntegerField{"seed", "", "every trial's seed is derived from it", 0,
                       std::numeric_limits<std::uint64_t>::max()},
          p.seed);
    visit(IntegerField{"trials", "trials", "trials of every cell", 1, 1'000'000}, p.trials);
  }
};

}  // namespace bloomlab::experiments
