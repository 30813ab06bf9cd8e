// Filters of one kind taken together: their union ("or"), which is the filter of all their keys,
// and their intersection ("and"), which has the bits that all of them have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/inspection.hpp"
#include "formats/stored_filter.hpp"

namespace bloomlab::formats {

/// A filter of a file, a view of its bytes, which must outlive it; or one that was made of such.
class OpenFilter {
 public:
  virtual ~OpenFilter() = default;

  /// @param p as that of formats::inspect
  [[nodiscard]] virtual Inspection told(std::optional<double> p) const = 0;
  /// m.
  [[nodiscard]] virtual std::uint64_t bits() const = 0;
  [[nodiscard]] virtual std::uint64_t bits_set() const = 0;
  /// The distinct keys that so many set bits tell of; nothing where they do not.
  [[nodiscard]] virtual std::optional<KeyEstimate> keys_of(std::uint64_t set) const = 0;
  /// A copy with memory of its own, folded to m bits. Throws FormatError where it cannot be.
  [[nodiscard]] virtual std::unique_ptr<OpenFilter> folded(std::uint64_t m) const = 0;
  /// Adds the keys of another filter of its kind and size. Precondition: it has memory of its own.
  /// Throws FormatError for a filter of another kind or size.
  virtual void merge(const OpenFilter& other) = 0;
  /// Keeps the bits that the other has too. As merge().
  virtual void intersect(const OpenFilter& other) = 0;
  /// As its program writes it. Precondition: is_written(its format).
  [[nodiscard]] virtual std::vector<std::byte> bytes() const = 0;
};

/// An open filter of another program, and one of this library. The second throws FormatError.
[[nodiscard]] std::unique_ptr<OpenFilter> open_foreign(StoredFilter filter);
[[nodiscard]] std::unique_ptr<OpenFilter> open_own(std::span<const std::byte> bytes);

/// Whether filters of the format are written: those of foreign_filter.hpp and this library's own.
[[nodiscard]] bool is_written(std::string_view format);

/// Calls `take` with every filter in the bytes, once all were read; they are found, and what throws
/// is, as by inspect_bytes.
void for_each_filter(std::span<const std::byte> bytes, std::string_view format,
                     const std::function<void(const OpenFilter&)>& take);

/// What keeps two filters apart that can both be merged with their like, such as "k (7, 5)"; empty:
/// nothing but, it may be, their sizes.
[[nodiscard]] std::string differences(const Inspection& one, const Inspection& other);

/// Filters that are joined one by one.
class Joined {
 public:
  /// @param m size of them all; larger ones are folded to it
  explicit Joined(std::uint64_t m) noexcept : m_(m) {}

  /// Throws FormatError for a filter of another kind than the first, or one that cannot be folded.
  void add(const OpenFilter& filter);

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// Precondition of both: count() != 0.
  [[nodiscard]] const OpenFilter& merged() const noexcept { return *merged_; }
  [[nodiscard]] const OpenFilter& common() const noexcept { return *common_; }
  /// The keys of all filters less those of the union, n1 + n2 + ... - n: of two filters the keys
  /// common to both. Nothing where bits do not tell. The interval of two filters is that of the
  /// first order; of more it is wider (docs/inspect.md).
  [[nodiscard]] std::optional<KeyEstimate> repeated() const;

 private:
  void count_keys(const OpenFilter& one);
  /// What so many set bits tell of, in any of the filters: they are of one kind and size.
  [[nodiscard]] std::optional<KeyEstimate> keys_of(std::uint64_t set);
  /// The variance of the estimate of so many keys, by the set bits that tell of them.
  [[nodiscard]] double variance_at(double keys);

  std::uint64_t m_;
  std::uint64_t count_ = 0;
  std::unique_ptr<OpenFilter> merged_;
  std::unique_ptr<OpenFilter> common_;
  /// By set bits: the interval of an estimate takes long arithmetic, and many filters ask for few.
  std::unordered_map<std::uint64_t, std::optional<KeyEstimate>> estimates_;
  std::optional<KeyEstimate> keys_;  ///< of the union
  double sum_ = 0.0;                 ///< of all filters' keys
  double variance_ = 0.0;            ///< of repeated(), but for the union's part
};

/// Probability that at least one of the filters reports an absent key, or that all do, where their
/// bits are independent, as those of filters of different keys are: 1 - prod(1 - rate), prod(rate).
[[nodiscard]] double any_reports(std::span<const double> rates);
[[nodiscard]] double all_report(std::span<const double> rates);

}  // namespace bloomlab::formats
