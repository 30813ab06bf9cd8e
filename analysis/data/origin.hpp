// Whether the observations of a result file come from its config: every cell is a point of the
// grid, and its group and every seed follow from it. What was altered or put in by hand seldom
// does.
#pragma once

#include <string>

#include "record/result_file.hpp"

namespace bloomlab::analysis {

/// Checks each observation's cell, group and seed against the config in the file; passes over what
/// the config does not say (a file whose config has no grid or no seed), and over files with
/// `provenance.peers`, which other programs write with seeds of their own (docs/bench.md).
/// The digest of the config is compared too, where the run wrote one and no key file is part of it.
/// `where` names the file. Throws record::InputError for the first observation that is not so.
void check_origin(const record::ResultFile& file, const std::string& where);

}  // namespace bloomlab::analysis
