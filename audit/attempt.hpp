// Parts of an audit that a filter may fail in: each costs itself alone, and the filter is started
// anew after it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "audit/evidence.hpp"
#include "audit/examined.hpp"
#include "foreign/failure.hpp"

namespace bloomlab::audit::detail {

/// Whether so much has failed that no more is tried: each failure starts a process anew, and one
/// may take all the time that a call has.
[[nodiscard]] inline bool gave_up(const Evidence& evidence) {
  constexpr std::size_t most_failures = 8;
  constexpr std::size_t most_timeouts = 2;
  std::size_t timeouts = 0;
  for (const FailedPart& failed : evidence.failed) timeouts += failed.is_timeout ? 1 : 0;
  return evidence.failed.size() >= most_failures || timeouts >= most_timeouts;
}

/// Calls `use`; a failure of the filter in it is one of the evidence.
/// @return whether it was all measured
template <class Use>
bool attempted(Evidence& evidence, const std::string& part, Use use) {
  if (gave_up(evidence)) {
    evidence.untried.push_back(part);
    return false;
  }
  try {
    use();
    return true;
  } catch (const foreign::Failure& failure) {
    evidence.failed.push_back(
        {part, failure.what(), failure.kind() == foreign::FailureKind::timeout});
    return false;
  }
}

class RestartingFilter final : public foreign::ForeignFilter {
 public:
  /// Starts it; `examined` must outlive it. Throws foreign::Failure.
  explicit RestartingFilter(const Examined& examined)
      : examined_(examined), filter_(examined.start()), description_(filter_->description()) {}

  [[nodiscard]] const foreign::Description& description() const noexcept override {
    return description_;
  }
  void create(const foreign::Request& request) override {
    if (!filter_) filter_ = examined_.start();
    call([&](ForeignFilter& filter) { filter.create(request); });
  }
  bool insert(const KeyBatch& keys) override {
    return call([&](ForeignFilter& filter) { return filter.insert(keys); });
  }
  void query(const KeyBatch& keys, std::span<Answer> answers) override {
    call([&](ForeignFilter& filter) { filter.query(keys, answers); });
  }
  [[nodiscard]] std::uint64_t count_contained(const KeyBatch& keys) override {
    return call([&](ForeignFilter& filter) { return filter.count_contained(keys); });
  }
  [[nodiscard]] std::uint64_t memory_bits() override {
    return call([](ForeignFilter& filter) { return filter.memory_bits(); });
  }
  [[nodiscard]] std::uint64_t present_bytes() override {
    return call([](ForeignFilter& filter) { return filter.present_bytes(); });
  }
  void remove(const KeyBatch& keys) override {
    call([&](ForeignFilter& filter) { filter.remove(keys); });
  }
  [[nodiscard]] std::string save() override {
    return call([](ForeignFilter& filter) { return filter.save(); });
  }
  void load(std::string_view saved) override {
    call([&](ForeignFilter& filter) { filter.load(saved); });
  }
  void merge(std::string_view saved) override {
    call([&](ForeignFilter& filter) { filter.merge(saved); });
  }

 private:
  /// A filter that has failed cannot be used further.
  template <class Call>
  std::invoke_result_t<Call, ForeignFilter&> call(Call made) {
    if (!filter_) {
      throw foreign::Failure(foreign::FailureKind::ended, examined_.name + ": has failed before");
    }
    try {
      return made(*filter_);
    } catch (const foreign::Failure&) {
      filter_.reset();
      throw;
    }
  }

  const Examined& examined_;
  std::unique_ptr<ForeignFilter> filter_;
  foreign::Description description_;
};

}  // namespace bloomlab::audit::detail
