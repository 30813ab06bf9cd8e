// Under which conditions speeds were measured: the machine's caches, and what may have made noise.
#pragma once

#include "experiments/speed/machine_tuning.hpp"
#include "record/result_file.hpp"

namespace bloomlab::experiments {

/// {"ladder": [{"bytes", "latency_ns"}], "caches": [{"level", "bytes", "latency_ns"}]}, measured
/// now.
[[nodiscard]] record::Json measured_caches();

/// What a speed's reader must know, for provenance: measured_caches(), "simd_target" of the
/// kernels, "tuning" (see provenance_of), "student_filter_sha256", "peers" ({"implementation",
/// "version", "flags", "batch", "pages"} each, of other libraries in this build), and "warnings", a
/// text each: a build without optimisation, processors that change their frequency, a load of
/// others, no huge pages to be had, peers left out, a calibration ignored. @param tuning what
/// process runs used
[[nodiscard]] record::Json speed_environment(const MachineTuning& tuning);

}  // namespace bloomlab::experiments
