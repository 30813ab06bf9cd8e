// A filter from outside that is started anew, by create(), after it has failed.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "audit/examined.hpp"
#include "foreign/failure.hpp"

namespace bloomlab::audit::detail {

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
