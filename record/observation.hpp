// What a trial of a cell gave, and many of them in little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/json.hpp"
#include "record/packed_json.hpp"

namespace bloomlab::record {

/// What one trial of one cell (one step of it, for `growth`) gave.
struct Observation {
  Json cell;                          ///< every resolved key of the grid; m an integer
  std::string group;                  ///< cells with the same group share keys and seeds
  std::uint64_t trial = 0;            ///< 0 .. trials - 1
  std::optional<std::uint64_t> step;  ///< 1 .. steps, for kinds that observe several times
  std::uint64_t seed = 0;             ///< seed of the trial
  std::vector<std::string> redrawn;   ///< what it drew anew: "keys", "hash_seed", "simulations"
  Json measured;                      ///< counts, and the filter's conditional_rate
  Json timing;                        ///< durations, keys ending in _ns
};

/// Observations in the order in which they were added, kept packed: one of twenty queries takes
/// some 150 bytes in place of 3 KB. They are made again as they are asked for.
class Observations {
 public:
  /// Passes over them. What it refers to is made anew at each step: a pointer to it, or to a part
  /// of it, holds only until the next one.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Observation;
    using difference_type = std::ptrdiff_t;
    using pointer = const Observation*;
    using reference = const Observation&;

    Iterator(const Observations& all, std::size_t at) : all_(&all), at_(at) {}
    [[nodiscard]] const Observation& operator*() const;
    [[nodiscard]] const Observation* operator->() const { return &**this; }
    Iterator& operator++() {
      ++at_;
      is_made_ = false;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const Observations* all_;
    std::size_t at_;
    mutable bool is_made_ = false;
    mutable std::optional<std::size_t> cell_;  // whose parts `made_` has
    mutable Observation made_;
  };

  Observations() = default;
  Observations(const std::vector<Observation>& all);  // NOLINT(google-explicit-constructor)
  Observations(std::initializer_list<Observation> all)
      : Observations(std::vector<Observation>(all)) {}

  void push_back(const Observation& observation);
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  void clear() { *this = {}; }

  /// Precondition: i < size().
  [[nodiscard]] Observation operator[](std::size_t i) const;
  [[nodiscard]] Observation front() const { return (*this)[0]; }
  [[nodiscard]] Observation back() const { return (*this)[size() - 1]; }
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, size()}; }

  /// Calls `use` with the observations of each cell, as far as they stand one after the other.
  void for_each_cell(const std::function<void(const std::vector<Observation>&)>& use) const;
  /// All of them, each a tree.
  [[nodiscard]] std::vector<Observation> unpacked() const;
  /// Takes out those that `is_out` says. @return how many
  std::size_t erase_if(const std::function<bool(const Observation&)>& is_out);

 private:
  /// Where the bytes of one begin.
  struct Place {
    std::uint32_t piece = 0;
    std::uint32_t byte = 0;
  };
  struct Row {
    Place place;
    std::uint32_t cell = 0;
  };

  [[nodiscard]] Place add(const std::string& bytes);
  [[nodiscard]] std::string_view bytes_at(const Place& place) const;
  void read_cell(std::size_t cell, Observation& into) const;
  void read_row(const Row& row, Observation& into) const;

  JsonPacker packer_;
  std::vector<std::string> pieces_;  // of the bytes: none is ever moved, which would take twice all
  std::vector<Place> cells_;         // cell, group, and what was drawn anew
  std::vector<Row> rows_;
  Observation last_;  // its cell, group and what was drawn anew: those of the last cell
};

}  // namespace bloomlab::record
