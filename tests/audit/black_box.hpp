// Filters with seeded defects as filters from outside, within this process: an audit sees inserts,
// answers and memory, and no name.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "audit/audit.hpp"
#include "audit/expected_layout.hpp"
#include "experiments/cells/implementation.hpp"
#include "experiments/mutants/mutant.hpp"
#include "foreign/foreign_filter.hpp"

namespace bloomlab::tests {

/// Makes the filter for n keys.
using MakeFilter = std::function<std::unique_ptr<experiments::Implementation>(std::uint64_t n,
                                                                              std::uint64_t seed)>;

class BlackBox final : public foreign::ForeignFilter {
 public:
  explicit BlackBox(MakeFilter make) : make_(std::move(make)) {}

  [[nodiscard]] const foreign::Description& description() const noexcept override {
    return description_;
  }
  void create(const foreign::Request& request) override {
    filter_ = make_(request.n, request.seed);
  }
  bool insert(const KeyBatch& keys) override {
    filter_->insert(keys);
    return true;
  }
  /// An implementation counts; key by key, so that no key is queried twice.
  void query(const KeyBatch& keys, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      answers[i] = filter_->count_contained(keys.slice(i, 1)) == 0 ? Answer::absent : Answer::maybe;
    }
  }
  [[nodiscard]] std::uint64_t count_contained(const KeyBatch& keys) override {
    return filter_->count_contained(keys);
  }
  [[nodiscard]] std::uint64_t memory_bits() override { return filter_->state().memory_bits; }
  void remove(const KeyBatch& /*keys*/) override { unsupported("remove"); }
  [[nodiscard]] std::string save() override { return unsupported("save"); }
  void load(std::string_view /*saved*/) override { unsupported("load"); }
  void merge(std::string_view /*saved*/) override { unsupported("merge"); }

 private:
  static std::string unsupported(const std::string& call) {
    throw foreign::Failure(foreign::FailureKind::unsupported, call + " is not supported");
  }

  MakeFilter make_;
  foreign::Description description_{.name = "box"};
  std::unique_ptr<experiments::Implementation> filter_;
};

/// What an audit is told of a mutant: the layout that it was meant to have.
inline audit::Examined examined(MakeFilter make, const experiments::RightFilter& right) {
  return {.name = "a black box",
          .start = [make] { return std::make_unique<BlackBox>(make); },
          .expected =
              [&right](std::uint64_t size, std::uint64_t memory_bits) {
                record::Json layout = right.filter(size);
                layout["probe"] = right.probe;
                return audit::layout_of(layout, size, size, memory_bits);
              }};
}

/// A mutant that grows has digests for no more keys than it is made for, and nothing else of n.
inline MakeFilter room_to_grow(const experiments::Mutant& mutant) {
  const std::uint64_t room = mutant.right->control == "none_scalable" ? 4 : 1;
  return
      [&mutant, room](std::uint64_t n, std::uint64_t seed) { return mutant.make(room * n, seed); };
}

inline audit::Examined examined(const experiments::Mutant& mutant) {
  return examined(room_to_grow(mutant), *mutant.right);
}

}  // namespace bloomlab::tests
