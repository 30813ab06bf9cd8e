#include "experiments/applications/containers.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "experiments/applications/counted_memory.hpp"

namespace bloomlab::experiments {
namespace {

using CountedText = std::basic_string<char, std::char_traits<char>, CountingAllocator<char>>;

/// Of texts and of views of them, so that a lookup copies nothing.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

/// A container of the standard library; a map has one more value for each text.
template <class Container, class... Value>
class TextTable final : public Membership {
 public:
  void insert(std::string_view key) override { texts_.emplace(key, Value()...); }
  [[nodiscard]] bool contains(std::string_view key) const override { return texts_.contains(key); }
  void clear() override { texts_.clear(); }

 private:
  Container texts_;
};

using TextMap = TextTable<std::unordered_map<CountedText, bool, TextHash, std::equal_to<>,
                                             CountingAllocator<std::pair<const CountedText, bool>>>,
                          bool>;
using TextSet = TextTable<
    std::unordered_set<CountedText, TextHash, std::equal_to<>, CountingAllocator<CountedText>>>;

/// Places double before they are 7/8 full; an empty text is a free place.
class OpenTable final : public Membership {
 public:
  void insert(std::string_view key) override {
    if (8 * (size_ + 1) > 7 * places_.size()) grow();
    CountedText& place = places_[place_of(key)];
    size_ += place.empty() ? 1 : 0;
    place = key;
  }
  [[nodiscard]] bool contains(std::string_view key) const override {
    return !places_.empty() && !places_[place_of(key)].empty();
  }
  void clear() override {
    places_.clear();
    size_ = 0;
  }

 private:
  using Places = std::vector<CountedText, CountingAllocator<CountedText>>;

  /// Where the key stands, or the free place where it would.
  [[nodiscard]] std::size_t place_of(std::string_view key) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t place = TextHash()(key) & mask;
    while (!places_[place].empty() && places_[place] != key) place = (place + 1) & mask;
    return place;
  }
  void grow() {
    Places before = std::exchange(places_, Places(std::max<std::size_t>(16, 2 * places_.size())));
    for (CountedText& text : before) {
      if (!text.empty()) places_[place_of(text)] = std::move(text);
    }
  }

  Places places_;
  std::size_t size_ = 0;
};

class SortedTexts final : public Membership {
 public:
  void insert(std::string_view key) override { texts_.emplace_back(key); }
  void ready() override { std::ranges::sort(texts_); }
  [[nodiscard]] bool contains(std::string_view key) const override {
    const auto found = std::lower_bound(texts_.begin(), texts_.end(), key);
    return found != texts_.end() && *found == key;
  }
  void clear() override { texts_.clear(); }

 private:
  std::vector<CountedText, CountingAllocator<CountedText>> texts_;
};

}  // namespace

std::unique_ptr<Membership> make_container(Container container) {
  switch (container) {
    case Container::unordered_map:
      return std::make_unique<TextMap>();
    case Container::unordered_set:
      return std::make_unique<TextSet>();
    case Container::open_addressing:
      return std::make_unique<OpenTable>();
    case Container::sorted_vector:
      break;
  }
  return std::make_unique<SortedTexts>();
}

}  // namespace bloomlab::experiments
