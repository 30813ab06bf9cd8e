// Sizes that are the same whatever the last digits of the machine's exp and log are. The linker
// puts the functions below between this program and its libm (tests/CMakeLists.txt).

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/binary_fuse.hpp"
#include "core/filters/scalable_layers.hpp"
#include "core/parameters.hpp"
#include "experiments/peers/sized_filters.hpp"
#include "experiments/speed/stream_implementations.hpp"

namespace {

/// By how much the functions are wrong [units in the last place].
double libm_error = 0.0;

double wrong(double value) { return value * (1.0 + libm_error * 0x1p-52); }

}  // namespace

extern "C" {
double __real_exp(double);
double __real_exp2(double);
double __real_expm1(double);
double __real_log(double);
double __real_log2(double);
double __real_log1p(double);
double __real_pow(double, double);
double __wrap_exp(double x) { return wrong(__real_exp(x)); }
double __wrap_exp2(double x) { return wrong(__real_exp2(x)); }
double __wrap_expm1(double x) { return wrong(__real_expm1(x)); }
double __wrap_log(double x) { return wrong(__real_log(x)); }
double __wrap_log2(double x) { return wrong(__real_log2(x)); }
double __wrap_log1p(double x) { return wrong(__real_log1p(x)); }
double __wrap_pow(double x, double y) { return wrong(__real_pow(x, y)); }
}

namespace bloomlab {
namespace {

/// What `sizes` gives with a libm as it is, and with ones that are wrong by up to 4 units.
template <class Sizes>
void check_equal_sizes(Sizes sizes) {
  libm_error = 0.0;
  const auto expected = sizes();
  REQUIRE_FALSE(expected.empty());
  for (const double error : {-4.0, -1.0, 1.0, 4.0}) {
    libm_error = error;
    const auto got = sizes();
    libm_error = 0.0;
    REQUIRE(got.size() == expected.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < got.size(); ++i) different += got[i] == expected[i] ? 0 : 1;
    INFO("error " << error << " units, " << expected.size() << " sizes");
    CHECK(different == 0);
  }
}

template <class Layers>
void add_layers(const Layers& layers, std::vector<LayerPlan>& all) {
  for (std::uint64_t index = 0; index < 8; ++index) {
    if (const auto plan = layers.plan(index)) all.push_back(*plan);
  }
}

/// Numbers of keys or bits from 10 to 2^40, half as many more each time.
std::vector<std::uint64_t> key_counts() {
  std::vector<std::uint64_t> counts;
  for (std::uint64_t n = 10; n <= std::uint64_t{1} << 40; n += n / 2) counts.push_back(n);
  return counts;
}

constexpr std::array<double, 8> rates = {0.5, 0.1, 0.05, 0.02, 0.01, 0.001, 1e-4, 1e-6};

}  // namespace

TEST_CASE("the wrong libm is the one that is called", "[libm]") {
  const volatile double three = 3.0;
  const double right = std::log(three);
  libm_error = 4.0;
  const double changed = std::log(three);
  libm_error = 0.0;
  CHECK(changed > right);
  CHECK(changed < right * (1.0 + 1e-14));
}

TEST_CASE("the layers of a scalable filter do not depend on libm", "[libm][scalable]") {
  check_equal_sizes([] {
    std::vector<LayerPlan> all;
    for (const std::uint64_t capacity : key_counts()) {
      for (const double target : rates) {
        for (const double tightening : {0.5, 0.8, 0.85, 0.9}) {
          add_layers(ScalableLayers(target, tightening, 2, capacity), all);
        }
      }
    }
    return all;
  });
}

TEST_CASE("the layers of an untightened filter do not depend on libm", "[libm][scalable]") {
  check_equal_sizes([] {
    std::vector<LayerPlan> all;
    for (const std::uint64_t bits : key_counts()) {
      for (const double rate : rates) {
        for (const std::uint64_t probes : {1U, 3U, 5U, 7U, 10U}) {
          add_layers(UntightenedLayers(bits, probes, rate), all);
        }
      }
    }
    return all;
  });
}

TEST_CASE("the segments of a binary fuse filter do not depend on libm", "[libm][fuse]") {
  check_equal_sizes([] {
    std::vector<std::uint64_t> all;
    for (std::uint64_t n = 1; n < 1'200'000; n += 1 + n / 512) {
      for (const std::uint64_t arity : {3U, 4U}) {
        const FuseSegments segments = FuseSegments::for_keys(n, arity);
        all.push_back(segments.count << segments.length_log2);
      }
    }
    return all;
  });
}

TEST_CASE("no filter of the catalogue takes its size from libm", "[libm][catalogue]") {
  for_each_type<Filters>([]<class Filter>(std::type_identity<Filter>) {
    INFO(Filter::name);
    check_equal_sizes([] {
      std::vector<std::uint64_t> all;
      for (const auto& parameters : Filter::examples()) {
        for (const std::uint64_t n : key_counts()) {
          all.push_back(Filter::memory_bits(parameters, n));
          all.push_back(static_cast<std::uint64_t>(Filter::probes(parameters, n)));
        }
      }
      return all;
    });
  });
}

TEST_CASE("filters that are sized by bits per key do not depend on libm", "[libm][speed]") {
  check_equal_sizes([] {
    std::vector<std::string> all;
    for (const experiments::SizedFilter& filter : experiments::sized_filters()) {
      for (const std::uint64_t n : key_counts()) {
        for (double bits = 4.0; bits <= 32.0; bits += 0.5) {
          all.push_back(filter.parameters(n, bits).dump());
        }
      }
    }
    return all;
  });
}

TEST_CASE("filters that are sized by a rate have a step to spare for any libm", "[libm][speed]") {
  check_equal_sizes([] {
    std::vector<double> all;
    for (const std::string_view implementation : experiments::stream_implementation_names()) {
      for (const std::uint64_t n : {std::uint64_t{100'000}, std::uint64_t{10'000'000}}) {
        for (const double rate : {0.01, 0.001, 1e-4}) {
          all.push_back(experiments::bits_per_key_for(implementation, n, rate).value_or(0.0));
        }
      }
    }
    return all;
  });
}

}  // namespace bloomlab
