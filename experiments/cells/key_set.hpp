// The keys of one trial with the type of their source hidden: once a batch.
#pragma once

#include <cstdint>
#include <memory>

#include "core/hash/hasher.hpp"
#include "core/keys/key_batch.hpp"
#include "experiments/cells/cell.hpp"
#include "experiments/sources/key_buffer.hpp"

namespace bloomlab::experiments {

/// n inserted keys and q absent keys; the two never share a key. Safe to read from several threads,
/// each with its own buffer. The base holds no keys itself.
class KeySet {
 public:
  KeySet(std::uint64_t inserted_keys, std::uint64_t absent_keys)
      : inserted_keys_(inserted_keys), absent_keys_(absent_keys) {}
  KeySet(const KeySet&) = delete;
  KeySet& operator=(const KeySet&) = delete;
  virtual ~KeySet() = default;

  /// Number of inserted keys, n.
  [[nodiscard]] std::uint64_t inserted_keys() const noexcept { return inserted_keys_; }
  /// Number of absent keys, q.
  [[nodiscard]] std::uint64_t absent_keys() const noexcept { return absent_keys_; }

  /// Inserted keys `first` .. `first + count - 1`; valid until the buffer is used again.
  /// Precondition: first + count <= inserted_keys().
  [[nodiscard]] virtual KeyBatch inserted_keys(std::uint64_t first, std::size_t count,
                                               KeyBuffer& buffer) const = 0;
  /// Absent keys `first` .. `first + count - 1`; valid until the buffer is used again.
  /// Precondition: first + count <= absent_keys().
  [[nodiscard]] virtual KeyBatch absent_keys(std::uint64_t first, std::size_t count,
                                             KeyBuffer& buffer) const = 0;
  /// Whether the keys are made anew each time that they are asked for.
  [[nodiscard]] virtual bool made_on_demand() const noexcept = 0;
  /// Told by experiments that make absent keys themselves of so many that come next.
  virtual void note_other_keys(std::size_t /*count*/) const {}

 private:
  std::uint64_t inserted_keys_;
  std::uint64_t absent_keys_;
};

/// The keys of a trial of the cell: cell.n inserted keys and `absent_keys` absent keys.
/// @param seed the trial's seed; keys that a trial does not redraw ignore it.
/// Throws record::InputError where the source cannot deliver them.
[[nodiscard]] std::unique_ptr<KeySet> make_keys(const Cell& cell, std::uint64_t seed,
                                                std::uint64_t absent_keys);

/// Largest number of keys that held() stores: 32 MiB a thread.
inline constexpr std::uint64_t max_held_keys = std::uint64_t{1} << 22;

/// The same keys, stored where that saves making them several times and they are integers, at most
/// max_held_keys of them; otherwise the keys as they are.
[[nodiscard]] std::unique_ptr<KeySet> held(std::unique_ptr<KeySet> keys);

/// Whether held() stores them.
[[nodiscard]] bool worth_holding(const KeySet& keys);
/// In place of each key the first word of its digest, stored: integers of 8 bytes.
/// Precondition: worth_holding(keys).
[[nodiscard]] std::unique_ptr<KeySet> held_digests(const KeySet& keys, const Hasher& hasher,
                                                   std::uint64_t seed);

}  // namespace bloomlab::experiments
