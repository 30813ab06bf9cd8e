// Small configs for tests of the engine, and what is compared between runs.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/config/config.hpp"
#include "experiments/engine/run.hpp"
#include "record/result_file.hpp"
#include "tests/experiments/config_files.hpp"

namespace bloomlab::experiments::testing {

/// A config of the kind with this grid (a JSON object) and these further lines, read from a file.
[[nodiscard]] Config config_with(const TemporaryFolder& folder, const std::string& grid,
                                 const std::string& shared_across = "[]",
                                 const std::string& kind = R"("false_positive_rate")",
                                 const std::string& further = "");

/// 24 cells in 8 groups, 3 trials: slices of k, single filters, and filters that grow.
[[nodiscard]] Config mixed_config(const TemporaryFolder& folder);

/// Runs and reads what was written.
[[nodiscard]] record::ResultFile run_and_read(const Config& config, const RunOptions& options);

/// What must be equal between runs of the file.
[[nodiscard]] std::string canonical_text_of(const std::filesystem::path& file);

}  // namespace bloomlab::experiments::testing
