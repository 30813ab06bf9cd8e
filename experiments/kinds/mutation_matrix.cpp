#include "experiments/kinds/mutation_matrix.hpp"

#include <algorithm>

#include "experiments/sources/uniform.hpp"

namespace bloomlab::experiments {
namespace {

const Mutant& mutant_of(const MutationMatrix::Point::Parameters& at) {
  return mutants()[static_cast<std::size_t>(at.defect)];
}

/// The keys of the source `uniform`.
class UniformKeys final : public KeySet {
 public:
  UniformKeys(std::uint64_t seed, std::uint64_t inserted_keys, std::uint64_t absent_keys)
      : KeySet(inserted_keys, absent_keys), keys_({}, seed, inserted_keys, absent_keys) {}

  [[nodiscard]] KeyBatch inserted_keys(std::uint64_t first, std::size_t count,
                                       KeyBuffer& buffer) const override {
    return keys_.inserted_keys(first, count, buffer);
  }
  [[nodiscard]] KeyBatch absent_keys(std::uint64_t first, std::size_t count,
                                     KeyBuffer& buffer) const override {
    return keys_.absent_keys(first, count, buffer);
  }
  [[nodiscard]] bool made_on_demand() const noexcept override { return true; }

 private:
  Uniform::Keys keys_;
};

}  // namespace

std::optional<std::string> MutationMatrix::check(const Parameters& /*p*/,
                                                 const Point::Parameters& /*at*/) {
  return std::nullopt;
}

std::uint64_t MutationMatrix::memory_bytes(const Point::Parameters& at) {
  constexpr std::uint64_t buffers = std::uint64_t{1} << 20;
  return at.n * mutant_of(at).right->bits_per_key / 8 + buffers;
}

double MutationMatrix::seconds(const Parameters& p, const Point::Parameters& at) {
  // Seven hashes per key, and for large filters seven misses of the cache: some 30 ns per absent
  // key and 130 ns per inserted key, once in and once asked.
  return 3e-8 * static_cast<double>(p.max_queries) + 1.3e-7 * static_cast<double>(at.n);
}

std::uint64_t MutationMatrix::queries_at(const Parameters& p, std::uint64_t step) {
  std::uint64_t queries = first_queries;
  for (std::uint64_t i = 1; i < step && queries < p.max_queries; ++i) queries *= 10;
  return std::min(queries, p.max_queries);
}

std::uint64_t MutationMatrix::steps(const Parameters& p) {
  std::uint64_t steps = 1;
  while (queries_at(p, steps) < p.max_queries) ++steps;
  return steps;
}

std::vector<Measurement> MutationMatrix::measure(const Parameters& p, const Point::Parameters& at,
                                                 std::uint64_t seed) {
  const Mutant& mutant = mutant_of(at);
  const UniformKeys keys(seed, at.n, p.max_queries);
  const auto implementation = mutant.make(at.n, hash_seed(seed));
  KeyBuffer buffer;
  Counts counts{.inserted = at.n};
  Durations durations;
  durations.insert_ns = for_each_inserted_key_batch(
      keys, 0, at.n, buffer, [&](const KeyBatch& batch) { implementation->insert(batch); });
  durations.inserted_keys_ns =
      for_each_inserted_key_batch(keys, 0, at.n, buffer, [&](const KeyBatch& batch) {
        counts.true_positives += implementation->count_contained(batch);
      });
  const FilterState state = implementation->state();
  std::vector<Measurement> measurements;
  for (std::uint64_t step = 1; step <= steps(p); ++step) {
    const std::uint64_t asked = counts.absent_keys;
    counts.absent_keys = queries_at(p, step);
    durations.absent_keys_ns += for_each_absent_key_batch(
        keys, asked, counts.absent_keys, buffer, [&](const KeyBatch& batch) {
          counts.false_positives += implementation->count_contained(batch);
        });
    Measurement measurement{step, measured_json(counts, state, false), timing_json(durations)};
    measurement.measured["control"] = mutant.right->control;
    measurement.measured["filter"] = mutant.right->filter(at.n);
    if (!mutant.right->probe.empty()) measurement.measured["probe"] = mutant.right->probe;
    measurements.push_back(std::move(measurement));
  }
  return measurements;
}

}  // namespace bloomlab::experiments
