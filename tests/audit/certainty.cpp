// What an audit calls certain is true: simulated filters whose positions are known, those of the
// audit's own list and others.
#include "audit/certainty.hpp"

#include <bit>
#include <catch2/catch.hpp>

#include "tests/audit/layered_filter.hpp"
#include "tests/audit/simulated_filter.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/paths.hpp"

namespace {

using namespace bloomlab;
using namespace bloomlab::audit;
using audit::detail::Random;
using audit::detail::Shape;
using tests::KeyPositions;
using tests::Truth;

/// Small filters: those that causes are simulated for in no time.
Report judged(const Truth& truth, bool is_declared) {
  const Plan plan{.sizes = {{40, 200, 1000, {0.5, 1.0, 2.0}}, {90, 200, 1000, {0.5, 1.0}}}};
  const Examined examined = tests::examined(truth, is_declared);
  Evidence evidence;
  const auto filter = examined.start();
  audit::detail::measure_rates(*filter, examined, plan, evidence);
  audit::detail::measure_bits(*filter, examined, plan, evidence);
  return judge(std::move(evidence), examined, plan);
}

void check_no_false_certainty(const Truth& truth, Class expected, bool is_declared = true) {
  const Report report = judged(truth, is_declared);
  for (const Finding& finding : report.findings) {
    CAPTURE(is_declared, finding.text, finding.cause);
    CHECK((finding.certainty != Certainty::certain || finding.kind == expected));
  }
}

std::uint64_t reduced(std::uint64_t word, std::uint64_t m) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(word) * m >> 64U);
}

struct Other {
  const char* name;
  Class kind;
  KeyPositions positions;
};

/// Ways to make positions that no scheme of the audit has.
std::vector<Other> others() {
  return {
      {"a stride that grows by a constant", Class::strides,
       [](const Shape& shape, Random& random, std::uint64_t* out) {
         const std::uint64_t first = random();
         for (int i = 0; i < shape.k; ++i) {
           out[i] = (first + 977U * static_cast<std::uint64_t>(i * i)) % shape.m;
         }
       }},
      {"32 bits, each position of the one before", Class::shared_bits,
       [](const Shape& shape, Random& random, std::uint64_t* out) {
         auto word = static_cast<std::uint32_t>(random());
         for (int i = 0; i < shape.k; ++i) {
           word = word * 1'664'525U + 1'013'904'223U;
           out[i] = word % shape.m;
         }
       }},
      {"two hashes that differ in one factor", Class::strides,
       [](const Shape& shape, Random& random, std::uint64_t* out) {
         const auto first = static_cast<std::uint32_t>(random());
         const std::uint32_t second = (first ^ 0x61U) * 16'777'619U;
         for (int i = 0; i < shape.k; ++i) {
           out[i] = (first + static_cast<std::uint32_t>(i) * second) % shape.m;
         }
       }},
      {"one digest, turned by 16 bits a probe", Class::shared_bits,
       [](const Shape& shape, Random& random, std::uint64_t* out) {
         const std::uint64_t digest = random();
         for (int i = 0; i < shape.k; ++i) out[i] = reduced(std::rotl(digest, 16 * i), shape.m);
       }},
      {"positions on even places more often", Class::reduction,
       [](const Shape& shape, Random& random, std::uint64_t* out) {
         for (int i = 0; i < shape.k; ++i) {
           out[i] = reduced(random(), shape.m);
           if (random() % 4 == 0) out[i] &= ~std::uint64_t{1};
         }
       }},
  };
}

}  // namespace

TEST_CASE("what an audit calls certain of a scheme is its class", "[audit][certainty]") {
  const auto schemes = audit::detail::schemes_of(Layout{});
  for (std::size_t i = 0; i < schemes.size(); i += 4) {
    CAPTURE(schemes[i].text, schemes[i].parameter);
    check_no_false_certainty({tests::positions_of(schemes[i])}, schemes[i].kind);
  }
}

TEST_CASE("what an audit calls certain of a scheme that it does not know is its class",
          "[audit][certainty]") {
  for (const Other& other : others()) {
    CAPTURE(other.name);
    check_no_false_certainty({other.positions}, other.kind);
  }
}

TEST_CASE("what an audit calls certain is true, over more parameters", "[.sweep]") {
  for (const audit::detail::Scheme& scheme : audit::detail::schemes_of(Layout{})) {
    for (const auto& [bits_per_key, k] : {std::pair{6.0, 4}, std::pair{10.0, 7}, {15.0, 10}}) {
      for (const bool is_built : {false, true}) {
        CAPTURE(scheme.text, scheme.parameter, bits_per_key, is_built);
        const Truth truth{tests::positions_of(scheme), bits_per_key, k, is_built};
        check_no_false_certainty(truth, scheme.kind, true);
        check_no_false_certainty(truth, scheme.kind, false);
      }
    }
  }
}

TEST_CASE("a stride that is made from the first position is named", "[audit][certainty]") {
  // LevelDB's util/bloom.cc: memory for the keys it holds, .69 probes a bit.
  const auto turned = [](const Shape& shape, Random& random, std::uint64_t* out) {
    const auto first = static_cast<std::uint32_t>(random());
    const std::uint32_t stride = std::rotl(first, 15);
    for (int i = 0; i < shape.k; ++i) {
      out[i] = (first + static_cast<std::uint32_t>(i) * stride) % shape.m;
    }
  };
  const auto squared = [](const Shape& shape, Random& random, std::uint64_t* out) {
    const std::uint64_t first = reduced(random(), shape.m);
    const std::uint64_t stride = first * first + 7;
    for (int i = 0; i < shape.k; ++i) {
      out[i] = (first + static_cast<std::uint64_t>(i) * stride) % shape.m;
    }
  };
  const auto check = [](const Truth& truth, bool is_declared) {
    const Report report = judged(truth, is_declared);
    CAPTURE(truth.bits_per_key, is_declared);
    REQUIRE(report.findings.size() == 1);
    const Finding& finding = report.findings.front();
    CAPTURE(finding.cause, finding.rivals);
    CHECK(name(finding.kind) == name(Class::derived_stride));
    CHECK(finding.certainty != Certainty::certain);
  };
  check({turned, 15.0, 10, true}, true);
  check({turned, 10.0, 6, true}, false);
  check({squared, 12.0, 8}, true);
}

TEST_CASE("bits that no key sets are certain where they can be counted", "[audit][certainty]") {
  Truth truth{[](const Shape& shape, Random& random, std::uint64_t* out) {
    for (int i = 0; i < shape.k; ++i) out[i] = reduced(random(), shape.m) & ~std::uint64_t{32};
  }};
  for (const bool saves : {true, false}) {
    truth.saves = saves;
    const Report report = judged(truth, true);
    REQUIRE(report.findings.size() == 1);
    const Finding& finding = report.findings.front();
    CAPTURE(saves, finding.cause);
    CHECK(finding.kind == Class::fewer_bits);
    CHECK((finding.certainty == Certainty::certain) == saves);
    CHECK(report.evidence.bits.size() == (saves ? 2 : 0));
  }
}

TEST_CASE("bits that are all reached exclude that fewer are", "[audit][certainty]") {
  const Truth truth{.positions = others().front().positions, .saves = true};
  const Report report = judged(truth, true);
  REQUIRE_FALSE(report.findings.empty());
  for (const BitCount& count : report.evidence.bits) CHECK(count.reached == count.memory_bits);
  for (const Fit& fit : report.findings.front().fits) CHECK(fit.kind != Class::fewer_bits);
}

TEST_CASE("layers are named, and certain where the memory is seen to grow with them",
          "[audit][certainty]") {
  const auto audited = [](const tests::Growing& growing, bool is_declared) {
    const Plan plan{.sizes = {{200, 40, 2000, {0.25, 0.5, 1.0, 2.0}},
                              {1000, 20, 4000, {0.125, 0.25, 0.5, 1.0, 2.0, 4.0}}}};
    Examined examined = tests::examined({}, is_declared);
    examined.start = [growing] { return std::make_unique<tests::LayeredFilter>(growing); };
    Evidence evidence;
    audit::detail::measure_rates(*examined.start(), examined, plan, evidence);
    return judge(std::move(evidence), examined, plan);
  };
  using tests::Growing;
  const auto check = [&](const Growing& growing, bool is_declared) {
    const Report report = audited(growing, is_declared);
    CAPTURE(growing.first_share, growing.factor, growing.tightening, growing.says_its_memory);
    REQUIRE_FALSE(report.findings.empty());
    const Finding& finding = report.findings.front();
    CAPTURE(is_declared, finding.cause, finding.rivals);
    CHECK(name(finding.kind) == name(Class::layers));
    CHECK((finding.certainty == Certainty::certain) == growing.says_its_memory);
    for (const Finding& other : report.findings) {
      CAPTURE(other.text);
      CHECK((other.certainty != Certainty::certain || other.kind == Class::layers ||
             other.kind == Class::size_formula));
    }
  };
  check({.first_share = 0.25, .rate = 0.02}, true);
  check({.first_share = 0.25, .rate = 0.02, .says_its_memory = false}, true);
  check({.first_share = 0.125, .tightening = 0.9}, true);
  check({.first_share = 0.25, .factor = 4.0}, true);
  check({.first_share = 0.1, .tightening = 1.0}, true);
  check({.first_share = 0.25, .rate = 0.02}, false);
}

TEST_CASE("the page of filters in the wild calls certain what needs no more than was seen",
          "[audit][certainty]") {
  // None of those adapters saves its filter, so that no bits were counted.
  const std::string page = tests::read(BLOOMLAB_SOURCE_DIR "/configs/wild/in_the_wild.page.md");
  std::size_t certain = 0;
  for (int i = 0; i <= static_cast<int>(Class::unknown); ++i) {
    const auto kind = static_cast<Class>(i);
    const std::string row = "'" + std::string(name(kind)) + "', 'certain')";
    if (page.find(row) == std::string::npos) continue;
    ++certain;
    CAPTURE(row);
    CHECK((needed_for(kind) == Needed::sight || needed_for(kind) == Needed::denied_keys));
  }
  CHECK(certain > 0);
}
