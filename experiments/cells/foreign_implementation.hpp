// A filter from outside behind the interface Implementation, and a hash from outside as a Hasher.
#pragma once

#include <cstdint>
#include <memory>

#include "core/hash/hasher.hpp"
#include "experiments/cells/implementation.hpp"
#include "foreign/foreign_filter.hpp"

namespace bloomlab::experiments {

/// Makes the own filter of the cell; or starts the filter from outside in a process of its own and
/// creates it for the cell's n, with the hash's seed of the trial. Throws foreign::Failure, as all
/// calls of the implementation do.
[[nodiscard]] std::unique_ptr<Implementation> make_foreign_implementation(const Cell& cell,
                                                                          std::uint64_t seed);

/// A program that is a hash of 64 bits, in a process of its own. For use by one thread.
class ForeignHash final : public BatchHash {
 public:
  /// Starts it. Throws foreign::Failure, as hashing does.
  explicit ForeignHash(const foreign::Target& target);

  /// Valid as long as this.
  [[nodiscard]] Hasher hasher() const noexcept { return Hasher(operations_); }
  /// Adds to what was counted what it says of itself.
  void annotate(record::Json& measured) const;
  void digest_batch(const KeyBatch& keys, std::uint64_t seed,
                    const DigestPlanes& out) const override;

 private:
  std::unique_ptr<foreign::ForeignFilter> program_;
  HashOperations operations_;
};

/// The implementation, with the hash that it was made with; for one thread.
[[nodiscard]] std::unique_ptr<Implementation> hashed_by(
    std::unique_ptr<ForeignHash> hash, std::unique_ptr<Implementation> implementation);

}  // namespace bloomlab::experiments
