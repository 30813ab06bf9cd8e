// The shape of a result file: the only thing between experiments and analysis.
//
//   {"format": "bloomlab-result-2", "config": ..., "pages": {...}, "provenance": ...,
//    "checksum": "...", "cells": [...]}
//
// It holds raw counts and durations: no mean, no ratio, no prediction. Cells are written once, with
// columns over their trials (record/columns.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/json.hpp"
#include "record/observation.hpp"

namespace bloomlab::record {

/// Longest title and question of a config [characters]: they head pages and lists.
inline constexpr std::size_t most_title_letters = 500;
inline constexpr std::size_t most_question_letters = 2000;

/// A result file in memory.
struct ResultFile {
  Json config;                ///< as it was
  Json provenance;            ///< commit, dirty, compiler, flags, machine, libraries, date, jobs
  Observations observations;  ///< in grid order, then trial, then step
  /// The texts of the pages that the config names, by file name: a result is complete in itself.
  std::map<std::string, std::string> pages = {};
};

/// Reads and checks a result file. Throws InputError naming file and JSON pointer,
/// and where the checksum is not that of the cells.
[[nodiscard]] ResultFile read_result_file(const std::filesystem::path& path);
/// The same of a file whose observations `use` is given, those of one cell after the other: what is
/// returned has none. Whether the checksum holds is known only at the end: where this throws, what
/// `use` was given is worth nothing.
[[nodiscard]] ResultFile read_result_file(const std::filesystem::path& path,
                                          const std::function<void(std::vector<Observation>)>& use);

/// Writes `path` atomically: to a temporary file beside it, then renamed over it.
/// Throws RunError where the folder cannot be written.
void write_result_file(const std::filesystem::path& path, const ResultFile& file);

/// What is done with the observations of a cell.
using UseRows = std::function<void(const std::vector<Observation>&)>;
/// The same of observations that are made one cell after the other: `each_cell` is called once, and
/// calls what it is given with those of every cell. `file.observations` is not looked at.
void write_result_file(const std::filesystem::path& path, const ResultFile& file,
                       const std::function<void(const UseRows&)>& each_cell);

/// An observation as JSON, in the order of keys of the format, and back. Throws InputError.
[[nodiscard]] Json to_json(const Observation& observation);
[[nodiscard]] Observation observation_from_json(const Json& json, const std::string& where);

/// Where an observation stands, for messages: `cell {"n":500,...}, trial 2`, and its step.
/// @param cell_text the cell as compact JSON
[[nodiscard]] std::string place_of(const Observation& observation, const std::string& cell_text);

/// A config without the name of its page, which changes nothing that is measured.
[[nodiscard]] Json without_page(Json config);

/// Whether it must be equal between runs: not where a filter from outside says of itself that it is
/// not deterministic.
[[nodiscard]] bool is_repeatable(const Observation& observation);

/// The part of a result file that must be equal between machines, thread counts, shards and
/// resumed runs: everything but `provenance`, every `timing`, pages, which are prose, and
/// observations that are not repeatable. One line of compact JSON: an observation for each trial,
/// in the words of digests (record/names.hpp).
[[nodiscard]] std::string canonical_text(const ResultFile& file);

}  // namespace bloomlab::record
