// A filter from outside whose positions are known: the truth that an audit is to find.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "audit/audit.hpp"
#include "audit/expected_layout.hpp"
#include "audit/schemes.hpp"
#include "foreign/foreign_filter.hpp"
#include "foreign/key_bytes.hpp"

namespace bloomlab::tests {

/// Writes the k positions of a key whose random numbers those are.
using KeyPositions =
    std::function<void(const audit::detail::Shape&, audit::detail::Random&, std::uint64_t* out)>;

struct Truth {
  KeyPositions positions;
  double bits_per_key = 10.0;
  int k = 7;
  bool built_of_its_keys = false;  ///< has memory for what it holds, as filters of tables have
  bool saves = false;
};

class SimulatedFilter final : public foreign::ForeignFilter {
 public:
  explicit SimulatedFilter(Truth truth) : truth_(std::move(truth)) {
    description_.saves = truth_.saves;
  }

  [[nodiscard]] const foreign::Description& description() const noexcept override {
    return description_;
  }
  void create(const foreign::Request& request) override {
    seed_ = request.seed;
    keys_.clear();
    size_to(request.n);
  }
  bool insert(const KeyBatch& keys) override {
    foreign::for_each_key(keys, [&](std::string_view key) { keys_.push_back(digest(key)); });
    if (truth_.built_of_its_keys) {
      size_to(keys_.size());
      set_from(0);
    } else {
      set_from(keys_.size() - keys.size());
    }
    return true;
  }
  void query(const KeyBatch& keys, std::span<Answer> answers) override {
    std::size_t i = 0;
    foreign::for_each_key(keys, [&](std::string_view key) {
      positions_of(digest(key));
      bool is_set = true;
      for (int probe = 0; probe < truth_.k; ++probe) is_set = is_set && bits_[at_[probe]];
      answers[i++] = is_set ? Answer::maybe : Answer::absent;
    });
  }
  [[nodiscard]] std::uint64_t memory_bits() override { return shape_.m; }
  void remove(const KeyBatch& /*keys*/) override {}
  /// A word that is no bit of it, and the bits.
  [[nodiscard]] std::string save() override {
    std::string bytes(8 + (shape_.m + 7) / 8, '\0');
    for (std::uint64_t i = 0; i < shape_.m; ++i) {
      if (bits_[i]) bytes[8 + i / 8] = static_cast<char>(bytes[8 + i / 8] | 1 << i % 8);
    }
    return bytes;
  }
  void load(std::string_view saved) override {
    for (std::uint64_t i = 0; i < shape_.m; ++i) bits_[i] = (saved[8 + i / 8] >> i % 8 & 1) != 0;
  }
  void merge(std::string_view /*saved*/) override {}

 private:
  void size_to(std::uint64_t keys) {
    const double bits = truth_.bits_per_key * static_cast<double>(keys);
    shape_ = {std::max<std::uint64_t>(64, static_cast<std::uint64_t>(bits) / 8 * 8), truth_.k};
    bits_.assign(shape_.m, false);
  }
  void set_from(std::size_t first) {
    for (std::size_t i = first; i < keys_.size(); ++i) {
      positions_of(keys_[i]);
      for (int probe = 0; probe < truth_.k; ++probe) bits_[at_[probe]] = true;
    }
  }
  [[nodiscard]] std::uint64_t digest(std::string_view key) const {
    std::uint64_t state = seed_;
    for (const char byte : key) {
      state = audit::detail::Random(state ^ static_cast<unsigned char>(byte))();
    }
    return audit::detail::Random(state ^ key.size())();
  }
  void positions_of(std::uint64_t digest) {
    audit::detail::Random random(digest);
    truth_.positions(shape_, random, at_);
  }

  Truth truth_;
  foreign::Description description_{.name = "simulated"};
  audit::detail::Shape shape_;
  std::uint64_t seed_ = 0;
  std::vector<std::uint64_t> keys_;  // digests
  std::vector<bool> bits_;
  std::uint64_t at_[audit::detail::most_probes] = {};
};

/// The filter as an audit is told of it: with the layout that it was meant to have, or without.
inline audit::Examined examined(const Truth& truth, bool is_declared) {
  audit::Examined result{.name = "simulated",
                         .start = [truth] { return std::make_unique<SimulatedFilter>(truth); },
                         .bits_per_key = truth.bits_per_key};
  if (is_declared) {
    result.expected = [k = truth.k](std::uint64_t size, std::uint64_t memory_bits) {
      return audit::layout_of({{"kind", "standard"}, {"k", k}}, size, size, memory_bits);
    };
  }
  return result;
}

inline KeyPositions positions_of(const audit::detail::Scheme& scheme) {
  return [scheme](const audit::detail::Shape& shape, audit::detail::Random& random,
                  std::uint64_t* out) { scheme.positions(shape, random, scheme.parameter, out); };
}

}  // namespace bloomlab::tests
