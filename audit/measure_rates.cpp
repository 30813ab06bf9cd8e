// Repeated answers, rates, and bits that no key reaches, where a filter saves its bits as they are:
// a filter is filled until every bit that a key can set is set, and what its saved bytes have
// gained is counted.

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "audit/attempt.hpp"
#include "audit/batches.hpp"
#include "audit/measure.hpp"

namespace bloomlab::audit::detail {
namespace {

constexpr std::uint64_t compared_size = 1000;

std::uint64_t reported(std::span<const Answer> answers) {
  return static_cast<std::uint64_t>(std::ranges::count(answers, Answer::maybe));
}

std::uint64_t different(std::span<const Answer> a, std::span<const Answer> b) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

/// The seed is no matter here but that it is the same.
std::vector<Answer> filled_answers(foreign::ForeignFilter& filter, const Examined& examined,
                                   std::uint64_t seed, std::uint64_t queries) {
  filter.create(examined.request(compared_size, seed));
  RandomKeys keys(seed + 17);
  keys.insert(filter, 0, compared_size);
  return keys.answers(filter, first_absent, queries);
}

/// Absent keys in batches and one by one: how many more or fewer a batch has reported.
std::uint64_t batch_differences(foreign::ForeignFilter& filter) {
  constexpr std::uint64_t batches = 20;
  constexpr std::uint64_t keys_each = 100;
  RandomKeys keys(23);
  std::uint64_t differences = 0;
  keys.for_each_batch(
      first_absent, batches * keys_each,
      [&](const KeyBatch& batch) {
        std::uint64_t single = 0;
        Answer answer{};
        for (std::size_t i = 0; i < batch.size(); ++i) {
          filter.query(batch.slice(i, 1), {&answer, 1});
          single += answer == Answer::maybe ? 1 : 0;
        }
        const std::uint64_t together = filter.count_contained(batch);
        differences += std::max(single, together) - std::min(single, together);
      },
      keys_each);
  return differences;
}

/// One filter of the size, measured at every load.
void measure_filter(foreign::ForeignFilter& filter, const Examined& examined, const PlanSize& size,
                    std::uint64_t seed, std::span<RateCell> cells, Evidence& evidence) {
  filter.create(examined.request(size.size, seed));
  RandomKeys keys(~seed);
  std::uint64_t inserted = 0;
  std::uint64_t absent = first_absent;
  for (RateCell& cell : cells) {
    if (!keys.insert(filter, inserted, cell.inserted - inserted)) {
      if (evidence.full_size == 0 ||
          cell.inserted * evidence.full_size < evidence.full_at * size.size) {
        evidence.full_size = size.size;
        evidence.full_at = cell.inserted;
      }
      return;  // which keys have been turned away is not known
    }
    const bool is_full = cell.inserted == size.size && size.full_queries > 0;
    const std::uint64_t queries = is_full ? size.full_queries : size.queries;
    const std::uint64_t hits = keys.count(filter, absent, queries);
    inserted = cell.inserted;
    absent += queries;
    const std::uint64_t lost = inserted - keys.count(filter, 0, inserted);
    cell.memory_bits = filter.memory_bits();
    ++cell.filters;
    cell.queries += queries;
    cell.hits += hits;
    cell.squares += static_cast<double>(hits) * static_cast<double>(hits);
    cell.inserted_queries += inserted;
    cell.lost += lost;
  }
}

/// Larger filters take too many keys to fill.
constexpr std::uint64_t most_size = 30'000;
/// What a saved filter may hold beside its bits [bytes].
constexpr std::size_t most_header = 256;

std::uint64_t gained(std::string_view before, std::string_view after) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto was = static_cast<unsigned char>(before[i]);
    const auto is = static_cast<unsigned char>(after[i]);
    count += static_cast<std::uint64_t>(std::popcount(static_cast<unsigned>(is & ~was)));
  }
  return count;
}

/// So many keys that of m bits, each reached by k positions a key, fewer than one in a thousand
/// filters has one that is clear: m (1 - 1/m)^(kn) < 10^-3.
std::uint64_t filling_keys(const Layout& layout) {
  const double positions = layout.bits * std::log(1000.0 * layout.bits);
  return static_cast<std::uint64_t>(std::ceil(positions / layout.k));
}

}  // namespace

void measure_repeats(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
                     Evidence& evidence) {
  RandomKeys keys(plan.seed);
  filter.create(examined.request(compared_size, plan.seed));
  const auto first = keys.answers(filter, first_absent, plan.repeated_answers);
  const auto second = keys.answers(filter, first_absent, plan.repeated_answers);
  evidence.repeats.answers = plan.repeated_answers;
  evidence.repeats.empty_hits = reported(first);
  evidence.repeats.changed = different(first, second);

  const std::uint64_t queries = std::min<std::uint64_t>(plan.repeated_answers, 20'000);
  const auto made = filled_answers(filter, examined, plan.seed, queries);
  const auto remade = filled_answers(filter, examined, plan.seed, queries);
  evidence.repeats.remade_changed = different(made, remade);
  evidence.repeats.batch_changed = batch_differences(filter);

  // Twice the keys, so that there are hits enough to compare.
  const auto under = [&](std::uint64_t seed) {
    filter.create(examined.request(compared_size, seed));
    keys.insert(filter, 0, 2 * compared_size);
    return keys.answers(filter, first_absent, queries);
  };
  const auto one = under(plan.seed + 1);
  const auto other = under(plan.seed + 2);
  evidence.seeds = {.queries = queries, .first = reported(one), .second = reported(other)};
  for (std::size_t i = 0; i < one.size(); ++i) {
    evidence.seeds.both += one[i] == Answer::maybe && other[i] == Answer::maybe ? 1 : 0;
  }
}

void measure_rates(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
                   Evidence& evidence) {
  for (const PlanSize& size : plan.sizes) {
    std::vector<RateCell> cells;
    for (const double load : size.loads) {
      const double keys = std::round(load * static_cast<double>(size.size));
      cells.push_back({.size = size.size,
                       .inserted = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(keys))});
    }
    attempted(evidence, "rates of filters for " + std::to_string(size.size) + " keys", [&] {
      for (std::uint64_t i = 0; i < size.filters; ++i) {
        measure_filter(filter, examined, size, plan.seed + 1000 * size.size + i, cells, evidence);
      }
    });
    for (RateCell& cell : cells) {
      if (cell.filters > 0) evidence.rates.push_back(std::move(cell));
    }
  }
}

void measure_bits(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
                  Evidence& evidence) {
  if (!filter.description().saves) return;
  for (const PlanSize& size : plan.sizes) {
    if (size.size > most_size) continue;
    filter.create(examined.request(size.size, plan.seed + 7));
    const std::uint64_t memory_bits = filter.memory_bits();
    const std::string before = filter.save();
    // Bits in another form cannot be counted: packed, as text, or as a byte each.
    const std::size_t bytes = static_cast<std::size_t>((memory_bits + 7) / 8);
    if (memory_bits == 0 || before.size() < bytes || before.size() > bytes + most_header) return;
    const std::uint64_t keys = filling_keys(examined.layout(size.size, memory_bits));
    const bool fits = RandomKeys(plan.seed + 7).insert(filter, 0, keys);
    const std::string after = filter.save();
    if (!fits || after.size() != before.size() || filter.memory_bits() != memory_bits) return;
    evidence.bits.push_back({size.size, memory_bits, keys, gained(before, after)});
  }
}

}  // namespace bloomlab::audit::detail
