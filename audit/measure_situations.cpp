// Inserted keys of every kind, in every situation: none may be denied.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "audit/attempt.hpp"
#include "audit/batches.hpp"
#include "audit/measure.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::audit::detail {
namespace {

using Texts = std::vector<std::string>;

struct Kind {
  std::string name;
  Texts keys;
};

std::vector<std::string_view> views(const Texts& texts) { return {texts.begin(), texts.end()}; }

std::string random_bytes(std::uint64_t number, std::size_t length) {
  std::string bytes;
  const KeyedPermutation permutation(99);
  for (std::uint64_t i = 0; bytes.size() < length; ++i) {
    const std::uint64_t word = permutation(number * 65'536 + i);
    for (int byte = 0; byte < 8 && bytes.size() < length; ++byte) {
      bytes.push_back(static_cast<char>(word >> (8 * byte) & 0xffU));
    }
  }
  return bytes;
}

template <class Make>
Texts made(std::uint64_t count, Make make) {
  Texts keys;
  for (std::uint64_t i = 0; i < count; ++i) keys.push_back(make(i));
  return keys;
}

std::vector<Kind> kinds() {
  const auto number = [](std::uint64_t i) { return std::to_string(i); };
  return {
      {"decimal numbers as text", made(1000, number)},
      {"texts like addresses in the web", made(1000,
                                               [&](auto i) {
                                                 return "https://example.org/a/" + number(i / 7) +
                                                        "?page=" + number(i % 7);
                                               })},
      {"words of few letters",
       made(676,
            [](auto i) {
              return std::string{static_cast<char>('a' + i / 26), static_cast<char>('a' + i % 26)};
            })},
      {"bytes that are no text", made(1000, [](auto i) { return random_bytes(i, 16); })},
      {"keys of 0 to 300 bytes", made(301, [](auto i) { return std::string(i, 'x'); })},
      {"the empty key", {""}},
      {"keys that begin with a zero byte",
       made(200, [&](auto i) { return std::string(1, '\0') + number(i); })},
      {"a key of 1 MiB", {random_bytes(7, std::size_t{1} << 20)}},
  };
}

std::string shown(const std::string& key) {
  return record::made_visible(key.substr(0, 40)) + (key.size() > 40 ? "..." : "");
}

/// Counts denied keys and remembers the first.
void query_all(foreign::ForeignFilter& filter, const Texts& keys, LossCheck& check,
               std::size_t at_once) {
  const auto all = views(keys);
  const KeyBatch batch = KeyBatch::texts(all);
  std::vector<Answer> answers(keys.size());
  for (std::size_t first = 0; first < keys.size(); first += at_once) {
    const std::size_t part = std::min(at_once, keys.size() - first);
    filter.query(batch.slice(first, part), std::span(answers).subspan(first, part));
  }
  check.inserted = keys.size();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (answers[i] == Answer::maybe) continue;
    if (check.lost++ == 0) check.first = shown(keys[i]);
  }
}

void insert_all(foreign::ForeignFilter& filter, const Texts& keys, std::size_t at_once) {
  const auto all = views(keys);
  for (std::size_t first = 0; first < keys.size(); first += at_once) {
    filter.insert(KeyBatch::texts(all).slice(first, std::min(at_once, keys.size() - first)));
  }
}

constexpr std::uint64_t situation_size = 2000;

/// Keys of every kind, in a process of its own, which is started anew where a key ends it.
class KindChecks {
 public:
  KindChecks(const Examined& examined, const Plan& plan) : examined_(examined), plan_(plan) {}

  [[nodiscard]] LossCheck check(const Kind& kind, std::size_t at_once) {
    LossCheck check{.situation = kind.name + (at_once == 1 ? ", key by key" : "")};
    try {
      query_new(kind.keys, check, at_once);
    } catch (const foreign::Failure& failure) {
      filter_.reset();
      check.skipped = failure.what();
      leave_out_refused(kind.keys, check, at_once);
    }
    return check;
  }

 private:
  void query_new(const Texts& keys, LossCheck& check, std::size_t at_once) {
    if (!filter_) filter_ = examined_.start();
    filter_->create(examined_.request(situation_size, plan_.seed + 3));
    insert_all(*filter_, keys, at_once);
    query_all(*filter_, keys, check, at_once);
  }

  /// Queries the keys that the filter takes alone. Where it fails on many no more are tried.
  void leave_out_refused(const Texts& keys, LossCheck& check, std::size_t at_once) {
    constexpr std::uint64_t most = 5;
    Texts taken;
    for (const std::string& key : keys) {
      if (check.refused == most) return;
      try {
        LossCheck alone;
        query_new({key}, alone, 1);
        taken.push_back(key);
      } catch (const foreign::Failure& failure) {
        filter_.reset();
        if (check.refused++ > 0) continue;
        check.first_refused = shown(key);
        check.error = failure.what();
      }
    }
    if (check.refused == 0 || taken.empty()) return;
    try {
      query_new(taken, check, at_once);
      check.skipped.clear();
    } catch (const foreign::Failure& failure) {
      filter_.reset();
      check.skipped = failure.what();
    }
  }

  const Examined& examined_;
  const Plan& plan_;
  std::unique_ptr<foreign::ForeignFilter> filter_;
};

void check_integers(foreign::ForeignFilter& filter, LossCheck& check,
                    std::span<const std::uint64_t> keys, std::size_t in, std::size_t out) {
  check.inserted = keys.size();
  const KeyBatch all = KeyBatch::integers(keys, 8);
  for (std::size_t first = 0; first < keys.size(); first += in) {
    filter.insert(all.slice(first, std::min(in, keys.size() - first)));
  }
  std::vector<Answer> answers(keys.size());
  for (std::size_t first = 0; first < keys.size(); first += out) {
    const std::size_t part = std::min(out, keys.size() - first);
    filter.query(all.slice(first, part), std::span(answers).subspan(first, part));
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (answers[i] == Answer::maybe) continue;
    if (check.lost++ == 0) check.first = "the integer " + std::to_string(keys[i]);
  }
}

/// Inserted keys, each the last of a batch of absent ones: as many as one by one must be reported.
void check_mixed(foreign::ForeignFilter& filter, LossCheck& check,
                 std::span<const std::uint64_t> keys) {
  check.inserted = keys.size();
  filter.insert(KeyBatch::integers(keys, 8));
  std::vector<std::uint64_t> batch(10);
  std::vector<Answer> answers(batch.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    KeyedPermutation(77).apply_range(first_absent + 10 * i, batch);
    batch.back() = keys[i];
    const KeyBatch all = KeyBatch::integers(batch, 8);
    std::uint64_t single = 0;
    for (std::size_t j = 0; j < batch.size(); ++j) {
      filter.query(all.slice(j, 1), std::span(answers).first(1));
      single += answers[0] == Answer::maybe ? 1 : 0;
    }
    check.lost += filter.count_contained(all) < single ? 1 : 0;
  }
}

/// Many more keys than the filter was made for, in small batches.
constexpr std::uint64_t growth_times = 4;

void check_growth(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
                  LossCheck& check) {
  constexpr std::uint64_t made_for = 250;
  check.inserted = growth_times * made_for;
  filter.create(examined.request(made_for, plan.seed + 4));
  RandomKeys keys(plan.seed);
  for (std::uint64_t first = 0; first < check.inserted; first += 100) {
    if (keys.insert(filter, first, 100)) continue;
    check.skipped = "it turned keys away when " + std::to_string(first) + " were inserted";
    return;
  }
  check.lost = check.inserted - keys.count(filter, 0, check.inserted);
}

/// Counts what a filter denies that took every key `copies` times and deleted it once less.
void check_deletion(foreign::ForeignFilter& filter, LossCheck& check, const KeyBatch& keys,
                    int copies) {
  check.inserted = keys.size();
  for (int i = 0; i < copies; ++i) filter.insert(keys);
  for (int i = 1; i < copies; ++i) filter.remove(keys);
  check.lost = keys.size() - filter.count_contained(keys);
}

/// Checks in a new filter each, of which a failure costs one.
class Situations {
 public:
  Situations(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
             Evidence& evidence)
      : filter_(filter), examined_(examined), plan_(plan), evidence_(evidence) {}

  void remake() { filter_.create(examined_.request(situation_size, plan_.seed + 3)); }

  template <class Use>
  void check(const std::string& situation, Use use) {
    LossCheck check{.situation = situation};
    const bool is_measured = attempted(evidence_, situation, [&] {
      remake();
      use(check);
    });
    if (!is_measured) check = {.situation = situation, .skipped = skipped_by()};
    evidence_.checks.push_back(check);
  }
  void skip(const std::string& situation, const std::string& why) {
    evidence_.checks.push_back({.situation = situation, .skipped = why});
  }

  void check_saved(const KeyBatch& keys) {
    if (!filter_.description().saves) {
      skip("after save and load", "the filter has no save and load");
      return skip("after merge", "the filter has no save");
    }
    check("after save and load", [&](LossCheck& check) {
      filter_.insert(keys);
      const std::string bytes = filter_.save();
      remake();
      filter_.load(bytes);
      check.inserted = keys.size();
      check.lost = keys.size() - filter_.count_contained(keys);
    });
    if (!filter_.description().merges) return skip("after merge", "the filter has no merge");
    check("after merge", [&](LossCheck& check) {
      const std::size_t half = keys.size() / 2;
      filter_.insert(keys.slice(0, half));
      const std::string saved = filter_.save();
      remake();
      filter_.insert(keys.slice(half, keys.size() - half));
      filter_.merge(saved);
      check.inserted = keys.size();
      check.lost = keys.size() - filter_.count_contained(keys);
    });
  }

 private:
  [[nodiscard]] std::string skipped_by() const {
    return evidence_.untried.empty() ? evidence_.failed.back().error
                                     : "not tried after so many failures";
  }

  foreign::ForeignFilter& filter_;
  const Examined& examined_;
  const Plan& plan_;
  Evidence& evidence_;
};

}  // namespace

void measure_situations(foreign::ForeignFilter& filter, const Examined& examined, const Plan& plan,
                        Evidence& evidence) {
  KindChecks of_kinds(examined, plan);
  for (const Kind& kind : kinds()) {
    for (const std::size_t at_once : {batch_keys, std::size_t{1}}) {
      if (at_once == 1 && kind.keys.size() == 1) continue;
      evidence.checks.push_back(of_kinds.check(kind, at_once));
    }
  }
  std::vector<std::uint64_t> sequence(1000);
  for (std::size_t i = 0; i < sequence.size(); ++i) sequence[i] = i;
  std::vector<std::uint64_t> random(1000);
  KeyedPermutation(plan.seed).apply_range(0, random);
  const KeyBatch all = KeyBatch::integers(random, 8);
  Situations situations(filter, examined, plan, evidence);
  situations.check("integers from 0 on",
                   [&](LossCheck& check) { check_integers(filter, check, sequence, 1000, 1000); });
  situations.check("inserted at once, queried one by one",
                   [&](LossCheck& check) { check_integers(filter, check, random, 1000, 1); });
  situations.check("inserted one by one, queried at once",
                   [&](LossCheck& check) { check_integers(filter, check, random, 1, 1000); });
  situations.check("inserted twice", [&](LossCheck& check) {
    filter.insert(all);
    check_integers(filter, check, random, 1000, 1000);
  });
  situations.check("the last of a batch of absent keys", [&](LossCheck& check) {
    check_mixed(filter, check, std::span(random).first(200));
  });
  situations.check(
      "after growth to " + std::to_string(growth_times) + " times the keys it was made for",
      [&](LossCheck& check) { check_growth(filter, examined, plan, check); });
  situations.check_saved(all);
  if (!filter.description().removes) return;
  for (const int copies : {2, 4, 20}) {
    situations.check("inserted " + std::to_string(copies) + " times, deleted " +
                         std::to_string(copies - 1) + " times",
                     [&](LossCheck& check) { check_deletion(filter, check, all, copies); });
  }
}

}  // namespace bloomlab::audit::detail
