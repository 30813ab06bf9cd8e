// A filter of somebody's own program, measured by this laboratory without being a part of it: what
// it must have, and how its type is hidden once a batch. Include <bloomlab/lab_main.hpp>.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/keys/key_batch.hpp"

namespace bloomlab {

/// What an own filter is made for.
struct FilterRequest {
  std::uint64_t n = 0;       ///< keys that will be inserted, >= 1
  double bits_per_key = 0;   ///< memory to take [bits]; 0 where the config names none
  double fpr = 0;            ///< false-positive rate to keep at n keys; 0 where it names none
  std::uint64_t seed = 0;    ///< of the trial, for hash functions of its own
  std::string options = {};  ///< the config's options, a JSON object as text

  /// ceil(n bits_per_key), the size that most filters take [bits].
  [[nodiscard]] std::uint64_t bits() const noexcept {
    const double exact = static_cast<double>(n) * bits_per_key;
    const auto whole = static_cast<std::uint64_t>(exact);
    return static_cast<double>(whole) < exact ? whole + 1 : whole;
  }
};

/// Takes the bytes of a key. Integer keys are 8 (or 4) bytes in little-endian order.
template <class F>
concept TakesKeys = requires(F filter, const F& full, std::string_view key) {
  filter.insert(key);
  { full.contains(key) } -> std::convertible_to<bool>;
};

/// Takes a digest of a key: 64 bits of the hash that the config names, XXH3 where it names none.
template <class F>
concept TakesDigests = !TakesKeys<F> && requires(F filter, const F& full, std::uint64_t digest) {
  filter.insert(digest);
  { full.contains(digest) } -> std::convertible_to<bool>;
};

/// All that is asked of an own filter: it is made for a request or of a number of bits, inserts,
/// is asked, and says its size. `name` is its word in configs ("own_filter" without one), `summary`
/// a line for `list`; insert() may return false where a key found no room. Every call may throw
/// std::exception; its text is then the row's.
template <class F>
concept OwnFilter =
    (std::constructible_from<F, const FilterRequest&> ||
     std::constructible_from<F, std::uint64_t>)&&(TakesKeys<F> ||
                                                  TakesDigests<F>)&&requires(const F& filter) {
  { filter.memory_bits() } -> std::convertible_to<std::uint64_t>;
};

/// An own filter behind one interface; where it takes digests the batch holds them as integers.
class HiddenFilter {
 public:
  HiddenFilter() = default;
  HiddenFilter(const HiddenFilter&) = delete;
  HiddenFilter& operator=(const HiddenFilter&) = delete;
  virtual ~HiddenFilter() = default;

  /// @return whether room was found for every key
  virtual bool insert(const KeyBatch& keys) = 0;
  [[nodiscard]] virtual std::uint64_t count_contained(const KeyBatch& keys) const = 0;
  [[nodiscard]] virtual std::uint64_t memory_bits() const = 0;
};

/// What the laboratory knows of a type of own filters.
struct OwnFilterType {
  std::string_view name;
  std::string_view summary;
  bool takes_digests = false;
  std::unique_ptr<HiddenFilter> (*make)(const FilterRequest&) = nullptr;
};

namespace detail {

template <OwnFilter F>
class HiddenOwnFilter final : public HiddenFilter {
 public:
  explicit HiddenOwnFilter(const FilterRequest& request) : filter_(made(request)) {}

  bool insert(const KeyBatch& keys) override {
    bool has_room = true;
    for_each(keys, [&](auto key) {
      if constexpr (std::is_void_v<decltype(filter_.insert(key))>) {
        filter_.insert(key);
      } else if constexpr (std::same_as<decltype(filter_.insert(key)), bool>) {
        has_room &= filter_.insert(key);
      } else {
        static_cast<void>(filter_.insert(key));
      }
    });
    return has_room;
  }
  std::uint64_t count_contained(const KeyBatch& keys) const override {
    std::uint64_t count = 0;
    for_each(keys, [&](auto key) { count += filter_.contains(key) ? 1U : 0U; });
    return count;
  }
  std::uint64_t memory_bits() const override { return filter_.memory_bits(); }

 private:
  static F made(const FilterRequest& request) {
    if constexpr (std::constructible_from<F, const FilterRequest&>) {
      return F(request);
    } else {
      return F(request.bits());
    }
  }

  template <class Use>
  static void for_each(const KeyBatch& keys, Use use) {
    for (const std::uint64_t& value : keys.values()) {
      if constexpr (TakesDigests<F>) {
        use(value);
      } else {
        use(std::string_view(reinterpret_cast<const char*>(&value),
                             static_cast<std::size_t>(keys.integer_bytes())));
      }
    }
    if constexpr (TakesKeys<F>) {
      for (const std::string_view text : keys.texts()) use(text);
    }
  }

  F filter_;
};

}  // namespace detail

/// The entry of a type.
template <OwnFilter F>
[[nodiscard]] OwnFilterType own_filter_type() {
  OwnFilterType type{.name = "own_filter",
                     .summary = "a filter of this program's own",
                     .takes_digests = TakesDigests<F>,
                     .make = [](const FilterRequest& request) -> std::unique_ptr<HiddenFilter> {
                       return std::make_unique<detail::HiddenOwnFilter<F>>(request);
                     }};
  if constexpr (requires { F::name; }) type.name = F::name;
  if constexpr (requires { F::summary; }) type.summary = F::summary;
  return type;
}

}  // namespace bloomlab
