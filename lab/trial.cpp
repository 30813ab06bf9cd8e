#include "lab/trial.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/answer.hpp"
#include "core/keys/key_batch.hpp"
#include "core/keys/keyed_permutation.hpp"
#include "foreign/foreign_filter.hpp"

namespace bloomlab::lab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t keys_of_a_call = 8192;

/// Inserted keys first, absent keys behind them, all distinct.
class TrialKeys {
 public:
  TrialKeys(const Case& one, std::uint64_t seed)
      : numbers_(static_cast<std::size_t>(one.n + one.queries)), texts_(one.texts) {
    KeyedPermutation(seed).apply_range(0, numbers_);
    if (!one.texts) return;
    // Eight bytes that no other key has, behind as many further ones as they say.
    const KeyedPermutation filling(seed + 1);
    for (const std::uint64_t number : numbers_) {
      std::string text;
      for (std::uint64_t left = number % 40; left > 0; --left) {
        text += static_cast<char>(filling(number + left));
      }
      text.append(reinterpret_cast<const char*>(&number), sizeof number);
      bytes_.push_back(std::move(text));
    }
    views_.assign(bytes_.begin(), bytes_.end());
  }

  [[nodiscard]] KeyBatch all() const {
    return texts_ ? KeyBatch::texts(views_) : KeyBatch::integers(numbers_, 8);
  }

 private:
  std::vector<std::uint64_t> numbers_;
  bool texts_;
  std::vector<std::string> bytes_;
  std::vector<std::string_view> views_;
};

class Attempt {
 public:
  Attempt(const foreign::Target& target, const Case& one, std::uint64_t seed,
          Clock::time_point deadline)
      : name_(target.text()),
        deadline_(deadline),
        keys_(one, seed),
        inserted_(keys_.all().slice(0, one.n)),
        absent_(keys_.all().slice(one.n, one.queries)),
        request_({.n = one.n, .bits_per_key = one.bits_per_key, .fpr = one.fpr, .seed = seed}) {
    require_time();
    filter_ = foreign::start(target);
  }

  Trial run() {
    Trial trial;
    filter_->create(request_);
    by_parts(inserted_, [&](const KeyBatch& part) {
      trial.has_room = filter_->insert(part) && trial.has_room;
    });
    trial.false_negatives = inserted_.size() - contained(inserted_);
    trial.false_positives = contained(absent_);
    trial.memory_bits = filter_->memory_bits();
    trial.present_bytes = filter_->present_bytes();
    trial.repeats = repeats(inserted_) && repeats(absent_);
    filter_->create(request_);
    trial.starts_empty =
        contained(inserted_.slice(0, std::min<std::size_t>(inserted_.size(), 500))) == 0;
    return trial;
  }

 private:
  void require_time() const {
    if (Clock::now() < deadline_) return;
    throw foreign::Failure(foreign::FailureKind::timeout,
                           name_ + ": took longer than all its calls together may take");
  }

  template <class Use>
  void by_parts(const KeyBatch& keys, Use use) const {
    for (std::size_t first = 0; first < keys.size(); first += keys_of_a_call) {
      require_time();
      use(keys.slice(first, std::min(keys_of_a_call, keys.size() - first)));
    }
  }

  std::uint64_t contained(const KeyBatch& keys) const {
    std::uint64_t count = 0;
    by_parts(keys, [&](const KeyBatch& part) { count += filter_->count_contained(part); });
    return count;
  }

  /// Whether some keys get the same answers again, together and alone.
  bool repeats(const KeyBatch& keys) const {
    require_time();
    const KeyBatch some = keys.slice(0, std::min<std::size_t>(keys.size(), 200));
    std::vector<Answer> once(some.size());
    std::vector<Answer> again(some.size());
    filter_->query(some, once);
    filter_->query(some, again);
    if (once != again) return false;
    for (std::size_t i = 0; i < std::min<std::size_t>(some.size(), 20); ++i) {
      filter_->query(some.slice(i, 1), std::span(again).first(1));
      if (again.front() != once[i]) return false;
    }
    return true;
  }

  std::string name_;
  Clock::time_point deadline_;
  TrialKeys keys_;
  KeyBatch inserted_;
  KeyBatch absent_;
  foreign::Request request_;
  std::unique_ptr<foreign::ForeignFilter> filter_;
};

}  // namespace

Trial try_case(const foreign::Target& target, const Case& one, std::uint64_t seed,
               Clock::time_point deadline) {
  try {
    return Attempt(target, one, seed, deadline).run();
  } catch (const foreign::SystemFault&) {
    throw;
  } catch (const foreign::Failure& failure) {
    return {.fault = Fault{failure.kind(), failure.what()}};
  }
}

}  // namespace bloomlab::lab
