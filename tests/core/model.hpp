// Random sequences of what a program does with a filter, beside an exact count of its keys. A
// sequence that goes wrong is made as short as it goes wrong with.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/answer.hpp"

namespace bloomlab::test {

/// What is done with a filter; each filter under test knows some of it.
enum class Act {
  insert_each,  ///< key by key
  insert_many,  ///< as one span
  erase,        ///< those of the keys that are there
  merge,        ///< with a filter of the keys
  intersect,
  fold,
  load,  ///< what was saved
  map,   ///< go on with a copy of what was mapped
  copy,  ///< go on with a copy while the first takes the keys
  move,
  clear,
  by_threads,
};
inline constexpr std::string_view act_names[] = {
    "insert_each", "insert_many", "erase", "merge", "intersect", "fold",
    "load",        "map",         "copy",  "move",  "clear",     "by_threads"};

/// One act with keys number `first` .. first + count - 1.
struct Step {
  Act act = Act::insert_each;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Keys of a sequence: integers, and behind them as many texts. A range of keys has one sort.
inline constexpr std::uint32_t sorted_keys = 512;

[[nodiscard]] inline std::string text_of(std::span<const Step> steps) {
  std::string text;
  for (const Step& step : steps) {
    text += "  " + std::string(act_names[static_cast<std::size_t>(step.act)]) + " " +
            std::to_string(step.first) + " +" + std::to_string(step.count) + "\n";
  }
  return text;
}

/// Calls use(span) with the keys of a range: std::uint64_t or std::string_view.
template <class Use>
void with_keys(std::uint32_t first, std::uint32_t count, const Use& use) {
  if (first < sorted_keys) {
    std::vector<std::uint64_t> integers(count);
    for (std::uint32_t i = 0; i < count; ++i) integers[i] = first + i;
    use(std::span<const std::uint64_t>(integers));
  } else {
    std::vector<std::string> texts(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      // Of 0 to 59 bytes: every way that a hash reads them.
      texts[i] = std::string((first + i) % 57, 'x') + std::to_string(first + i - sorted_keys);
    }
    std::vector<std::string_view> views(texts.begin(), texts.end());
    use(std::span<const std::string_view>(views));
  }
}

/// Which keys are in the filter, and how often.
struct Model {
  std::map<std::uint32_t, std::uint64_t> times;
  std::uint64_t calls = 0;   ///< inserts less deletions
  bool intersected = false;  ///< then the filter may report more than one of the same keys

  void add(std::uint32_t key) {
    ++times[key];
    ++calls;
  }
  [[nodiscard]] bool has(std::uint32_t key) const { return times.contains(key); }
  void remove(std::uint32_t key) {
    if (--times.at(key) == 0) times.erase(key);
    --calls;
  }
};

/// Thrown by a filter under test for what differs from the model.
struct Differs : std::exception {
  explicit Differs(std::string said) : text(std::move(said)) {}
  [[nodiscard]] const char* what() const noexcept override { return text.c_str(); }
  std::string text;
};
inline void require_that(bool holds, const std::string& text) {
  if (!holds) throw Differs(text);
}

/// The steps of a sequence that a seed gives, 1 to 16 of those acts that the filter under test
/// knows.
[[nodiscard]] inline std::vector<Step> random_steps(std::uint64_t seed, std::span<const Act> acts) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::uint64_t bound) {
    return static_cast<std::uint32_t>(random() % bound);
  };
  std::vector<Step> steps(1 + below(16));
  for (Step& step : steps) {
    step.act = acts[below(acts.size())];
    // Mostly few keys of few, so that they meet again; sometimes many, which take other ways.
    const std::uint32_t sort = below(3) == 0 ? sorted_keys : 0;
    const bool many = below(8) == 0;
    step.count = many ? 1 + below(200) : below(9);
    step.first = sort + below(many ? sorted_keys - 200 : 24);
  }
  return steps;
}

/// What goes wrong, or nothing. `make` makes the filter under test: do_step(step, model) does a
/// step with it and the model, end(model) looks at all keys; both throw for what differs.
template <class Make>
[[nodiscard]] std::optional<std::string> fault_of(std::span<const Step> steps, const Make& make) {
  try {
    auto under_test = make();
    Model model;
    for (const Step& step : steps) under_test.do_step(step, model);
    under_test.end(model);
  } catch (const std::exception& fault) {
    return fault.what();
  }
  return std::nullopt;
}

/// Fewer steps and keys that still go wrong: no step and no half of a step's keys can be left out.
template <class Fails>
[[nodiscard]] std::vector<Step> shrunk(std::vector<Step> steps, const Fails& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t i = steps.size(); i-- > 0;) {
      auto fewer = steps;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (fails(fewer)) {
        steps = fewer;
        smaller = true;
      }
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::uint32_t count = steps[i].count;
      for (const std::uint32_t from : {0U, count / 2}) {
        auto fewer = steps;
        fewer[i].first += from;
        fewer[i].count = from == 0 ? count / 2 : count - from;
        if (fewer[i].count < count && fails(fewer)) {
          steps = fewer;
          smaller = true;
          break;
        }
      }
    }
  }
  return steps;
}

/// How many sequences each filter is tried with: BLOOMLAB_MODEL_SEQUENCES, or a few.
[[nodiscard]] inline std::uint64_t sequences() {
  const char* const wanted = std::getenv("BLOOMLAB_MODEL_SEQUENCES");
  return wanted == nullptr ? 300 : std::strtoull(wanted, nullptr, 10);
}

/// Tries sequences number 0 .. sequences() - 1 with the filters that make(number) makes.
template <class Make, class Label>
void check_sequences(std::span<const Act> acts, const Make& make, const Label& label) {
  for (std::uint64_t number = 0; number < sequences(); ++number) {
    const auto steps = random_steps(number, acts);
    const auto of_number = [&] { return make(number); };
    const auto fault = fault_of(steps, of_number);
    if (!fault) continue;
    const auto few = shrunk(
        steps, [&](std::span<const Step> fewer) { return fault_of(fewer, of_number).has_value(); });
    FAIL(label(number) << ", sequence " << number << ": "
                       << fault_of(few, of_number).value_or(*fault) << "\n"
                       << text_of(few));
  }
  SUCCEED(sequences() << " sequences");
}

}  // namespace bloomlab::test
