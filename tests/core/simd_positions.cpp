#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "core/probe/remix.hpp"
#include "core/reduction/multiply_shift.hpp"
#include "core/simd/positions.hpp"
#include "core/simd/targets.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;

namespace {

/// Lengths around those of vectors; sizes_around_lanes around those that fit into their lanes.
constexpr std::size_t longest_run_of_words = 21;
constexpr std::uint64_t lane_size_limit = std::uint64_t{1} << 32;
const std::vector<std::uint64_t> sizes_around_lanes = {
    1, 2, 1000, lane_size_limit - 1, lane_size_limit, lane_size_limit + 1, std::uint64_t{1} << 40};

template <class Check>
void with_words_on_every_target(Check check) {
  for (const std::string& target : simd::available_targets()) {
    INFO(target);
    const simd::ForcedTarget forced(target);
    for (const std::uint64_t m : sizes_around_lanes) {
      INFO("m " << m);
      for (std::size_t length = 0; length <= longest_run_of_words; ++length) {
        auto words = test::keys(m % 1000, length);
        if (length > 2) words[0] = ~std::uint64_t{0};  // the position m - 1
        check(words, m);
      }
    }
  }
}

}  // namespace

TEST_CASE("words are reduced as multiply_shift says on every target", "[core][simd]") {
  with_words_on_every_target([&](const std::vector<std::uint64_t>& words, std::uint64_t m) {
    std::vector<std::uint64_t> positions(words.size());
    simd::reduce_words(words, m, positions.data());
    for (std::size_t j = 0; j < words.size(); ++j) {
      CHECK(positions[j] == MultiplyShift::reduce(words[j], m));
    }
  });
}

TEST_CASE("a step gives the next words and their positions on every target", "[core][simd]") {
  const simd::WordStep step = GENERATE(simd::remix_step, simd::product_step);
  with_words_on_every_target([&](const std::vector<std::uint64_t>& words, std::uint64_t m) {
    std::vector<std::uint64_t> stepped(words.size());
    std::vector<std::uint64_t> positions(words.size());
    simd::step_words(words, step, m, stepped.data(), positions.data());
    for (std::size_t j = 0; j < words.size(); ++j) {
      CHECK(stepped[j] == step.next(words[j]));
      CHECK(positions[j] == MultiplyShift::reduce(stepped[j], m));
    }
    std::vector<std::uint64_t> in_place = words;
    std::vector<std::uint64_t> same(words.size());
    simd::step_words(in_place, step, m, in_place.data(), same.data());
    CHECK(in_place == stepped);
    CHECK(same == positions);
  });
}
