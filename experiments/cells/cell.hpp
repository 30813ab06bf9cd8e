// A cell: one point of a config's grid, with everything resolved, and the seeds of its trials.
#pragma once

#include <any>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// One point of the grid. A config may have a million of them: what is long is kept as text.
struct Cell {
  std::uint64_t number = 0;  ///< position in the grid, 0-based; the first axis varies slowest
  std::uint64_t n = 0;       ///< distinct keys inserted; this and the names: not for own grids
  std::string source;        ///< name of the key source
  std::string filter;        ///< name of the filter
  std::string hash;          ///< name of the hash
  std::string probe;      ///< name of the hashing scheme; empty where the filter chooses positions
  std::string reduction;  ///< name of the reduction; empty where the filter chooses positions
  std::string folder;     ///< where relative paths of its parts start
  std::any key_parameters;     ///< of the key source's type, and of the filter's; cell_parts.hpp
  std::any filter_parameters;  ///< reaches both
  /// m as bits per key give it, where it was rounded up to whole blocks.
  std::optional<std::uint64_t> asked_bits;
  std::any point;                    ///< Kind::Point::Parameters of a kind with a grid of its own
  std::vector<std::string> redrawn;  ///< what a trial draws anew: of "keys", "hash_seed"

  /// {"keys", "n", "filter", "hash"} in this order, or the fields of the kind's own grid; fields in
  /// the order of their describe(), every default resolved, m an integer. Two cells of a config
  /// never have equal JSON. It is read anew from text() at each call.
  [[nodiscard]] record::Json json() const;
  /// The same as compact JSON: what `--only` matches, and what names it in messages.
  [[nodiscard]] const std::string& text() const { return *text_; }
  void set_json(const record::Json& json);

  /// Compact JSON without what the config shares across cells (record/cell_seed.hpp).
  [[nodiscard]] const std::string& seed_text() const { return *seed_text_; }
  /// Cells of a group may share the text. Without one it is text().
  void set_seed_text(std::shared_ptr<const std::string> text) { seed_text_ = std::move(text); }
  /// First 16 hex digits of SHA-256 of seed_text().
  [[nodiscard]] std::string group() const;

 private:
  std::shared_ptr<const std::string> text_ = std::make_shared<const std::string>("{}");
  std::shared_ptr<const std::string> seed_text_ = text_;
};

/// The seed of a trial: the first 8 bytes, read as a big-endian number, of SHA-256 over the text
///   bloomlab-seed-1 LF config seed in decimal LF seed_text LF trial in decimal
/// with LF a line feed. It depends on nothing else: not on the number of the cell, on other cells,
/// on threads or shards; so a cell gives the same counts alone as among others.
[[nodiscard]] std::uint64_t trial_seed(std::uint64_t config_seed, const Cell& cell,
                                       std::uint64_t trial);

/// A cell's values in places where the cells differ, but for what is executed and expected.
[[nodiscard]] std::string label_among(const record::Json& cell, std::span<const Cell* const> cells);

}  // namespace bloomlab::experiments
