// A filter from outside that grows by layers of its own arithmetic: the truth that an audit is to
// find.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "audit/schemes.hpp"
#include "foreign/foreign_filter.hpp"
#include "foreign/key_bytes.hpp"

namespace bloomlab::tests {

/// How it grows: the first layer takes `first_share` of the keys it is made for, at `rate`.
struct Growing {
  double first_share = 0.25;
  double rate = 0.01;  ///< of the first layer
  double factor = 2.0;
  double tightening = 0.5;      ///< 1: every layer has the first one's rate and probes
  bool says_its_memory = true;  ///< or that of the first layer, always
};

class LayeredFilter final : public foreign::ForeignFilter {
 public:
  explicit LayeredFilter(Growing growing) : growing_(growing) {}

  [[nodiscard]] const foreign::Description& description() const noexcept override {
    return description_;
  }
  void create(const foreign::Request& request) override {
    seed_ = request.seed;
    layers_.clear();
    const double keys = std::floor(growing_.first_share * static_cast<double>(request.n));
    add_layer(std::max(1.0, keys), growing_.rate);
  }
  bool insert(const KeyBatch& keys) override {
    foreign::for_each_key(keys, [&](std::string_view key) {
      if (layers_.back().left < 1.0) {
        const Layer& last = layers_.back();
        add_layer(last.capacity * growing_.factor, last.rate * growing_.tightening);
      }
      layers_.back().left -= 1.0;
      audit::detail::Random random(digest(key) + layers_.size());
      for (int i = 0; i < layers_.back().k; ++i) layers_.back().at(random()) = true;
    });
    return true;
  }
  void query(const KeyBatch& keys, std::span<Answer> answers) override {
    std::size_t answered = 0;
    foreign::for_each_key(keys, [&](std::string_view key) {
      bool is_in_one = false;
      for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
        audit::detail::Random random(digest(key) + layer + 1);
        bool is_in = true;
        for (int i = 0; i < layers_[layer].k; ++i) is_in = is_in && layers_[layer].at(random());
        is_in_one = is_in_one || is_in;
      }
      answers[answered++] = is_in_one ? Answer::maybe : Answer::absent;
    });
  }
  [[nodiscard]] std::uint64_t memory_bits() override {
    if (!growing_.says_its_memory) return layers_.front().bits.size();
    std::uint64_t bits = 0;
    for (const Layer& layer : layers_) bits += layer.bits.size();
    return bits;
  }
  void remove(const KeyBatch& /*keys*/) override {}
  [[nodiscard]] std::string save() override { return {}; }
  void load(std::string_view /*saved*/) override {}
  void merge(std::string_view /*saved*/) override {}

 private:
  struct Layer {
    double capacity = 0.0;
    double left = 0.0;
    double rate = 0.0;
    int k = 1;
    std::vector<bool> bits = {};
    [[nodiscard]] std::vector<bool>::reference at(std::uint64_t word) {
      return bits[static_cast<std::size_t>(word % bits.size())];
    }
  };

  void add_layer(double capacity, double rate) {
    Layer layer{.capacity = capacity, .left = capacity, .rate = rate};
    layer.k = static_cast<int>(std::ceil(-std::log2(rate)));
    const double bits = capacity * layer.k / -std::log1p(-std::pow(rate, 1.0 / layer.k));
    layer.bits.assign(static_cast<std::size_t>(std::ceil(bits)), false);
    layers_.push_back(std::move(layer));
  }
  [[nodiscard]] std::uint64_t digest(std::string_view key) const {
    std::uint64_t state = seed_;
    for (const char byte : key) {
      state = audit::detail::Random(state ^ static_cast<unsigned char>(byte))();
    }
    return state;
  }

  Growing growing_;
  foreign::Description description_{.name = "layers"};
  std::uint64_t seed_ = 0;
  std::vector<Layer> layers_;
};

}  // namespace bloomlab::tests
