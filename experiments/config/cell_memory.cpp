#include "experiments/config/cell_memory.hpp"

#include <array>
#include <cstdio>
#include <limits>

#include "core/catalogue.hpp"
#include "experiments/cells/cell_parts.hpp"
#include "experiments/cells/experiment.hpp"

namespace bloomlab::experiments {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::uint64_t CellMemory::total() const {
  return key_bytes > largest - filter_bytes ? largest : filter_bytes + key_bytes;
}

CellMemory cell_memory(const Config& config, const Cell& cell) {
  CellMemory memory;
  if (const auto* const own = config.experiment->of_own_grid()) {
    memory.filter_bytes = own->memory_bytes(cell);
    return memory;
  }
  const std::uint64_t absent_keys = config.experiment->of_filters()->absent_keys(cell.n);
  visit_filter(cell, [&]<class Filter>(std::type_identity<Filter>, const auto& parameters) {
    const std::uint64_t bits = Filter::memory_bits(parameters, cell.n);
    memory.filter_bytes = bits / 8 + (bits % 8 == 0 ? 0 : 1);
  });
  visit_source(cell, [&]<class Source>(std::type_identity<Source>, const auto& parameters) {
    memory.key_bytes = Source::memory_bytes(parameters, cell.n, absent_keys);
  });
  if (config.joins_trials()) {
    memory.filter_bytes *= config.trials;
    memory.key_bytes *= config.trials;
  }
  return memory;
}

std::string iec_bytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 7> prefixes = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t prefix = 0;
  for (; value >= 1024.0; value /= 1024.0) ++prefix;
  std::array<char, 32> text{};
  const int decimals = prefix == 0 || value >= 100.0 ? 0 : value >= 10.0 ? 1 : 2;
  std::snprintf(text.data(), text.size(), "%.*f %s", decimals, value, prefixes[prefix]);
  return text.data();
}

}  // namespace bloomlab::experiments
