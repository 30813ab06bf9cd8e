// A filter that somebody wrote in the page, and that the page counted: beside the standard filter
// that the engine measured, and judged.
#pragma once

#include "record/json.hpp"
#include "record/result_file.hpp"

namespace bloomlab::page {

/// @param standard what the engine measured of the standard filter, at the same keys inserted
/// @param counted {"m", "k", "n", "queries", "cells": [{"n", "reported": [...], "denied": [...]}]}:
/// n outside is the keys that the filter is made for; of each cell the absent keys that were
/// reported and the inserted ones that were denied, a number for each trial
/// @return page::report_of() of both, the page's filter by the kind "command", with "judged": what
/// `bloomlab judge --json` says of the page's filter. Throws where counts do not fit each other.
[[nodiscard]] record::Json own_report(record::ResultFile standard, const record::Json& counted);

}  // namespace bloomlab::page
