#include "experiments/key_set.hpp"

#include <type_traits>
#include <utility>
#include <vector>

#include "experiments/cell_parts.hpp"

namespace bloomlab::experiments {
namespace {

template <class Source>
class KeySetOf final : public KeySet {
 public:
  KeySetOf(const typename Source::Parameters& parameters, std::uint64_t seed, std::uint64_t n,
           std::uint64_t q)
      : KeySet(n, q), keys_(parameters, seed, n, q) {}

  KeyBatch members(std::uint64_t first, std::size_t count, KeyBuffer& buffer) const override {
    return keys_.members(first, count, buffer);
  }
  KeyBatch strangers(std::uint64_t first, std::size_t count, KeyBuffer& buffer) const override {
    return keys_.strangers(first, count, buffer);
  }
  bool made_on_demand() const noexcept override { return Source::made_on_demand; }

 private:
  typename Source::Keys keys_;
};

/// Integer keys, stored.
class HeldKeys final : public KeySet {
 public:
  explicit HeldKeys(const KeySet& keys) : KeySet(keys.members(), keys.strangers()) {
    KeyBuffer buffer;
    const KeyBatch members = keys.members(0, keys.members(), buffer);
    bytes_ = members.integer_bytes();
    members_.assign(members.values().begin(), members.values().end());
    static_cast<void>(keys.strangers(0, keys.strangers(), buffer));
    strangers_ = std::move(buffer.values);
  }

  KeyBatch members(std::uint64_t first, std::size_t count, KeyBuffer& /*buffer*/) const override {
    return KeyBatch::integers(members_, bytes_).slice(first, count);
  }
  KeyBatch strangers(std::uint64_t first, std::size_t count, KeyBuffer& /*buffer*/) const override {
    return KeyBatch::integers(strangers_, bytes_).slice(first, count);
  }
  bool made_on_demand() const noexcept override { return false; }

 private:
  std::vector<std::uint64_t> members_;
  std::vector<std::uint64_t> strangers_;
  int bytes_ = 8;
};

}  // namespace

std::unique_ptr<KeySet> make_keys(const Config& config, const Cell& cell, std::uint64_t seed,
                                  std::uint64_t strangers) {
  std::unique_ptr<KeySet> keys;
  visit_source(config, cell, [&]<class Source>(std::type_identity<Source>, const auto& parameters) {
    keys = std::make_unique<KeySetOf<Source>>(parameters, seed, cell.n, strangers);
  });
  return keys;
}

std::unique_ptr<KeySet> held(std::unique_ptr<KeySet> keys) {
  KeyBuffer buffer;
  const bool integers = keys->members(0, 0, buffer).holds_integers();
  const bool worthwhile = integers && keys->made_on_demand() && keys->members() <= max_held_keys &&
                          keys->strangers() <= max_held_keys - keys->members();
  if (!worthwhile) return keys;
  return std::make_unique<HeldKeys>(*keys);
}

}  // namespace bloomlab::experiments
