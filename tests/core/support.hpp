// What the tests of the core share: keys, and every filter with every probe that it takes.
#pragma once

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/answer.hpp"
#include "core/catalogue.hpp"
#include "core/filters/concepts.hpp"
#include "core/keys/keyed_permutation.hpp"

namespace bloomlab::test {

inline constexpr std::uint64_t key_seed = 2024;

/// Keys of a filter whose properties are tested.
inline constexpr std::size_t property_keys = 1500;

/// `count` distinct keys, from number `first` of a sequence that is the same in every test.
inline std::vector<std::uint64_t> keys(std::uint64_t first, std::size_t count) {
  std::vector<std::uint64_t> out(count);
  KeyedPermutation(key_seed).apply_range(first, out);
  return out;
}

/// Every probe of the catalogue.
inline std::vector<Probe> probes() {
  std::vector<Probe> all;
  for_each_type<HashingSchemes>([&]<class Family>(std::type_identity<Family>) {
    for_each_type<Reductions>([&]<class Reduction>(std::type_identity<Reduction>) {
      if constexpr (Family::template allows<Reduction>) {
        all.push_back(Probe::of<Family, Reduction>());
      }
    });
  });
  return all;
}

namespace detail {
template <class... Lists>
struct Joined;
template <class... Types>
struct Joined<TypeList<Types...>> {
  using type = TypeList<Types...>;
};
template <class... A, class... B, class... Rest>
struct Joined<TypeList<A...>, TypeList<B...>, Rest...> {
  using type = typename Joined<TypeList<A..., B...>, Rest...>::type;
};
template <class List, template <class> class Holds>
struct OnlyOf;
template <class... Types, template <class> class Holds>
struct OnlyOf<TypeList<Types...>, Holds> {
  using type = typename Joined<
      TypeList<>, std::conditional_t<Holds<Types>::value, TypeList<Types>, TypeList<>>...>::type;
};
template <class T>
using IsGrowing = std::bool_constant<Growing<T>>;
}  // namespace detail

/// Those types of a list of which something holds: a test runs for these, and for no other type
/// without asserting anything.
template <class List, template <class> class Holds>
using Only = typename detail::OnlyOf<List, Holds>::type;

/// The filters of the catalogue that take keys batch by batch.
using GrowingFilters = Only<Filters, detail::IsGrowing>;

/// A hash that goes with the probe.
inline Hasher hasher_for(const Probe& probe) {
  return probe.needs_identity() ? Hasher::of<Identity>() : Hasher::of<XxHash3_64>();
}

/// A filter with hash and seed, which takes integer keys.
template <class Filter>
class Implementation {
 public:
  /// @param n keys that it will be given at most
  Implementation(const typename Filter::Parameters& parameters, const Probe& probe, std::uint64_t n,
                 std::uint64_t seed = 1)
      : filter_(make_filter(parameters, probe)),
        hasher_(hasher_for(probe)),
        need_(need_of(parameters, probe, n)),
        seed_(seed) {}

  void insert(std::span<const std::uint64_t> keys) {
    DigestBuffer buffer;
    filter_.insert(digest(keys, buffer));
  }
  /// Inserts the keys; what the filter said of each just before.
  std::vector<Answer> insert_reporting(std::span<const std::uint64_t> keys) {
    DigestBuffer buffer;
    std::vector<Answer> before(keys.size());
    filter_.insert(digest(keys, buffer), before);
    return before;
  }
  /// Deletes the keys; how many the filter held.
  std::uint64_t remove(std::span<const std::uint64_t> keys) {
    DigestBuffer buffer;
    return filter_.remove(digest(keys, buffer));
  }
  /// How often the filter says that each key was inserted.
  [[nodiscard]] std::vector<std::uint64_t> multiplicity(std::span<const std::uint64_t> keys) const {
    DigestBuffer buffer;
    std::vector<std::uint64_t> times(keys.size());
    filter_.multiplicity(digest(keys, buffer), times);
    return times;
  }
  void insert_one_by_one(std::span<const std::uint64_t> keys) {
    for (std::size_t i = 0; i < keys.size(); ++i) insert(keys.subspan(i, 1));
  }
  [[nodiscard]] std::vector<Answer> contains(std::span<const std::uint64_t> keys) const {
    DigestBuffer buffer;
    std::vector<Answer> answers(keys.size());
    filter_.contains(digest(keys, buffer), answers);
    return answers;
  }
  [[nodiscard]] std::uint64_t count_contained(std::span<const std::uint64_t> keys) const {
    DigestBuffer buffer;
    return filter_.count_contained(digest(keys, buffer));
  }

  /// Calls `use` with the digests of the keys.
  template <class Use>
  void with_digests(std::span<const std::uint64_t> keys, Use&& use) const {
    DigestBuffer buffer;
    use(digest(keys, buffer));
  }

  [[nodiscard]] Filter& filter() { return filter_; }
  [[nodiscard]] const Filter& filter() const { return filter_; }

 private:
  static Filter make_filter(const typename Filter::Parameters& parameters, const Probe& probe) {
    if constexpr (Probed<Filter>)
      return Filter(parameters, probe);
    else
      return Filter(parameters);
  }
  static DigestNeed need_of(const typename Filter::Parameters& parameters, const Probe& probe,
                            std::uint64_t n) {
    if constexpr (Probed<Filter>)
      return probe.need(Filter::probes(parameters, n));
    else
      return Filter::need(parameters);
  }
  [[nodiscard]] DigestBatch digest(std::span<const std::uint64_t> keys,
                                   DigestBuffer& buffer) const {
    return hasher_.digest(KeyBatch::integers(keys, hasher_.passes_through() ? 4 : 8), seed_, need_,
                          buffer);
  }

  Filter filter_;
  Hasher hasher_;
  DigestNeed need_;
  std::uint64_t seed_;
};

inline std::string label(const Probe& probe) {
  return std::string(probe.family()) + " + " + std::string(probe.reduction());
}

namespace detail {
/// Writes every parameter as "name = value".
struct ParameterText {
  std::string text = {};
  template <class Field, class Value>
  void operator()(const Field& field, const Value& value) {
    text += (text.empty() ? "" : ", ") + std::string(field.name) + " = ";
    if constexpr (requires { field.words; }) {
      text += field.words[static_cast<std::size_t>(value)];
    } else if constexpr (std::is_arithmetic_v<Value>) {
      text += Catch::Detail::stringify(value);
    } else if constexpr (requires { value.has_value(); }) {
      text += value.has_value() ? "given" : "left out";
    } else {
      text += "...";
    }
  }
};
}  // namespace detail

/// What a property test says when it fails: the filter and its parameters.
template <class Filter>
std::string setting(const typename Filter::Parameters& parameters) {
  detail::ParameterText written;
  auto copy = parameters;
  Filter::describe(written, copy);
  return std::string(Filter::name) + " with " + written.text;
}

/// Calls `test(parameters, probe)` for every example of the filter with every probe that it takes;
/// once an example where the filter chooses positions itself.
template <class Filter, class Test>
void for_each_setting(Test&& test) {
  for (const auto& parameters : Filter::examples()) {
    INFO(setting<Filter>(parameters));
    if constexpr (Filter::chooses_positions) {
      test(parameters, Probe::of<Independent, MultiplyShift>());
    } else
      for (const Probe& probe : probes()) {
        INFO("positions by " << label(probe));
        if (!Filter::check(parameters, probe)) test(parameters, probe);
      }
  }
}

}  // namespace bloomlab::test
