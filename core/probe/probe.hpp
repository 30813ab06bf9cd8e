// The probe stage: turns digests into positions in [0, m). A hashing scheme (how k positions come
// from the words of a digest) with a reduction (how a word becomes a position), hidden once a
// batch.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/digests.hpp"
#include "core/theory/query.hpp"

namespace bloomlab {

/// A view of the positions of a batch of keys. Planar: probe i of key j stands at
/// `data[i * size + j]`. Owns nothing.
struct PositionBatch {
  const std::uint64_t* data = nullptr;
  std::size_t size = 0;  ///< keys in the batch
  int k = 0;             ///< probes per key

  /// Probe `i` of every key. Precondition: 0 <= i < k.
  [[nodiscard]] std::span<const std::uint64_t> probe(int i) const noexcept {
    return {data + static_cast<std::size_t>(i) * size, size};
  }
};

/// Reusable storage of the probe stage; one a thread.
class PositionBuffer {
 public:
  PositionBuffer() = default;

 private:
  friend class Probe;
  std::vector<std::uint64_t> positions_;
};

/// A hashing scheme and a reduction of the catalogue with their types hidden. Cheap to copy.
class Probe {
 public:
  /// The probe of types such as DoubleHashing and MultiplyShift.
  template <class Family, class Reduction>
  requires Family::template allows<Reduction> [[nodiscard]] static Probe of() noexcept {
    return Probe(operations_of<Family, Reduction>);
  }

  [[nodiscard]] std::string_view family() const noexcept { return operations_->family; }
  [[nodiscard]] std::string_view reduction() const noexcept { return operations_->reduction; }
  /// What the hash stage must deliver for k positions per key; k >= 1.
  [[nodiscard]] DigestNeed need(int k) const noexcept { return operations_->need(k); }
  /// Whether the i-th position does not depend on k, so that the positions for k are the first of
  /// those for k + 1.
  [[nodiscard]] bool prefix_stable() const noexcept { return operations_->prefix_stable; }
  /// Whether the reduction can reduce to [0, m).
  [[nodiscard]] bool accepts(std::uint64_t m) const noexcept { return operations_->accepts(m); }
  /// The sizes that the reduction takes, as words: "any size", "a power of two", "an odd number".
  [[nodiscard]] std::string_view sizes() const noexcept { return operations_->sizes; }
  /// The closed form of the rate of a standard filter (m bits, n distinct keys) whose k positions
  /// are those of this family and not independent, ideal hashing supposed; nothing where the family
  /// is independent, or has no closed form, or none for this m and k.
  [[nodiscard]] std::optional<theory::Query> prediction(std::uint64_t m, std::uint64_t n,
                                                        std::uint64_t k) const {
    return operations_->prediction(m, n, k);
  }
  /// How many words of the digest all k positions of a key derive from, so that two keys with these
  /// words equal have all their positions equal; 0 for a family with a function a position, or with
  /// the key itself in place of a hash. See fingerprint_bits().
  [[nodiscard]] int fingerprint_words(int k) const noexcept {
    return operations_->fingerprint_words(k);
  }
  /// The only k that the family has, or nothing where any k will do.
  [[nodiscard]] std::optional<int> only_k() const noexcept {
    return operations_->only_k == 0 ? std::nullopt : std::optional<int>(operations_->only_k);
  }
  /// Whether the family mixes 32-bit integer keys itself: it then wants the hash `identity`, and
  /// no other family does.
  [[nodiscard]] bool needs_identity() const noexcept { return operations_->needs_identity; }

  /// The positions of a batch; the view is valid until the buffer is used again. Allocates only
  /// while the buffer grows. Precondition: digests made for need(k) or a larger k; accepts(m).
  [[nodiscard]] PositionBatch positions(const DigestBatch& digests, std::uint64_t m, int k,
                                        PositionBuffer& buffer) const {
    // Never shrunk: what grows again would be set to zero again.
    const std::size_t size = digests.size * static_cast<std::size_t>(k);
    if (buffer.positions_.size() < size) buffer.positions_.resize(size);
    write(digests, m, k, buffer.positions_.data());
    return {buffer.positions_.data(), digests.size, k};
  }

  /// As positions(), into the caller's memory of k * digests.size words.
  void write(const DigestBatch& digests, std::uint64_t m, int k,
             std::uint64_t* out) const noexcept {
    assert(digests.width >= need(k).words);
    operations_->positions(digests, m, k, out);
  }

  /// Whether one word alone gives the word of the next probe: see step().
  [[nodiscard]] bool steps() const noexcept { return operations_->step != nullptr; }
  /// next[j] becomes the word of a key at the probe after words[j], and positions[j] the position
  /// there; at the first probe it is word 0 of the digest. `next` may be where the words are.
  /// Preconditions: steps(), accepts(m), words.size() places in both.
  void step(std::span<const std::uint64_t> words, std::uint64_t m, std::uint64_t* next,
            std::uint64_t* positions) const noexcept {
    assert(steps());
    operations_->step(words, m, next, positions);
  }

  friend bool operator==(const Probe&, const Probe&) = default;

 private:
  using Step = void (*)(std::span<const std::uint64_t>, std::uint64_t, std::uint64_t*,
                        std::uint64_t*) noexcept;
  struct Operations {
    std::string_view family;
    std::string_view reduction;
    int only_k;
    bool prefix_stable;
    bool needs_identity;
    DigestNeed (*need)(int) noexcept;
    bool (*accepts)(std::uint64_t) noexcept;
    std::string_view sizes;
    int (*fingerprint_words)(int) noexcept;
    std::optional<theory::Query> (*prediction)(std::uint64_t, std::uint64_t, std::uint64_t);
    void (*positions)(const DigestBatch&, std::uint64_t, int, std::uint64_t*) noexcept;
    Step step;  // or nothing
  };

  template <class Family, class Reduction>
  static constexpr Step step_of() noexcept {
    if constexpr (requires { &Family::template step<Reduction>; }) {
      return &Family::template step<Reduction>;
    }
    return nullptr;
  }

  template <class Family, class Reduction>
  static constexpr Operations operations_of = {Family::name,
                                               Reduction::name,
                                               Family::only_k,
                                               Family::prefix_stable,
                                               Family::needs_identity,
                                               &Family::need,
                                               &Reduction::accepts,
                                               Reduction::sizes,
                                               &Family::fingerprint_words,
                                               &Family::prediction,
                                               &Family::template positions<Reduction>,
                                               step_of<Family, Reduction>()};

  explicit Probe(const Operations& operations) noexcept : operations_(&operations) {}

  const Operations* operations_;
};

}  // namespace bloomlab
