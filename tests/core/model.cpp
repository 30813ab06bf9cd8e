// Every filter of the catalogue against an exact count of its keys, through random sequences of
// what programs do with filters. BLOOMLAB_MODEL_SEQUENCES=100000 tries so many a filter.

#include "tests/core/model.hpp"

#include <concepts>
#include <thread>
#include <utility>

#include "core/atomic_filter.hpp"
#include "core/catalogue.hpp"
#include "core/saved_filter.hpp"
#include "core/serialization/contents.hpp"
#include "tests/core/support.hpp"

namespace bloomlab::test {
namespace {

/// Examples that are so small that thousands of them can be filled, copied and compared, and
/// filters that are soon full.
template <class Filter>
std::vector<typename Filter::Parameters> small_examples() {
  auto all = Filter::examples();
  std::erase_if(all, [](const auto& p) { return Filter::memory_bits(p, 2000) > (1U << 20); });
  if constexpr (Sized<Filter>) {
    for (const std::uint64_t n : {5U, 40U, 150U}) {
      if (const auto p = try_parameters_for<Filter>(n, 0.05)) all.push_back(*p);
    }
  }
  return all;
}

/// Looks for what contradicts the model among the keys of a range: a key that is there and not
/// reported, and one key that gets two answers.
template <class UnderTest>
void look_at(const UnderTest& under_test, const Model& model, std::uint32_t first,
             std::uint32_t count, bool exact) {
  with_keys(first, count, [&](auto keys) {
    std::vector<Answer> answers(keys.size());
    under_test.contains(keys, answers);
    std::uint64_t reported = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto key = first + static_cast<std::uint32_t>(i);
      const bool maybe = answers[i] == Answer::maybe;
      reported += maybe;
      if (model.has(key)) require_that(maybe, "key " + std::to_string(key) + " is lost");
      if (exact && !model.has(key)) {
        require_that(!maybe, "key " + std::to_string(key) + " is reported by an exact set");
      }
      require_that(static_cast<bool>(under_test.contains(keys[i])) == maybe,
                   "key " + std::to_string(key) + " gets two answers");
    }
    require_that(under_test.count_contained(keys) == reported,
                 "keys " + std::to_string(first) + " +" + std::to_string(count) +
                     ": counted are others than reported");
  });
}

/// Filters of the same hash and scheme: folded, and filled by threads at once.
template <class Keyed>
struct Kin;
template <class Hash, class Filter, class Family, class Reduction>
struct Kin<KeyedFilter<Hash, Filter, Family, Reduction>> {
  using Folding = KeyedFilter<Hash, Folded, Family, Reduction>;
  using Shared = AtomicFilter<Hash, Filter, Family, Reduction>;
  static constexpr bool shared = !std::same_as<Family, Independent>;
};

/// A filter as programs use it.
template <class Keyed>
class KeyedUnderTest {
  using Filter = typename Keyed::filter_type;
  using Parameters = typename Filter::Parameters;
  static constexpr bool counts_calls = requires(const Filter& f) { f.inserted(); }
  || requires(const Filter& f) { f.stored(); };

 public:
  explicit KeyedUnderTest(const Parameters& p) : keyed_(p, 7) {}

  static std::vector<Act> acts() {
    std::vector<Act> known = {Act::insert_many, Act::load, Act::map, Act::move};
    if constexpr (!Built<Filter>) {
      for (const Act act : {Act::insert_each, Act::insert_each, Act::insert_many, Act::clear}) {
        known.push_back(act);
      }
    }
    if constexpr (std::copy_constructible<Keyed>) known.push_back(Act::copy);
    if constexpr (Forgets<Filter>) known.insert(known.end(), 3, Act::erase);
    if constexpr (Mergeable<Filter>) {
      known.insert(known.end(), {Act::merge, Act::merge, Act::intersect});
    }
    if constexpr (std::same_as<Filter, Standard>) known.push_back(Act::fold);
    if constexpr (BuiltByThreads<Filter>) known.push_back(Act::by_threads);
    return known;
  }

  void do_step(const Step& step, Model& model) {
    with_keys(step.first, step.count, [&](auto keys) { act(step, keys, model); });
    if (lost_to_overflow()) return;
    look_at(keyed_, model, step.first, step.count, false);
    if constexpr (counts_calls && !RefusesKeys<Filter> && !Built<Filter>) {
      if (!model.intersected) {
        require_that(keyed_.size() == model.calls, "size() is " + std::to_string(keyed_.size()) +
                                                       " and should be " +
                                                       std::to_string(model.calls));
      }
    }
  }

  void end(const Model& model) const {
    if (lost_to_overflow()) return;
    look_at(keyed_, model, 0, sorted_keys, false);
    look_at(keyed_, model, sorted_keys, sorted_keys, false);
    if constexpr (Mergeable<Filter>) {
      // Neither the order of what was done nor what was deleted can be seen.
      if (model.intersected || overflowed()) return;
      const Keyed again = rebuilt(keyed_, model);
      require_that(again == keyed_ || differs_by_full_counters(again),
                   "not what one gets by inserting its keys");
    }
  }

 private:
  template <class Key>
  void act(const Step& step, std::span<const Key> keys, Model& model) {
    const auto add_all = [&] {
      for (std::uint32_t i = 0; i < step.count; ++i) model.add(step.first + i);
    };
    switch (step.act) {
      case Act::insert_each:
        if constexpr (!Built<Filter>) insert_each(step, keys, model);
        break;
      case Act::insert_many:
        if constexpr (Built<Filter>) {
          keyed_ = Keyed::build(keyed_.parameters(), keys, keyed_.seed());
          model = {};
          add_all();
        } else if constexpr (RefusesKeys<Filter>) {  // which of many were refused is not said
          Keyed batch = keyed_;
          const auto refused = batch.insert(keys);
          const auto before = keyed_.filter().refused();
          insert_each(step, keys, model);
          require_that(refused.count == keyed_.filter().refused() - before,
                       "a batch says that " + std::to_string(refused.count) + " are refused");
          require_that(batch == keyed_, "a batch is not what its keys are one by one");
        } else {
          keyed_.insert(keys);
          add_all();
        }
        break;
      case Act::erase:
        if constexpr (Forgets<Filter>) {
          for (std::uint32_t i = 0; i < step.count; ++i) {
            if (!model.has(step.first + i)) continue;
            require_that(keyed_.erase(keys[i]) || lost_to_overflow(), "a key cannot be deleted");
            model.remove(step.first + i);
          }
        }
        break;
      case Act::merge:
      case Act::intersect:
        if constexpr (Mergeable<Filter>) {
          Keyed other(keyed_.parameters(), keyed_.seed());
          other.insert(keys);
          if (step.act == Act::merge) {
            keyed_.merge(other);
            add_all();
          } else {
            keyed_.intersect(other);
            intersect(step, model);
          }
        }
        break;
      case Act::fold:
        if constexpr (std::same_as<Filter, Standard>) fold(step, model);
        break;
      case Act::load: {
        const Keyed loaded = load_bytes<Keyed>(saved_bytes(keyed_));
        require_that(loaded == keyed_, "what was loaded differs from what was saved");
        keyed_ = load_bytes<Keyed>(saved_bytes(loaded));
        break;
      }
      case Act::map: {
        const auto bytes = saved_bytes(keyed_);
        const auto mapped = map_bytes<Keyed>(bytes);
        require_that(mapped.verify(), "what was mapped is not as it was saved");
        require_that(*mapped == keyed_, "what was mapped differs from what was saved");
        look_at(*mapped, model, step.first, step.count, false);
        if constexpr (std::copy_constructible<Keyed>) keyed_ = Keyed(*mapped);
        break;
      }
      case Act::copy:
        if constexpr (std::copy_constructible<Keyed>) {
          Keyed first = keyed_;
          std::swap(first, keyed_);
          const Keyed untouched = keyed_;
          if constexpr (Built<Filter>) {
            first = Keyed::build(first.parameters(), keys, first.seed());
          } else {
            static_cast<void>(insert_into(first, keys));
          }
          require_that(untouched == keyed_, "a copy takes the keys of its original");
        }
        break;
      case Act::move: {
        Keyed moved = std::move(keyed_);
        keyed_ = std::move(moved);
        break;
      }
      case Act::clear:
        if constexpr (!Built<Filter>) {
          keyed_.clear();
          model = {};
        }
        break;
      case Act::by_threads:
        if constexpr (BuiltByThreads<Filter>) insert_by_threads(keys, add_all);
        break;
    }
  }

  template <class Key>
  static bool insert_into(Keyed& keyed, std::span<const Key> keys) {
    if constexpr (RefusesKeys<Filter>) {
      return keyed.insert(keys).count == 0;
    } else {
      keyed.insert(keys);
      return true;
    }
  }
  template <class Key>
  void insert_each(const Step& step, std::span<const Key> keys, Model& model) {
    for (std::uint32_t i = 0; i < step.count; ++i) {
      const bool known = keyed_.contains(keys[i]);
      if constexpr (RefusesKeys<Filter>) {
        const Insertion said = keyed_.insert(keys[i]);
        if (said == Insertion::refused) continue;
        require_that((said == Insertion::known) == known, "insert() errs on what was known");
      } else {
        require_that(keyed_.insert(keys[i]) != known, "insert() errs on what was known");
      }
      model.add(step.first + i);
    }
  }
  static void intersect(const Step& step, Model& model) {
    std::erase_if(model.times, [&](const auto& of) {
      return of.first < step.first || of.first >= step.first + step.count;
    });
    for (auto& of : model.times) of.second = 1;  // the other had each key once
    model.intersected = true;
  }
  void fold(const Step& step, const Model& model) const {
    if (model.intersected) return;
    using FoldedKeyed = typename Kin<Keyed>::Folding;
    const auto& p = keyed_.parameters();
    const std::uint64_t to = 1 + step.first * 31 % p.m;
    FoldedKeyed folded({.m = p.m, .k = p.k, .folded_to = to}, keyed_.seed());
    for (const auto& [key, times] : model.times) {
      with_keys(key, 1, [&](auto keys) { folded.insert(keys); });
    }
    const Folded afterwards = Folded::fold(keyed_.filter(), to);
    require_that(std::ranges::equal(afterwards.bits().words(), folded.filter().bits().words()),
                 "folded to " + std::to_string(to) + " it is not the filter that folds its keys");
  }
  /// By two threads at once where a filter takes that key by key; else by parallel_insert(), which
  /// starts threads for many keys only: those a copy is given.
  template <class Key, class AddAll>
  void insert_by_threads(std::span<const Key> keys, const AddAll& add_all) {
    if constexpr (Kin<Keyed>::shared &&
                  requires(Filter & filter) { filter.add_inserted(std::uint64_t{1}); }) {
      Keyed one = keyed_;
      one.insert(keys);
      typename Kin<Keyed>::Shared shared(std::move(keyed_));
      std::thread second([&] {
        for (const Key key : keys.subspan(keys.size() / 3)) shared.insert(key);
      });
      for (const Key key : keys.first(keys.size() / 3)) shared.insert(key);
      second.join();
      keyed_ = std::move(shared).take();
      require_that(keyed_ == one, "two threads leave another filter than one");
    } else {
      if (keys.size() > 100) {
        const std::vector<Key> many = repeated(keys, 2 * keys_per_thread);
        Keyed one = keyed_;
        Keyed two = keyed_;
        one.insert(std::span<const Key>(many));
        two.parallel_insert(std::span<const Key>(many), 2);
        require_that(two == one, "two threads leave another filter than one");
      }
      keyed_.parallel_insert(keys, 2);
    }
    add_all();
  }
  template <class Key>
  static std::vector<Key> repeated(std::span<const Key> keys, std::size_t size) {
    std::vector<Key> many(size);
    for (std::size_t i = 0; i < size; ++i) many[i] = keys[i % keys.size()];
    return many;
  }
  static Keyed rebuilt(const Keyed& like, const Model& model) {
    Keyed again(like.parameters(), like.seed());
    for (const auto& [key, times] : model.times) {
      with_keys(key, 1, [&, often = times](auto keys) {
        for (std::uint64_t i = 0; i < often; ++i) static_cast<void>(insert_into(again, keys));
      });
    }
    return again;
  }
  /// A counter has met its largest value.
  [[nodiscard]] bool overflowed() const {
    if constexpr (requires(const Filter& filter) { filter.overflows(); }) {
      return keyed_.filter().overflows() > 0;
    } else {
      return false;
    }
  }
  /// The counters are those of the other filter, but for some that are not counted down any more.
  [[nodiscard]] bool differs_by_full_counters([[maybe_unused]] const Keyed& other) const {
    if constexpr (std::same_as<Filter, Counting>) {
      const std::uint64_t largest = (std::uint64_t{1} << keyed_.parameters().counter_bits) - 1;
      for (std::uint64_t i = 0; i < keyed_.parameters().m; ++i) {
        const std::uint64_t count = keyed_.filter().counters().get(i);
        if (count != largest && count != other.filter().counters().get(i)) return false;
      }
      return keyed_.parameters().overflow == OverflowPolicy::saturate &&
             keyed_.size() == other.size();
    }
    return false;
  }
  /// And keys can be lost by that.
  [[nodiscard]] bool lost_to_overflow() const {
    if constexpr (requires(const Parameters& p) { p.overflow; }) {
      return overflowed() && keyed_.parameters().overflow != decltype(Parameters::overflow){};
    } else {
      return false;
    }
  }

  Keyed keyed_;
};

/// A structure that keeps the keys. It takes one sort of them; the others are left out.
template <class Set>
class ExactUnderTest {
 public:
  explicit ExactUnderTest(const typename Set::Parameters& p) : set_(p) {}

  static std::vector<Act> acts() {
    return {Act::insert_each, Act::insert_many, Act::insert_many, Act::move, Act::clear};
  }

  void do_step(const Step& step, Model& model) {
    const bool integers = step.first < sorted_keys;
    if (model.times.empty()) set_.clear();
    if (!model.times.empty() && (model.times.begin()->first < sorted_keys) != integers) return;
    if (std::same_as<Set, DirectBitmap> && !integers) return;
    with_keys(step.first, step.count, [&](auto keys) {
      switch (step.act) {
        case Act::move: {
          Set moved = std::move(set_);
          set_ = std::move(moved);
          break;
        }
        case Act::clear:
          set_.clear();
          model = {};
          break;
        case Act::insert_each:
          for (std::size_t i = 0; i < keys.size(); ++i) set_.insert(batch(keys.subspan(i, 1)));
          add(step, model);
          break;
        default:
          set_.insert(batch(keys));
          add(step, model);
      }
    });
    look(step, model);
  }
  void end(const Model& model) const {
    if (model.times.empty()) return;
    look({{}, model.times.begin()->first < sorted_keys ? 0 : sorted_keys, sorted_keys}, model);
  }

 private:
  static KeyBatch batch(std::span<const std::uint64_t> keys) { return KeyBatch::integers(keys, 8); }
  static KeyBatch batch(std::span<const std::string_view> keys) { return KeyBatch::texts(keys); }
  static void add(const Step& step, Model& model) {
    for (std::uint32_t i = 0; i < step.count; ++i) model.add(step.first + i);
  }
  /// As a filter is asked.
  struct Asked {
    const Set& set;
    template <class Key>
    void contains(std::span<const Key> keys, std::span<Answer> out) const {
      set.contains(batch(keys), out);
    }
    template <class Key>
    [[nodiscard]] bool contains(const Key& key) const {
      Answer answer{};
      set.contains(batch(std::span<const Key>(&key, 1)), {&answer, 1});
      return answer == Answer::maybe;
    }
    template <class Key>
    [[nodiscard]] std::uint64_t count_contained(std::span<const Key> keys) const {
      return set.count_contained(batch(keys));
    }
  };
  void look(const Step& step, const Model& model) const {
    look_at(Asked{set_}, model, step.first, step.count, true);
  }

  Set set_;
};

template <class T>
using IsExactSet = std::bool_constant<ExactSet<T>>;
template <class T>
using IsNoExactSet = std::bool_constant<!ExactSet<T>>;
template <class T>
using IsProbed = std::bool_constant<Probed<T>>;
using ExactSets = Only<Filters, IsExactSet>;
using ProbedFilters = Only<Filters, IsProbed>;
using OtherFilters = Only<Filters, IsNoExactSet>;

template <class UnderTest, class Filter>
void check_filter() {
  const auto examples = small_examples<Filter>();
  REQUIRE_FALSE(examples.empty());
  const auto parameters_of = [&](std::uint64_t number) {
    return examples[number % examples.size()];
  };
  check_sequences(
      UnderTest::acts(), [&](std::uint64_t number) { return UnderTest(parameters_of(number)); },
      [&](std::uint64_t number) { return setting<Filter>(parameters_of(number)); });
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a filter holds what a count of its keys holds, whatever is done with it",
                        "[core][model]", OtherFilters) {
  check_filter<KeyedUnderTest<KeyedFilter<XxHash3_64, TestType>>, TestType>();
}

// Of a scheme with a hash function a probe, keys that come one by one go another way.
TEMPLATE_LIST_TEST_CASE("a filter of independent hashes holds what a count of its keys holds",
                        "[core][model]", ProbedFilters) {
  using Keyed = KeyedFilter<MultiplyMix64, TestType, Independent, Modulo>;
  check_filter<KeyedUnderTest<Keyed>, TestType>();
}

TEMPLATE_LIST_TEST_CASE("an exact set holds what a count of its keys holds, whatever is done",
                        "[core][model]", ExactSets) {
  check_filter<ExactUnderTest<TestType>, TestType>();
}

namespace {

/// A standard filter with a fault: keys of another filter are not taken.
struct MergesNothing : Standard {
  using Standard::Standard;
  bool merge(const MergesNothing& /*other*/) { return false; }
};

}  // namespace

TEST_CASE("a fault is found by a sequence, and told in as few steps as it takes", "[core][model]") {
  using UnderTest = KeyedUnderTest<KeyedFilter<XxHash3_64, MergesNothing>>;
  const auto make = [] { return UnderTest({.m = 4096, .k = 3}); };
  std::size_t found = 0;
  for (std::uint64_t number = 0; number < 50; ++number) {
    const auto steps = random_steps(number, UnderTest::acts());
    if (!fault_of(steps, make)) continue;
    ++found;
    const auto few = shrunk(
        steps, [&](std::span<const Step> fewer) { return fault_of(fewer, make).has_value(); });
    CAPTURE(text_of(few));
    REQUIRE(few.size() == 1);
    CHECK(few[0].act == Act::merge);
    CHECK(few[0].count == 1);
    CHECK(fault_of(few, make) == "key " + std::to_string(few[0].first) + " is lost");
  }
  CHECK(found > 25);
}

}  // namespace bloomlab::test
