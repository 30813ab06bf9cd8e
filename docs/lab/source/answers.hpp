// What the page says of a config and of its result, as JSON.
#pragma once

#include <string>

#include "analysis/data/load.hpp"
#include "experiments/config/config.hpp"
#include "record/result_file.hpp"

namespace bloomlab::page {

/// Refuses a config with a cell that needs what is not in a page: zlib. Throws record::InputError.
void refuse_absent(const experiments::Config& config);

/// {"kind", "title", "question", "cells", "trials", "queries", "seconds", "memory_bytes", "notes"}:
/// queries where the kind has them; seconds are an estimate, within a factor of a few. Throws
/// record::InputError where a pass needs more memory than a page has.
[[nodiscard]] record::Json facts_of(const experiments::Config& config);

/// {"kind", "title", "question", "verdict": {"sentence", "tags"}, "fixed", "axes", "rows"}: a row
/// is a cell, or a step of it, with its counts, interval, closed form and test; of kinds that
/// measure no filters the means of what they count, by the names in "counted".
[[nodiscard]] record::Json report_of(analysis::ResultSet results);

/// Where a result was measured: the page's build, and what the browser says of itself ("cpu",
/// "cores", "date").
[[nodiscard]] record::Json provenance_of(const record::Json& config, const record::Json& here);

/// The digest of `bloomlab canon`.
[[nodiscard]] std::string digest_of(const record::ResultFile& file);

/// How the page was compiled.
struct Build {
  std::string version;
  std::string compiler;
  std::string flags;
};
[[nodiscard]] Build build();

void write_text(const std::string& file, const std::string& text);

}  // namespace bloomlab::page
