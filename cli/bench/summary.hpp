// What a file of speeds says in a sentence or two, or in one line of a table: which implementation
// is the fastest, and by how much.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/kinds/speed_rows.hpp"

namespace bloomlab::cli {

/// How much faster than another an implementation is at one thing.
struct SpeedAnswer {
  std::string fastest;
  std::string base;
  std::string duration;            ///< "absent key", "insert", ...
  std::string does;                ///< "looks up an absent key", "inserts a key", ...
  double ns = 0.0;                 ///< of the fastest, nanoseconds per key
  analysis::SpeedTime ratio = {};  ///< base over fastest
  std::string n;                   ///< keys; empty where the cell does not say
  std::string key_length;          ///< bytes, or "mixed"; empty where the cell does not say
};

/// For each duration, absent keys first, at most so many: the fastest implementation beside
/// `standard`, or beside the slowest where there is no such row, under the last conditions of the
/// grid that have several. Rows without a filter (`limit`) are no implementations; of hashes all
/// are. None where nothing can be compared.
[[nodiscard]] std::vector<SpeedAnswer> speed_answers(const analysis::SpeedRun& run,
                                                     std::size_t most);

/// "split_block looks up an absent key in 4.05 ns, 1.8 times as fast as standard [1.7, 1.9], n=..."
[[nodiscard]] std::string sentence(const SpeedAnswer& answer);

/// The answer in columns of fixed width, so that each can be printed once it is known; and what
/// stands above them.
[[nodiscard]] std::string speed_line(const std::string& config, const SpeedAnswer& answer);
[[nodiscard]] std::string speed_line_head();

}  // namespace bloomlab::cli
