// Where results come from: build, machine, libraries, date. Part of every result file, and what
// decides whether results may be mixed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "experiments/config/config.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// A share of a config's cells: those whose number mod `count` is `index` - 1.
struct Shard {
  std::uint64_t index = 1;  ///< I, 1 .. count
  std::uint64_t count = 1;  ///< N, >= 1

  friend bool operator==(const Shard&, const Shard&) = default;
};

/// What results must agree in to stand in one file.
struct Identity {
  /// Digest of the config, of the files that its cells read and of its filters from outside.
  std::string config;
  std::string build;    ///< build_id()
  std::string machine;  ///< digest of processor model, architecture, cores and memory

  friend bool operator==(const Identity&, const Identity&) = default;
};

/// The identity of what this program on this machine would measure for the config.
/// Throws record::InputError where a file that a cell reads cannot be read.
[[nodiscard]] Identity identity_of(const Config& config);

/// The filters from outside that the config executes, as text() of their target says it, with the
/// digests of what they are made of (foreign/target.hpp). Throws record::InputError where a file
/// cannot be read.
[[nodiscard]] std::map<std::string, std::string> foreign_digests(const Config& config);

/// The identity that a result file's provenance tells; empty texts where it tells none.
[[nodiscard]] Identity identity_of(const record::Json& provenance);

/// {"commit", "dirty", "version", "compiler", "flags", "build_type", "build_id", "config_digest",
/// "machine": {"cpu", "architecture", "cores", "memory_bytes", "kernel"}, "machine_id",
/// "libraries": {name: version}, "date" (UTC), "jobs", "shard" (where there is one), "complete"}.
/// @param complete whether every cell (of the shard) is in the file
[[nodiscard]] record::Json provenance_of(const Identity& identity, unsigned jobs,
                                         const std::optional<Shard>& shard, bool complete);

}  // namespace bloomlab::experiments
