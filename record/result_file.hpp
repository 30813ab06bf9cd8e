// The shape of a result file: the only thing between experiments and analysis.
//
//   {"format": "bloomlab-result-2", "config": ..., "pages": {...}, "provenance": ...,
//    "checksum": "...", "cells": [...]}
//
// It holds raw counts and durations: no mean, no ratio, no prediction. Cells are written once, with
// columns over their trials (record/columns.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/json.hpp"
#include "record/observation.hpp"

namespace bloomlab::record {

/// A result file in memory.
struct ResultFile {
  Json config;      ///< as it was
  Json provenance;  ///< commit, dirty, compiler, flags, machine, libraries, date, jobs
  std::vector<Observation> observations;  ///< in grid order, then trial, then step
  /// The texts of the pages that the config names, by file name: a result is complete in itself.
  std::map<std::string, std::string> pages = {};
};

/// Reads and checks a result file. Throws InputError naming file and JSON pointer,
/// and where the checksum is not that of the cells.
[[nodiscard]] ResultFile read_result_file(const std::filesystem::path& path);

/// Writes `path` atomically: to a temporary file beside it, then renamed over it.
/// Throws RunError where the folder cannot be written.
void write_result_file(const std::filesystem::path& path, const ResultFile& file);

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
