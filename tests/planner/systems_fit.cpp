// What systems build of the keys and the memory that there are.
#include <catch2/catch.hpp>
#include <string>

#include "planner/systems/system.hpp"

using namespace bloomlab::planner;

TEST_CASE("a system's largest filter within a memory fits it, and gives its own rate",
          "[planner][systems]") {
  const SystemFit rocksdb = fit_of(system_called("", "rocksdb"), 1'000'000, 1e-3, 16'000'000);
  REQUIRE(rocksdb.fits);
  CHECK(rocksdb.memory_bits <= 16'000'000);
  CHECK(rocksdb.memory_bits > 15'800'000);
  CHECK(rocksdb.line.find("NewBloomFilterPolicy(") != std::string::npos);
  CHECK(rocksdb.filter.rate() < 2e-3);
  const SystemFit leveldb = fit_of(system_called("", "leveldb"), 100'000, 1e-3, 1'550'000);
  CHECK(leveldb.memory_bits == 1'500'000);
  CHECK(leveldb.line == "options.filter_policy = leveldb::NewBloomFilterPolicy(15);");
  // A power of two is the largest below.
  const SystemFit parquet = fit_of(system_called("", "parquet"), 1'000'000, 1e-3, 16'000'000);
  REQUIRE(parquet.fits);
  CHECK(parquet.memory_bits == 8'388'608);
}

TEST_CASE("every system fits a memory, or says that it has no filter so small",
          "[planner][systems]") {
  for (const System& system : systems()) {
    CAPTURE(system.name);
    const SystemFit fit = fit_of(system, 100'000, 1e-2, 1'000'000);
    if (!fit.refused.empty()) continue;
    CHECK(fit.memory_bits > 0);
    CHECK(fit.fits == (fit.memory_bits <= 1'000'000));
    CHECK(fit.line.find('{') == std::string::npos);
  }
}
